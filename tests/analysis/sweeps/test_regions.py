"""Where one function is at least another: readable inequalities that are true at every point that
we try."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volition.analysis.sweeps.grid import points, read_grid
from volition.analysis.sweeps.regions import box_of, region_where_at_least, sign_in
from volition.kernel.weights import ParameterSpace, ParametricWeight, value_at

SPACE = ParameterSpace({"pc": Fraction(3, 10), "pe": Fraction(1, 10)})
PC, PE = SPACE["pc"], SPACE["pe"]
HALF = Fraction(1, 2)
UNIT = box_of(read_grid(["pc=0:1:1", "pe=0:1:1"], ["pc", "pe"]))


@pytest.mark.parametrize(
    ("function", "other", "text"),
    [
        ((1 - PE) ** 4, (1 - PC) ** 2 * (1 - PE) ** 2, "pe <= pc"),
        ((1 - PC) ** 2 * (1 - PE) ** 2, (1 - PE) ** 4, "pc <= pe"),
        (1 - PE, HALF, "pe <= 0.5"),
        (PE, Fraction(1, 3), "pe >= 1/3"),
        (PE * (1 - PE), Fraction(3, 16), "0.25 <= pe <= 0.75"),
        (Fraction(3, 16), PE * (1 - PE), "pe <= 0.25 or pe >= 0.75"),
        (HALF, PE**2, "pe <= 0.707107"),
        (1 - PE, (1 - PE) * (1 - PC), "everywhere"),
        ((1 - PE) * (1 - PC), 1 - PE, "only where both are equal"),
        (PE / (PC + PE), Fraction(1, 3), "pc <= 2*pe"),
        (Fraction(2, 3), HALF, "everywhere"),
        ((PC - HALF) * (PE - HALF) + HALF, HALF, "(1-2*pc)*(1-2*pe) >= 0"),
    ],
)
def test_regions_are_said_as_inequalities(function: Any, other: Any, text: str) -> None:
    assert region_where_at_least(function, other, UNIT).text == text


def test_what_is_left_out_depends_on_the_box() -> None:
    """Below 0.5 on both axes, 1 - pc - pe cannot be negative; in the unit square it can."""
    function, other = (PC - PE) * (1 - PC - PE) + 1, Fraction(1)
    assert (
        region_where_at_least(
            function, other, {"pc": (Fraction(0), HALF), "pe": (Fraction(0), HALF)}
        ).text
        == "pe <= pc"
    )
    assert region_where_at_least(function, other, UNIT).text == "(1-pc-pe)*(pc-pe) >= 0"


small = st.integers(-3, 3)
polynomials = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3)), small, max_size=5
).map(
    lambda terms: sum(
        (c * PC**i * PE**j if (i, j) != (0, 0) else Fraction(c) for (i, j), c in terms.items()),
        start=Fraction(0),
    )
)


@settings(deadline=None)
@given(polynomials, st.tuples(small, small), st.tuples(small, small))
def test_a_proved_sign_is_the_sign(
    polynomial: Any, pc: tuple[int, int], pe: tuple[int, int]
) -> None:
    """Bernstein coefficients on any box, against values on a fine grid of it."""
    if not isinstance(polynomial, ParametricWeight):
        return
    box = {
        "pc": (Fraction(min(pc)), Fraction(max(pc))),
        "pe": (Fraction(min(pe)), Fraction(max(pe))),
    }
    sign = sign_in(box, polynomial)
    for point in points(
        read_grid([f"{name}={low}:{high}:1/4" for name, (low, high) in box.items()], box)
    ):
        value = polynomial.at(point)
        assert sign is None or sign * value >= 0


@settings(deadline=None)
@given(st.lists(small, min_size=2, max_size=5))
def test_intervals_of_one_parameter_are_where_the_difference_is_not_negative(
    coefficients: list[int],
) -> None:
    """The text is read back and compared with the exact sign, away from the roots."""
    polynomial = sum(
        (c * PE**i for i, c in enumerate(coefficients[1:], start=1)),
        start=Fraction(coefficients[0]),
    )
    region = region_where_at_least(polynomial, Fraction(0), UNIT)
    for i in range(41):
        pe = Fraction(2 * i + 1, 82)
        if abs(value_at(polynomial, {"pe": pe})) > Fraction(1, 1000):
            assert read_back(region.text, float(pe)) == region.contains({"pe": pe})


def read_back(text: str, pe: float) -> bool:
    """What an interval says about a value."""
    words = {"everywhere": "True", "only where both are equal": "False"}
    return bool(eval(words.get(text, text), {"pe": pe}))
