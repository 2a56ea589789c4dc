"""Numbers of Jason are doubles, and whole where they are."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.languages.jason.knowing import term
from tests.languages.jason.test_unification import TERMS
from volition.languages.jason.arithmetic import calculate, number, show_number
from volition.languages.jason.ordering import annotation_set, sort_key
from volition.languages.jason.queries import holds
from volition.languages.jason.terms import Arithmetic, Literal, Negative, Term, Variable
from volition.languages.jason.unification import apply


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3 + 2 * 5", 13), ("(3 + 2) * 5", 25), ("-(3 + 5 * (4 + 1)) * -1 - 15", 13), ("(30 - 5) / (2 * 5)", 2.5), ("4 / 2", 2),  # noqa: E501
        ("7 div 2", 3), ("-7 div 2", -3), ("7 div -2", -3), ("7.9 div 2.9", 3), ("5 mod 2", 1), ("-5 mod 2", -1), ("5 mod -2", 1),  # noqa: E501
        ("5.5 mod 2", 1.5), ("2 ** 10", 1024), ("2 ** 3 ** 2", 512), ("2 ** -1", 0.5), ("4 ** 0.5", 2), ("1 / 0", math.inf),  # noqa: E501
        ("-1 / 0", -math.inf), ("10 ** 400", math.inf), ("0.1 + 0.2", 0.1 + 0.2), ("9007199254740992 + 1", 9007199254740992),  # noqa: E501
        ("math.abs(-5)", 5), ("math.max(3,7)", 7), ("math.min([4,a,2])", 2), ("math.max([a,3,b(100),400,1])", 400),  # noqa: E501
        ("math.sum([1,2,a])", 3),
        ("math.average([1,2,4,5])", 3), ("math.mean([1,2])", 1.5), ("math.median([1,3])", 2), ("math.median([3,1,1])", 1),  # noqa: E501
        ("math.std_dev([1,2,3])", 1), ("math.std_dev([])", 0), ("math.sqrt(9)", 3), ("math.round(2.5)", 3), ("math.round(-2.5)", -2),  # noqa: E501
        ("math.floor(-0.5)", -1), ("math.ceil(0.2)", 1), ("math.log(math.e)", 1), ("math.cos(0)", 1), ("math.sin(math.pi / 2)", 1),  # noqa: E501
        ('.length("abc")', 3), (".length([a,b|[c]])", 3), ("math.floor(7 / 2) + .length([])", 3),
    ],
)  # fmt: skip
def test_values(text: str, value: float) -> None:
    found = apply(term(text), {})
    assert found == value
    assert isinstance(found, int) == float(value).is_integer()


@pytest.mark.parametrize(
    "text",
    [
        "5 div 0",
        "5 mod 0",
        "0 / 0",
        "(-8) ** 0.5",
        "math.sqrt(-1)",
        "math.average([])",
        "math.median([1,a])",
        "math.max([])",
    ],
)
def test_what_has_no_value_stays_as_it_is(text: str) -> None:
    assert isinstance(apply(term(text), {}), Arithmetic | Literal)


def test_what_is_unknown_stays_as_it_is() -> None:
    assert isinstance(apply(term("X + 1"), {}), Arithmetic)
    assert isinstance(apply(term("X + 1"), {"X": Literal("a")}), Arithmetic)
    assert isinstance(apply(term("-X"), {}), Negative)
    assert isinstance(apply(term("math.abs(X)"), {}), Literal)
    assert apply(term("X + Y"), {"X": 1, "Y": Variable("Z"), "Z": 2}) == 3


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (-3, "-3"),
        (2.5, "2.5"),
        (0.001, "0.001"),
        (0.0001, "1.0E-4"),
        (12345678.5, "1.23456785E7"),
        (10**20, "1.0E20"),
        (math.inf, "Infinity"),
    ],
)  # fmt: skip
def test_numbers_are_printed_as_java_prints_them(value: float, text: str) -> None:
    assert show_number(value) == text


_NUMBERS = st.one_of(st.integers(-50, 50), st.floats(-50, 50, allow_nan=False))


@given(_NUMBERS, _NUMBERS)
def test_division_and_rest_belong_together(left: float, right: float) -> None:
    dividend, divisor = int(left), int(right)
    quotient, rest = calculate("div", dividend, divisor), calculate("mod", dividend, divisor)
    if divisor:
        assert quotient is not None
        assert rest is not None
        assert quotient * divisor + rest == dividend
        assert rest * dividend >= 0, "the rest has the sign of the left"


@given(_NUMBERS)
def test_numbers_are_whole_where_they_can_be(value: float) -> None:
    kept = number(value)
    assert kept == value
    assert isinstance(kept, int) == float(value).is_integer()


# --- the order of terms ---------------------------------------------------------------------------


def test_the_order_of_kinds() -> None:
    written = '[4,"x",[],[a],[a,b],[b,c],[c],a,a(3),a(10)[5],a(10)[30],a(d,e),a(e,f),~a(3),b,b(1,1),b(3),b(4),A,C]'  # noqa: E501
    mixed = term(
        '[C,b(4),A,4,b(1,1),"x",[],[c],[a],[b,c],[a,b],~a(3),a(e,f),b,a(3),b(3),a(10)[30],a(10)[5],a,a(d,e)]'
    )
    assert [str(each) for each in sorted(mixed.items, key=sort_key)] == [  # type: ignore[union-attr]
        str(each)
        for each in term(written).items  # type: ignore[union-attr]
    ]


@given(st.lists(TERMS, max_size=5))
def test_the_order_is_total(terms: list[Term]) -> None:
    ordered = sorted(terms, key=sort_key)
    for one, other in pairwise(ordered):
        assert holds("<=", one, other)
        assert holds("<", one, other) != (one == other)
        assert holds(">=", other, one)
    assert annotation_set(terms) == annotation_set(reversed(terms))
    assert set(annotation_set(terms)) == set(terms)
    assert len(annotation_set(terms)) == len(set(terms))
