"""Every formula can be written down and read again."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checking.small_systems import ctl_formulas, ctl_star_formulas
from volition.logic import formula_text, parse
from volition.logic.printing import decimal_or_fraction
from volition.logic.syntax import Arithmetic, Comparison, Expression, Formula, Identifier, Number
from volition.logic.traversal import constant_value, subformulas


def divides_by_zero(expression: Arithmetic) -> bool:
    try:
        return expression.operator == "/" and constant_value(expression.right) == 0
    except ZeroDivisionError:
        return True


numbers = st.fractions(min_value=-20, max_value=20).map(
    lambda value: Number(Fraction(round(value * 16), 16))
)
names = st.sampled_from([Identifier("x"), Identifier("speed(car)")])
expressions: st.SearchStrategy[Expression] = st.recursive(
    st.one_of(numbers, names),
    lambda parts: st.builds(
        Arithmetic, st.sampled_from(["+", "-", "*", "/", "min", "max"]), parts, parts
    ),
    max_leaves=4,
).filter(
    lambda expression: (
        not any(
            isinstance(each, Arithmetic) and divides_by_zero(each)
            for each in subformulas(expression)
        )
    )
)


@settings(max_examples=120, deadline=None)
@given(st.one_of(ctl_formulas(), ctl_star_formulas()))
def test_formulas_survive(formula: Formula) -> None:
    assert parse(formula_text(formula)) == formula


@settings(max_examples=80, deadline=None)
@given(
    st.builds(
        Comparison, st.sampled_from(["<", "<=", "=", "!=", ">", ">="]), expressions, expressions
    )
)
def test_comparisons_survive(formula: Comparison) -> None:
    assert parse(formula_text(formula)) == formula


@pytest.mark.parametrize(
    "text",
    [
        "Pmax=? [ F (Bel(success1) & Bel(success2)) ]",
        'R{"fuel"}min=? [ F Bel(done) ]',
        "R<=5 [ C<=10 ]",
        "R=? [ I=3 ]",
        "S>=0.25 [ a ]",
        "P>=1/3 [ a U[2,5] b ]",
        'multi(Pmax=? [ F a ], R{"fuel"}<=5 [ C ])',
        "forall x. exists y. Bel(x, likes(y)) | c",
        "(forall x. Bel(x, p)) -> a",
        '"two words" & "true" & "F"',
        "A [ G (Bels{a, b} -> F Goals{c}) ]",
    ],
)
def test_what_is_written_plainly_stays_as_it_is(text: str) -> None:
    assert formula_text(parse(text)) == text


def test_numbers_are_exact() -> None:
    numbers = {
        Fraction(1, 8): "0.125",
        Fraction(-5, 2): "-2.5",
        Fraction(1, 3): "1/3",
        Fraction(7): "7",
    }
    assert {number: decimal_or_fraction(number) for number in numbers} == numbers
