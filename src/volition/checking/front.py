"""Pareto fronts: the compromises that cannot be improved in one objective without a loss in another.

What strategies can attain together is a convex polytope, because one may toss a coin at the start to decide between two strategies.
Its corners are found from outside: each facet of what is known so far is a question, the best strategy for the weights that are
its normal; the answer is a new corner, or the proof that the facet is one of the front (Forejt, Kwiatkowska and Parker, "Pareto
curves for probabilistic model checking", 2012).  With exact numbers the front is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from volition.checking.objectives import Compromise

__all__ = ["corners", "mixture"]

Point = tuple[Any, ...]
Weights = tuple[Fraction, ...]

TOLERANCE = 1e-8
"""Smaller differences between values do not count where values are rounded."""


def corners(best: Callable[[Weights], Compromise], maximised: Sequence[bool]) -> list[Compromise]:
    """The corners of the front, the best in the first objective first.

    ``best`` gives a strategy that is best for weights; ``maximised`` says which objectives are to be large.
    """
    size = len(maximised)
    found: dict[Point, Compromise] = {}
    asked: set[Weights] = set()
    waiting = [tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size)]
    while waiting:
        weights = waiting.pop(0)
        asked.add(weights)
        compromise = best(weights)
        point = _oriented(compromise.values, maximised)
        if not found or _exceeds(_dot(weights, point), max(_dot(weights, each) for each in found)):
            found[point] = compromise
        if not waiting:
            waiting = [normal for normal in _normals(list(found)) if normal not in asked]
    kept = [point for point in found if not _is_covered(point, [each for each in found if each != point])]
    return [found[point] for point in sorted(kept, reverse=True)]


def mixture(points: Sequence[Sequence[Any]], target: Sequence[Any], maximised: Sequence[bool]) -> list[float] | None:
    """Probabilities with which to mix points so that the result is at least as good as the target; None if no mixture is."""
    if not points:
        return None
    matrix = -np.array([_oriented(point, maximised) for point in points], dtype=np.float64).T
    wanted = -np.array(_oriented(target, maximised), dtype=np.float64)
    size = len(points)
    solution = linprog(np.zeros(size), A_ub=matrix, b_ub=wanted + 1e-12, A_eq=np.ones((1, size)), b_eq=[1.0], method="highs")
    return None if solution.x is None or not solution.success else solution.x.tolist()


def _oriented(values: Sequence[Any], maximised: Sequence[bool]) -> Point:
    """The values such that more is better."""
    return tuple(value if up else -value for value, up in zip(values, maximised, strict=True))


def _dot(weights: Weights, point: Point) -> Any:
    return sum((weight * (x if isinstance(x, Fraction) else float(x)) for weight, x in zip(weights, point, strict=True)), Fraction(0))


def _exceeds(value: Any, known: Any) -> bool:
    if isinstance(value, Fraction) and isinstance(known, Fraction):
        return value > known
    return bool(value > known + TOLERANCE * max(1.0, abs(float(known))))


def _is_covered(point: Point, others: list[Point]) -> bool:
    """Whether some mixture of the others is at least as good."""
    return mixture(others, point, [True] * len(point)) is not None


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
