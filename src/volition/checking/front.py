"""Pareto fronts: the compromises that cannot be improved in one objective without a loss in another.

What strategies can attain together is a convex polytope, because one may toss a coin at the start to decide between two strategies.
Its corners are found from outside: each facet of what is known so far is a question, the best strategy for the weights that are
its normal; the answer is a new corner, or the proof that the facet is one of the front (Forejt, Kwiatkowska and Parker, "Pareto
curves for probabilistic model checking", 2012).  With exact numbers the front is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from volition.checking.objectives import Compromise

__all__ = ["Bound", "Facet", "Front", "find_front"]

Point = tuple[Any, ...]
Weights = tuple[Fraction, ...]

TOLERANCE = 1e-8
"""Smaller differences between values do not count where values are rounded."""


@dataclass(frozen=True, slots=True)
class Facet:
    """A side of what can be attained: the weighted sum of the values, oriented so that more is better, is at most ``limit``."""

    weights: Weights
    limit: Any


@dataclass(frozen=True, slots=True)
class Bound:
    """What a value must be at least (or at most, where the objective is minimised); ``strict`` excludes the threshold itself."""

    threshold: Fraction
    strict: bool = False


Bounds = Sequence[Bound | None]


@dataclass(frozen=True)
class Front:
    """The corners of a front, the best in the first objective first, and the facets of everything that can be attained."""

    maximised: tuple[bool, ...]
    corners: tuple[Compromise, ...]
    facets: tuple[Facet, ...]

    def attains(self, bounds: Bounds) -> bool | None:
        """Whether some strategy meets all bounds at once; None if rounded values do not tell."""
        answers = [self._allows(facet, bounds) for facet in self.facets]
        return False if False in answers else None if None in answers else True

    def best(self, objective: int, bounds: Bounds) -> Any:
        """The best value of one objective among strategies that meet the bounds on the others; None if none does."""
        if self.attains([None if i == objective else bound for i, bound in enumerate(bounds)]) is False:
            return None
        limits = [
            (facet.limit - least) / facet.weights[objective]
            for facet in self.facets
            if facet.weights[objective] > 0 and (least := self._least(facet, bounds, besides=objective)) is not None
        ]
        return min(limits) if self.maximised[objective] else -min(limits)

    def mixture(self, target: Sequence[Any]) -> tuple[Any, ...] | None:
        """Probabilities with which to play the strategies of the corners so that the target is met; None if it cannot be.

        One strategy or two where these suffice.  Shares are exact where the values are, unless more than two strategies are needed and
        the target does not lie on the front.
        """
        points = [_oriented(corner.values, self.maximised) for corner in self.corners]
        wanted = _oriented(target, self.maximised)
        found = _one_or_two(points, wanted) or _many(points, wanted)
        return None if found is None else tuple(found.get(i, Fraction(0)) for i in range(len(points)))

    def _allows(self, facet: Facet, bounds: Bounds) -> bool | None:
        least = self._least(facet, bounds)
        if least is None:
            return True
        if not isinstance(least - facet.limit, Fraction) and abs(least - facet.limit) <= TOLERANCE * max(1.0, abs(facet.limit)):
            return None
        strict = any(bound is not None and bound.strict and weight > 0 for bound, weight in zip(bounds, facet.weights, strict=True))
        return bool(least < facet.limit if strict else least <= facet.limit)

    def _least(self, facet: Facet, bounds: Bounds, besides: int | None = None) -> Any:
        """The weighted sum of the thresholds; None if some value counts that may be as bad as it likes."""
        total: Any = Fraction(0)
        for i, (weight, bound) in enumerate(zip(facet.weights, bounds, strict=True)):
            if i == besides or weight == 0:
                continue
            if bound is None:
                return None
            total += weight * (bound.threshold if self.maximised[i] else -bound.threshold)
        return total


def find_front(best: Callable[[Weights], Compromise], maximised: Sequence[bool]) -> Front:
    """The front of objectives; ``best`` gives a strategy that is best for weights, ``maximised`` says what is to be large."""
    size = len(maximised)
    found: dict[Point, Compromise] = {}
    asked: dict[Weights, Any] = {}
    waiting = [tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size)]
    while waiting:
        weights = waiting.pop(0)
        compromise = best(weights)
        point = _oriented(compromise.values, maximised)
        asked[weights] = _dot(weights, point)
        if not found or _exceeds(asked[weights], max(_dot(weights, each) for each in found)):
            found[point] = compromise
        if not waiting:
            waiting = [normal for normal in _normals(list(found)) if normal not in asked]
    kept = [point for point in found if _mixed([each for each in found if each != point], point) is None]
    corners = tuple(found[point] for point in sorted(kept, reverse=True))
    return Front(tuple(maximised), corners, tuple(Facet(weights, limit) for weights, limit in asked.items()))


def _mixed(points: Sequence[Point], target: Point) -> list[float] | None:
    """Probabilities with which to mix points so that the result is at least as good as the target; None if no mixture is."""
    if not points:
        return None
    matrix = -np.array(points, dtype=np.float64).T
    wanted = -np.array(target, dtype=np.float64)
    size = len(points)
    solution = linprog(np.zeros(size), A_ub=matrix, b_ub=wanted + 1e-12, A_eq=np.ones((1, size)), b_eq=[1.0], method="highs")
    return None if solution.x is None or not solution.success else solution.x.tolist()


def _one_or_two(points: Sequence[Point], target: Point) -> dict[int, Any] | None:
    """The shares of one point, or of two, that give at least the target."""
    for i, point in enumerate(points):
        if not any(_exceeds(wanted, x) for wanted, x in zip(target, point, strict=True)):
            return {i: Fraction(1)}
    for (i, first), (j, second) in combinations(enumerate(points), 2):
        low: Any = Fraction(0)
        high: Any = Fraction(1)
        for wanted, a, b in zip(target, first, second, strict=True):
            # share * a + (1 - share) * b >= wanted
            if a == b:
                low = Fraction(2) if _exceeds(wanted, b) else low
            else:
                edge = (wanted - b) / (a - b)
                low, high = (max(low, edge), high) if a > b else (low, min(high, edge))
        if not _exceeds(low, high):
            return {i: low, j: 1 - low}
    return None


def _many(points: Sequence[Point], target: Point) -> dict[int, Any] | None:
    rounded = _mixed(points, target)
    if rounded is None:
        return None
    used = [i for i, share in enumerate(rounded) if share > 1e-9]
    shares: Sequence[Any] = _exact_shares([points[i] for i in used], target) or [rounded[i] for i in used]
    return dict(zip(used, shares, strict=True))


def _exact_shares(points: list[Point], target: Point) -> list[Fraction] | None:
    """The only shares with which the points give the target; None if values are rounded or there is no such thing."""
    numbers = [*target, *(x for point in points for x in point)]
    if not all(isinstance(x, int | Fraction) for x in numbers):
        return None
    equations = [[Fraction(1)] * len(points) + [Fraction(-1)]]
    equations += [[Fraction(point[i]) for point in points] + [Fraction(-target[i])] for i in range(len(target))]
    vector = _null_vector(equations, len(points) + 1)
    if vector is None or vector[-1] == 0:
        return None
    shares = [x / vector[-1] for x in vector[:-1]]
    return shares if all(share >= 0 for share in shares) else None


def _oriented(values: Sequence[Any], maximised: Sequence[bool]) -> Point:
    """The values such that more is better."""
    return tuple(value if up else -value for value, up in zip(values, maximised, strict=True))


def _dot(weights: Weights, point: Point) -> Any:
    return sum((weight * (x if isinstance(x, Fraction) else float(x)) for weight, x in zip(weights, point, strict=True)), Fraction(0))


def _exceeds(value: Any, known: Any) -> bool:
    if isinstance(value, Fraction) and isinstance(known, Fraction):
        return value > known
    return bool(value > known + TOLERANCE * max(1.0, abs(float(known))))


def _normals(points: list[Point]) -> list[Weights]:
    """The directions in which the known points, and all that is worse than one of them, have facets."""
    size = len(points[0])
    if size == 1:
        return []
    # Worse points far away in each direction make the hull that of everything that is no better than a known point.
    span = 1 + max(abs(float(a) - float(b)) for axis in zip(*points, strict=True) for a in axis for b in axis)
    away = Fraction(int(span) + 1)
    shadows = [tuple(x - away if i == axis else x for i, x in enumerate(point)) for point in points for axis in range(size)]
    everything = points + shadows
    hull = ConvexHull(np.array(everything, dtype=np.float64), qhull_options="QJ Pp" if size > 4 else "Qt Pp")
    normals = []
    for simplex, equation in zip(hull.simplices, hull.equations, strict=True):
        if (equation[:-1] >= -1e-9).all():
            normal = _normal([everything[i] for i in simplex])
            if normal is not None and normal not in normals:
                normals.append(normal)
    return normals


def _normal(vertices: list[Point]) -> Weights | None:
    """The direction at right angles to a facet, with weights that sum to 1; None if it has a negative weight or is no facet."""
    exact = [[Fraction(x) for x in vertex] for vertex in vertices]
    rows = [[a - b for a, b in zip(vertex, exact[0], strict=True)] for vertex in exact[1:]]
    normal = _null_vector(rows, len(exact[0]))
    if normal is None:
        return None
    total = sum(normal)
    if total == 0:
        return None
    scaled = tuple(x / total for x in normal)
    if all(x >= 0 for x in scaled):
        return scaled
    # A facet through rounded points may lean a hair beyond an axis.
    clipped = [max(x, Fraction(0)) for x in scaled]
    return tuple(x / sum(clipped) for x in clipped) if min(scaled) > -Fraction(1, 10**9) else None


def _null_vector(rows: list[list[Fraction]], size: int) -> list[Fraction] | None:
    """A vector at right angles to all rows, by elimination; None if it is not unique up to its length."""
    rows = [list(row) for row in rows]
    pivots: list[int] = []
    for column in range(size):
        row = next((r for r in range(len(pivots), len(rows)) if rows[r][column] != 0), None)
        if row is None:
            continue
        place = len(pivots)
        rows[place], rows[row] = rows[row], rows[place]
        rows[place] = [x / rows[place][column] for x in rows[place]]
        for other in range(len(rows)):
            if other != place:
                rows[other] = [x - rows[other][column] * y for x, y in zip(rows[other], rows[place], strict=True)]
        pivots.append(column)
    free = [column for column in range(size) if column not in pivots]
    if len(free) != 1:
        return None
    vector = [Fraction(0)] * size
    vector[free[0]] = Fraction(1)
    for place, column in enumerate(pivots):
        vector[column] = -rows[place][free[0]]
    return vector
