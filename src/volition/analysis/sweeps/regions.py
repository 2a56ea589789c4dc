"""Regions of parameter values where one function of the parameters is at least as large as another,
as readable inequalities.

The difference of the two functions is split into irreducible factors. A factor with a constant sign
in the box of parameter values is left out; the others define the boundary of the region. For
example, ``(1-pe)^4 - (1-pc)^2*(1-pe)^2 >= 0`` in the unit square is ``pe <= pc``.

That a factor keeps its sign is proved by its Bernstein coefficients on the box, not sampled: they
enclose its values (Garloff, "Convergent bounds for the range of multivariate polynomials", 1986).
If they do not decide the sign, the factor stays.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod

from sympy import Poly, Rational, Symbol

from volition.analysis.sweeps.grid import Grid, Point
from volition.kernel.weights import ParametricWeight, value_at
from volition.logic.numbers import number_text

__all__ = ["Box", "Function", "Region", "box_of", "enclosure", "region_where_at_least"]

Box = Mapping[str, tuple[Fraction, Fraction]]
"""Box of parameter values: the minimum and the maximum value of each parameter."""

Function = ParametricWeight | Fraction

ROOT_WIDTH = Rational(1, 10**12)


@dataclass(frozen=True)
class Region:
    """Part of a box of parameter values where the function ``difference`` is at least 0; ``text``
    is an equivalent inequality."""

    difference: Function
    text: str

    def contains(self, point: Point) -> bool:
        """Return whether the region contains a point of the box, by exact arithmetic."""
        return bool(value_at(self.difference, point) >= 0)


def box_of(grid: Grid) -> Box:
    """Return the smallest box that contains all points of a grid."""
    return {axis.name: (min(axis.values), max(axis.values)) for axis in grid}


def region_where_at_least(function: Function, other: Function, box: Box) -> Region:
    """Return the part of the box where ``function`` is at least ``other``; on its boundary the two
    functions are equal."""
    difference = function - other
    if not isinstance(difference, ParametricWeight):
        return Region(difference, _always(1 if difference >= 0 else -1))
    coefficient, factors = difference.factors()
    sign, remaining = 1 if coefficient > 0 else -1, []
    for factor, exponent in factors:
        if exponent % 2 == 0:
            continue
        known = sign_in(box, factor)
        if known is None:
            remaining.append(factor)
        else:
            sign *= known
    return Region(difference, _inequality(sign, remaining, box))


def sign_in(box: Box, polynomial: ParametricWeight) -> int | None:
    """Return 1 if the polynomial is nowhere negative in the box, -1 if it is nowhere positive, None
    if the sign is not known."""
    coefficients = _bernstein_coefficients(box, polynomial)
    if min(coefficients) >= 0:
        return 1
    if max(coefficients) <= 0:
        return -1
    return None


def enclosure(box: Box, function: Function) -> tuple[Fraction, Fraction] | None:
    """Return a lower and an upper bound of the function in the box, or None if its denominator
    contains a parameter."""
    if not isinstance(function, ParametricWeight):
        return function, function
    below = function.terms()[1]
    if len(below) != 1 or any(below[0][0]):
        return None
    coefficients = [each / below[0][1] for each in _bernstein_coefficients(box, function)]
    return min(coefficients), max(coefficients)


def _bernstein_coefficients(box: Box, polynomial: ParametricWeight) -> list[Fraction]:
    """Return the coefficients of the polynomial in the Bernstein basis of the box. In the box, the
    values of the polynomial lie between the smallest and the largest coefficient."""
    names = polynomial.space.names
    on_unit_box: dict[tuple[int, ...], Fraction] = {}
    for exponents, coefficient in polynomial.terms()[0]:
        # Substitute x = low + (high - low) t, which maps the box to the unit box, and expand each
        # power.
        low_and_width = [
            (box[name][0], box[name][1] - box[name][0])
            if name in box
            else (Fraction(0), Fraction(0))
            for name in names
        ]
        for powers in itertools.product(*(range(exponent + 1) for exponent in exponents)):
            share = prod(
                comb(exponent, power) * low ** (exponent - power) * width**power
                for exponent, power, (low, width) in zip(
                    exponents, powers, low_and_width, strict=True
                )
            )
            on_unit_box[powers] = on_unit_box.get(powers, Fraction(0)) + coefficient * share
    degrees = [max(powers[i] for powers in on_unit_box) for i in range(len(names))]
    return [
        sum(
            (
                coefficient
                * prod(
                    Fraction(comb(i, p), comb(d, p))
                    for i, p, d in zip(index, powers, degrees, strict=True)
                )
                for powers, coefficient in on_unit_box.items()
                if all(p <= i for p, i in zip(powers, index, strict=True))
            ),
            Fraction(0),
        )
        for index in itertools.product(*(range(degree + 1) for degree in degrees))
    ]


# --- inequalities as people write them ------------------------------------------------------------


def _always(sign: int) -> str:
    return "everywhere" if sign > 0 else "only where both are equal"


def _inequality(sign: int, factors: list[ParametricWeight], box: Box) -> str:
    """Return the inequality ``sign * product of factors >= 0``, simplified, as text."""
    if not factors:
        return _always(sign)
    names = sorted(frozenset[str]().union(*(factor.parameters for factor in factors)))
    if len(names) == 1:
        return _intervals(sign, factors, names[0], box)
    if len(factors) > 1:
        product = "*".join(f"({factor})" for factor in factors)
        return f"{product} {'>=' if sign > 0 else '<='} 0"
    return _sides(factors[0] if sign > 0 else -factors[0])


def _sides(polynomial: ParametricWeight) -> str:
    """Return the inequality ``polynomial >= 0`` as text without minus signs, such as ``pe <= pc``
    for ``pc-pe >= 0``."""
    larger: Function = Fraction(0)
    smaller: Function = Fraction(0)
    for exponents, coefficient in polynomial.terms()[0]:
        powers = zip(polynomial.space.names, exponents, strict=True)
        term = abs(coefficient) * prod(
            (polynomial.space[name] ** exponent for name, exponent in powers if exponent),
            start=Fraction(1),
        )
        if coefficient > 0:
            larger += term
        else:
            smaller += term
    return f"{smaller} <= {larger}"


def _intervals(sign: int, factors: list[ParametricWeight], name: str, box: Box) -> str:
    """Return the inequality ``sign * product of factors >= 0`` in the only parameter ``name``, as
    text: the intervals between roots of the factors where it holds."""
    low, high = box[name]
    roots = sorted(
        {root for factor in factors for root in _roots(factor, name) if low < root < high}
    )
    found = [
        (start, end)
        for start, end in itertools.pairwise([low, *roots, high])
        if sign * prod(factor.at({name: (start + end) / 2}) for factor in factors) > 0
    ]
    if not found or found == [(low, high)]:
        return _always(1 if found else -1)
    return " or ".join(_interval_text(name, start, end, low, high) for start, end in found)


def _interval_text(name: str, start: Fraction, end: Fraction, low: Fraction, high: Fraction) -> str:
    if end == high:
        return f"{name} >= {_root_text(start)}"
    return (
        f"{name} <= {_root_text(end)}"
        if start == low
        else f"{_root_text(start)} <= {name} <= {_root_text(end)}"
    )


def _roots(polynomial: ParametricWeight, name: str) -> list[Fraction]:
    """Return the real roots of an irreducible polynomial in one parameter, irrational ones to
    within :data:`ROOT_WIDTH`."""
    position = polynomial.space.names.index(name)
    coefficients = {
        exponents[position]: coefficient for exponents, coefficient in polynomial.terms()[0]
    }
    if max(coefficients) == 1:
        return [-coefficients.get(0, Fraction(0)) / coefficients[1]]
    isolating = Poly.from_dict(coefficients, Symbol(name)).intervals(eps=ROOT_WIDTH)
    return [Fraction(str(start)) / 2 + Fraction(str(end)) / 2 for (start, end), _ in isolating]


def _root_text(root: Fraction) -> str:
    text = number_text(root)
    return text if len(text) <= 8 else f"{float(root):.6f}"
