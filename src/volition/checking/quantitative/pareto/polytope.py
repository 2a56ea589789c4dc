"""Exact geometry of Pareto fronts in any dimension: the downward-closed convex hull of points, and
points as convex combinations of others.

Coordinates are oriented so that larger is better, and are fractions; rounded coordinates are
treated as exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["DownwardHull", "ExactPoint", "HalfSpace", "mixture_weights"]

ExactPoint = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class HalfSpace:
    """Half-space that a facet of a hull bounds: the weighted sum of the coordinates is at most
    ``limit``. The ``weights`` are not negative and sum to 1."""

    weights: ExactPoint
    limit: Fraction


class DownwardHull:
    """Downward-closed convex hull: all points that are dominated by a convex combination of the
    points added so far. It is represented by its facets.

    Double description method (Motzkin, Raiffa, Thompson and Thrall 1953): valid inequalities, as
    vectors of weights and limit, form a cone. Facets are its extreme rays, and each new point
    intersects the cone with a half-space.
    """

    def __init__(self, first: ExactPoint) -> None:
        size = len(first)
        self.points: list[ExactPoint] = [first]
        axes = [tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size)]
        # Maps each ray to the numbers of the constraints that it meets with equality: first the
        # constraints "weight i is not negative", then the points.
        self._rays: dict[ExactPoint, frozenset[int]] = {
            (*(Fraction(0),) * size, Fraction(1)): frozenset(range(size))
        }
        for i in range(size):
            self._rays[(*axes[i], first[i])] = frozenset({*range(size), size} - {i})

    def add(self, point: ExactPoint) -> None:
        """Extend the hull by a point."""
        number = len(point) + len(self.points)
        self.points.append(point)
        slack = {ray: ray[-1] - _dot(ray[:-1], point) for ray in self._rays}
        rays = {
            ray: tight | {number} if slack[ray] == 0 else tight
            for ray, tight in self._rays.items()
            if slack[ray] >= 0
        }
        for inside, its_tight in self._rays.items():
            for outside, other_tight in self._rays.items():
                if slack[inside] > 0 > slack[outside]:
                    shared = its_tight & other_tight
                    if not any(
                        shared <= tight
                        for ray, tight in self._rays.items()
                        if ray not in (inside, outside)
                    ):
                        share = slack[inside] / (slack[inside] - slack[outside])
                        rays[
                            tuple(
                                (1 - share) * x + share * y
                                for x, y in zip(inside, outside, strict=True)
                            )
                        ] = shared | {number}
        self._rays = rays

    def half_spaces(self) -> list[HalfSpace]:
        """Return the half-spaces that the facets of the hull bound."""
        found = []
        for *weights, limit in self._rays:
            total = sum(weights)
            if total > 0:
                found.append(HalfSpace(tuple(weight / total for weight in weights), limit / total))
        return found

    def corners(self) -> list[ExactPoint]:
        """Return the extreme points of the hull. A point is extreme if no other point lies on all
        of its facets."""
        sides = self.half_spaces()
        on = {
            point: {i for i, side in enumerate(sides) if _dot(side.weights, point) == side.limit}
            for point in self.points
        }
        return [
            point
            for point, mine in on.items()
            if not any(mine <= others for other, others in on.items() if other != point)
        ]


def mixture_weights(points: Sequence[ExactPoint], target: ExactPoint) -> dict[int, Fraction] | None:
    """Return the weights of a convex combination of points that is at least the target in every
    coordinate; None if there is none. The keys are indices of points.

    Phase 1 of the simplex method with Bland's rule, which always terminates: minimise the sum of
    the artificial variables, and test whether it is 0.
    """
    count, size = len(points), len(target)
    rows = [
        [point[j] for point in points] + [Fraction(-int(i == j)) for i in range(size)] + [target[j]]
        for j in range(size)
    ]
    rows.append([Fraction(1)] * count + [Fraction(0)] * size + [Fraction(1)])
    rows = [[-x for x in row] if row[-1] < 0 else row for row in rows]
    columns = count + size
    # Artificial variables, one per equation; they never return to the basis.
    basis = [columns + i for i in range(len(rows))]
    missing = [-sum((row[j] for row in rows), Fraction(0)) for j in range(columns + 1)]
    while True:
        enters = next((j for j in range(columns) if missing[j] < 0), None)
        if enters is None:
            break
        _, _, leaving_row = min(
            (row[-1] / row[enters], basis[i], i) for i, row in enumerate(rows) if row[enters] > 0
        )
        pivot = [x / rows[leaving_row][enters] for x in rows[leaving_row]]
        rows = [
            pivot
            if i == leaving_row
            else [x - row[enters] * y for x, y in zip(row, pivot, strict=True)]
            for i, row in enumerate(rows)
        ]
        missing = [x - missing[enters] * y for x, y in zip(missing, pivot, strict=True)]
        basis[leaving_row] = enters
    if missing[-1] != 0:
        return None
    return {
        each: row[-1] for each, row in zip(basis, rows, strict=True) if each < count and row[-1] > 0
    }


def _dot(weights: Sequence[Fraction], point: Sequence[Fraction]) -> Fraction:
    return sum((weight * x for weight, x in zip(weights, point, strict=True)), Fraction(0))
