"""Pareto fronts: the points at which no objective can be improved without making another worse.

The points that strategies attain form a convex polytope, because a strategy may be chosen at random
at the start. The algorithm refines an inner approximation of this polytope. For each facet of the
approximation, it computes the optimal strategy with the normal of the facet as weights. The result
is either a new corner or a proof that the facet belongs to the front (Forejt, Kwiatkowska and
Parker, "Pareto curves for probabilistic model checking", 2012). With exact arithmetic the front is
exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from volition.checking.quantitative.pareto.objectives import AttainedPoint
from volition.checking.quantitative.pareto.polytope import DownwardHull, ExactPoint, mixture_weights

__all__ = ["Bound", "Bounds", "ParetoFacet", "ParetoFront", "compute_pareto_front", "mixture"]

Point = tuple[Any, ...]
Weights = tuple[Fraction, ...]

TOLERANCE = 1e-8
"""Relative difference below which two rounded values of objectives are considered equal."""


@dataclass(frozen=True, slots=True)
class ParetoFacet:
    """Facet of the set of points that strategies attain: an upper bound on a weighted sum of the
    objectives, oriented so that larger is better.

    ``attained`` is the weighted sum that the corners attain and ``limit`` the one that no strategy
    exceeds. They differ only if values are rounded.
    """

    weights: Weights
    attained: Any
    limit: Any


@dataclass(frozen=True, slots=True)
class Bound:
    """Bound on an objective: a minimum if it is maximised, a maximum if it is minimised. ``strict``
    excludes the threshold itself."""

    threshold: Fraction
    strict: bool = False


Bounds = Sequence[Bound | None]


@dataclass(frozen=True)
class ParetoFront:
    """Pareto front: its corners, the best in the first objective first, and the facets of the set
    of points that strategies attain."""

    maximised: tuple[bool, ...]
    corners: tuple[AttainedPoint, ...]
    facets: tuple[ParetoFacet, ...]

    def attains(self, bounds: Bounds) -> bool | None:
        """Return whether one strategy meets all the bounds; None if rounded values do not decide
        it. ``bounds`` has an entry for each objective."""
        if not self.corners:
            return False
        answers = [self._allows(facet, bounds) for facet in self.facets]
        return False if False in answers else None if None in answers else True

    def best(self, objective: int, bounds: Bounds) -> tuple[Any, Any]:
        """Return the optimal value of one objective under bounds on the other objectives, as two
        numbers: a value that is attained, and one that no strategy improves on.

        The caller must ensure that some strategy meets the bounds.
        """
        attained, limits = [], []
        for facet in self.facets:
            minimum = self._weighted_threshold(facet, bounds, besides=objective)
            if facet.weights[objective] > 0 and minimum is not None:
                attained.append((facet.attained - minimum) / facet.weights[objective])
                limits.append((facet.limit - minimum) / facet.weights[objective])
        return (
            (min(attained), min(limits))
            if self.maximised[objective]
            else (-min(attained), -min(limits))
        )

    def mixture(self, target: Sequence[Any]) -> tuple[Any, ...] | None:
        """Return the probabilities with which to play the strategies of the corners so that the
        values in ``target`` are attained or exceeded; None if that is impossible.

        Only one or two strategies are used if that is enough.
        """
        return mixture([corner.values for corner in self.corners], target, self.maximised)

    def _allows(self, facet: ParetoFacet, bounds: Bounds) -> bool | None:
        minimum = self._weighted_threshold(facet, bounds)
        if minimum is None:
            return True
        strict = any(
            bound is not None and bound.strict and weight > 0
            for bound, weight in zip(bounds, facet.weights, strict=True)
        )
        if minimum < facet.attained or (minimum == facet.attained and not strict):
            return True
        return None if facet.attained != facet.limit and minimum <= facet.limit else False

    def _weighted_threshold(
        self, facet: ParetoFacet, bounds: Bounds, besides: int | None = None
    ) -> Any:
        """Return the sum of the thresholds in ``bounds``, each multiplied by the weight that its
        objective has in ``facet``. Thresholds of minimised objectives are negated, and the
        objective ``besides`` is left out. Return None if any other objective with a positive weight
        has no bound."""
        total: Any = Fraction(0)
        for i, (weight, bound) in enumerate(zip(facet.weights, bounds, strict=True)):
            if i == besides or weight == 0:
                continue
            if bound is None:
                return None
            total += weight * (bound.threshold if self.maximised[i] else -bound.threshold)
        return total


def mixture(
    points: Sequence[Point], target: Sequence[Any], maximised: Sequence[bool]
) -> tuple[Any, ...] | None:
    """Return the probabilities of a mixture of points that is at least as good as the target in
    every coordinate; None if there is none. ``maximised`` says for which coordinates larger is
    better.

    Only one or two points are used if that is enough. With rounded values, a relative difference up
    to ``TOLERANCE`` is accepted.
    """
    exact = all(isinstance(x, int | Fraction) for numbers in (target, *points) for x in numbers)
    tolerance = Fraction(0) if exact else Fraction(TOLERANCE)
    requested = tuple(
        x - tolerance * max(Fraction(1), abs(x)) for x in _exactly(_oriented(target, maximised))
    )
    oriented = [_exactly(_oriented(point, maximised)) for point in points]
    found = _mix_one_or_two(oriented, requested) or mixture_weights(oriented, requested)
    return None if found is None else tuple(found.get(i, Fraction(0)) for i in range(len(points)))


def compute_pareto_front(
    best: Callable[[Weights], AttainedPoint | None], maximised: Sequence[bool]
) -> ParetoFront:
    """Return the Pareto front. ``best`` returns an optimal strategy for given weights of the
    objectives; ``maximised`` says which objectives are maximised.

    The front has no corners if ``best`` returns None.
    """
    size = len(maximised)
    found: dict[ExactPoint, AttainedPoint] = {}
    limits: dict[Weights, Any] = {}
    hull: DownwardHull | None = None
    waiting: list[Weights] = [
        tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size)
    ]
    while waiting:
        weights = waiting.pop(0)
        compromise = best(weights)
        if compromise is None:
            return ParetoFront(tuple(maximised), (), ())
        point = _exactly(_oriented(compromise.values, maximised))
        limits[weights] = compromise.limit
        if hull is None:
            hull = DownwardHull(point)
            found[point] = compromise
        elif _exceeds(
            _dot(weights, point),
            max(_dot(weights, each) for each in found),
            rounded=compromise.error > 0,
        ):
            hull.add(point)
            found[point] = compromise
        if not waiting:
            waiting = [side.weights for side in hull.half_spaces() if side.weights not in limits]
    assert hull is not None, "there is an objective"
    corners = tuple(found[point] for point in sorted(hull.corners(), reverse=True))
    error = max(corner.error for corner in corners)
    facets = tuple(
        ParetoFacet(side.weights, side.limit - Fraction(error), limits[side.weights])
        for side in hull.half_spaces()
    )
    return ParetoFront(tuple(maximised), corners, facets)


def _mix_one_or_two(points: Sequence[ExactPoint], target: ExactPoint) -> dict[int, Fraction] | None:
    """Return the shares of one or two points whose mixture is at least the target in every
    coordinate; None if there are no such points. The keys are indices of points."""
    for i, point in enumerate(points):
        if all(x >= requested for requested, x in zip(target, point, strict=True)):
            return {i: Fraction(1)}
    for (i, first), (j, second) in combinations(enumerate(points), 2):
        low, high = Fraction(0), Fraction(1)
        for wanted, a, b in zip(target, first, second, strict=True):
            # share * a + (1 - share) * b >= wanted
            if a == b:
                low = Fraction(2) if wanted > b else low
            else:
                edge = (wanted - b) / (a - b)
                low, high = (max(low, edge), high) if a > b else (low, min(high, edge))
        if low <= high:
            return {i: low, j: 1 - low}
    return None


def _oriented(values: Sequence[Any], maximised: Sequence[bool]) -> Point:
    """Return the values of objectives with the sign changed for minimised objectives, so that
    larger is better."""
    return tuple(value if up else -value for value, up in zip(values, maximised, strict=True))


def _exactly(values: Point) -> ExactPoint:
    return tuple(Fraction(value) for value in values)


def _dot(weights: Weights, point: ExactPoint) -> Fraction:
    return sum((weight * x for weight, x in zip(weights, point, strict=True)), Fraction(0))


def _exceeds(value: Fraction, known: Fraction, *, rounded: bool) -> bool:
    return value > known + (Fraction(TOLERANCE) * max(Fraction(1), abs(known)) if rounded else 0)
