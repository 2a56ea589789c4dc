"""Bounds for all parameters in a box.  The closed form is that of Archibald et al., Sect. 4.2."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from volition import check, load
from volition.analysis.sweeps.regions import enclosure
from volition.analysis.sweeps.robust import robust_bounds
from volition.diagnostics import InputError
from volition.kernel.weights import ParameterSpace
from volition.logic import parse

EXAMPLES = Path(__file__).parents[3] / "examples"
BOX = {"pe": (Fraction(1, 20), Fraction(1, 5)), "pc": (Fraction(1, 5), Fraction(2, 5))}


def test_bounds_are_those_of_the_closed_form_where_each_probability_is_met_once() -> None:
    program = load(EXAMPLES / "can/smart_manufacturing.can")
    found = robust_bounds(program, BOX, parse("Pmax=? [ F (PS1 & PS2) ]"))  # type: ignore[arg-type]
    assert found.lower == pytest.approx(0.8**4)
    assert found.upper == pytest.approx(0.95**4)


@pytest.mark.parametrize(
    "formula",
    ["Pmax=? [ F<=30 (stamped = 2) ]", "Pmin=? [ F (stamped = 2) ]", "Pmax=? [ G (tries < 3) ]"],
)
def test_bounds_enclose_the_values_in_the_box(formula: str) -> None:
    program = load(EXAMPLES / "agentspeak/factory")
    box = {"reliability": (Fraction(7, 10), Fraction(9, 10))}
    found = robust_bounds(program, box, parse(formula))  # type: ignore[arg-type]
    for reliability in (0.7, 0.78, 0.9):
        value = (
            check(load(EXAMPLES / "agentspeak/factory", {"reliability": reliability}), formula)
            .answers[0]
            .verdict.value
        )
        assert value is not None
        assert found.lower - 1e-9 <= float(value) <= found.upper + 1e-9


def test_other_questions_are_refused() -> None:
    program = load(EXAMPLES / "can/smart_manufacturing.can")
    with pytest.raises(InputError) as caught:
        robust_bounds(program, BOX, parse("Pmax>=0.5 [ F PS1 ]"))  # type: ignore[arg-type]
    assert [each.code for each in caught.value.diagnostics] == ["CHK120"]


def test_an_enclosure_contains_all_values() -> None:
    space = ParameterSpace({"x": Fraction(1, 2), "y": Fraction(1, 2)})
    function = space["x"] * (1 - space["y"]) / 3
    box = {"x": (Fraction(1, 4), Fraction(1, 2)), "y": (Fraction(0), Fraction(1, 3))}
    assert enclosure(box, function) == (Fraction(1, 18), Fraction(1, 6))
    assert enclosure(box, Fraction(1, 3)) == (Fraction(1, 3), Fraction(1, 3))
    assert enclosure(box, 1 / space["x"]) is None
