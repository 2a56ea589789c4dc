"""Expected results as files state them."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from volition.checking.properties import read_expectation
from volition.checking.verdict import Verdict
from volition.diagnostics import InputError
from volition.logic.syntax import Constant


def answer(value: float | Fraction | bool | None) -> Verdict:
    verdict = Verdict(Constant(True), "test", 0.0)
    if value is None:
        return Verdict(Constant(True), "test", 0.0, unknown="too hard")
    if isinstance(value, bool):
        return Verdict(verdict.formula, "test", 0.0, holds=value)
    return Verdict(verdict.formula, "test", 0.0, value=value)


@pytest.mark.parametrize(
    ("text", "value", "met"),
    [
        ("true", True, True),
        ("False", False, True),
        ("true", False, False),
        ("0.6561", Fraction(6561, 10000), True),
        ("0.6561", 0.6561 + 5e-10, True),
        ("0.6561", 0.6561 + 5e-9, False),
        ("1/3", 1 / 3, True),
        ("-2.5e1", -25.0, True),
        (".5", 0.5, True),
        ("1000000", 1000000.0005, True),
        ("~0.6357", 0.63579414, True),  # cut off
        ("~0.6358", 0.63579414, True),  # rounded
        ("~0.6356", 0.63579414, False),
        ("~ 12", 12.9, True),
        ("~1.5e-3", 0.00155, True),
        ("~1.5e-3", 0.00165, False),
        ("inf", math.inf, True),
        ("Infinity", math.inf, True),
        ("inf", 1e300, False),
        ("12", math.inf, False),
        ("true", 1.0, False),
        ("1", True, False),
        ("0.5", None, None),
    ],
)
def test_expectations(text: str, value: float | Fraction | bool | None, met: bool | None) -> None:
    assert read_expectation(text).is_met_by(answer(value)) is met


@pytest.mark.parametrize("text", ["", "maybe", "0.5.1", "1/0.5", "~true", "about 5"])
def test_no_expectation(text: str) -> None:
    with pytest.raises(InputError, match="not true, false or a number"):
        read_expectation(text)


def test_division_by_zero_is_no_expectation() -> None:
    with pytest.raises(InputError):
        read_expectation("1/0")
