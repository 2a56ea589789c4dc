"""The values of a sweep, as they are written on the command line."""

from __future__ import annotations

from fractions import Fraction

import pytest

from volition.analysis.sweeps.grid import Axis, points, read_grid
from volition.diagnostics import InputError
from volition.logic.numbers import number_text


def test_a_range_has_both_ends() -> None:
    (axis,) = read_grid(["pc=0:1:0.1"], ["pc"])
    assert axis.values == tuple(Fraction(i, 10) for i in range(11))


def test_a_list_keeps_its_order() -> None:
    assert read_grid([" pe = 0.2, 1/3 ,0.1"], ["pe"]) == (
        Axis("pe", (Fraction(1, 5), Fraction(1, 3), Fraction(1, 10))),
    )


def test_points_are_all_combinations_the_last_parameter_fastest() -> None:
    grid = read_grid(["a=1,2", "b=0:1:1/2"], ["a", "b"])
    found = [(float(point["a"]), float(point["b"])) for point in points(grid)]
    assert found == [(1, 0), (1, 0.5), (1, 1), (2, 0), (2, 0.5), (2, 1)]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("pc", "CHK060", "'pc' does not have the form name=values"),
        ("=1", "CHK060", "'=1' does not have the form name=values"),
        ("pd=1", "CHK061", "unknown parameter 'pd'"),
        ("pc=0.5,1,1/2", "CHK062", "duplicate value 0.5"),
        ("pc=0:1", "CHK063", "'0:1' is not a range"),
        ("pc=0:1:0", "CHK063", "the range 0:1:0 is empty"),
        ("pc=0:1:0.3", "CHK063", "the range 0:1:0.3 does not reach its last value 1"),
        ("pc=0:0.5:1", "CHK063", "the range 0:0.5:1 does not reach its last value 0.5"),
        ("pc=1e999999999", "CHK064", "'1e999999999' is not a number"),
        ("pc=1:0:0.1", "CHK063", "the range 1:0:0.1 is empty"),
        ("pc=0:1:0.000000001", "CHK063", "has 1000000001 values, more than 100000"),
        ("pc=", "CHK064", "'' is not a number"),
        ("pc=0.1,x", "CHK064", "'x' is not a number"),
        ("pc=1/0", "CHK064", "'1/0' is not a number"),
    ],
)
def test_mistakes_are_named(text: str, code: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_grid([text], ["pc", "pe"])
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == code
    assert message in diagnostic.message


def test_all_mistakes_are_reported_at_once() -> None:
    with pytest.raises(InputError) as error:
        read_grid(["pc=1", "pc=2", "px=a,b"], ["pc"])
    assert {each.code for each in error.value.diagnostics} == {"CHK061", "CHK062", "CHK064"}
    assert sum(each.code == "CHK064" for each in error.value.diagnostics) == 2


def test_the_place_of_a_wrong_number_is_shown() -> None:
    with pytest.raises(InputError, match=r"\n1 \| pc=0.1,zero\n.*\n?  \|        \^{4}") as error:
        read_grid(["pc=0.1,zero"], ["pc"])
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.text == "zero"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(1, 10), "0.1"),
        (Fraction(3), "3"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-5, 4), "-1.25"),
    ],
)
def test_numbers_are_written_short(number: Fraction, text: str) -> None:
    assert number_text(number) == text
