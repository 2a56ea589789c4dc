"""Exact geometry in any dimension: the facets of what is no better than some points, and points as
mixtures of others.

Everything here is oriented so that more is better, and computed with fractions: rounded coordinates
are taken as the fractions that they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["DownwardHull", "ExactPoint", "HalfSpace", "mixture_weights"]

ExactPoint = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class HalfSpace:
    """A facet: the sum of the coordinates by ``weights``, which are not negative and sum to 1, is
    at most ``limit``."""

    weights: ExactPoint
    limit: Fraction


class DownwardHull:
    """Everything that is no better than a mixture of the points added so far, by its facets.

    The double description method (Motzkin, Raiffa, Thompson and Thrall 1953): valid inequalities,
    as vectors of weights and limit, form a cone, facets are its extreme rays, and each new point
    cuts a half of space off it.
    """

    def __init__(self, first: ExactPoint) -> None:
        size = len(first)
        self.points: list[ExactPoint] = [first]
        axes = [tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size)]
        # Each ray with the numbers of the constraints that it meets with equality: first "a weight
        # is not negative", then the points.
        self._rays: dict[ExactPoint, frozenset[int]] = {
            (*(Fraction(0),) * size, Fraction(1)): frozenset(range(size))
        }
        for i in range(size):
            self._rays[(*axes[i], first[i])] = frozenset({*range(size), size} - {i})

    def add(self, point: ExactPoint) -> None:
        """Make the hull larger."""
        number = len(point) + len(self.points)
        self.points.append(point)
        room = {ray: ray[-1] - _dot(ray[:-1], point) for ray in self._rays}
        rays = {
            ray: tight | {number} if room[ray] == 0 else tight
            for ray, tight in self._rays.items()
            if room[ray] >= 0
        }
        for inside, its_tight in self._rays.items():
            for outside, other_tight in self._rays.items():
                if room[inside] > 0 > room[outside]:
                    shared = its_tight & other_tight
                    if not any(
                        shared <= tight
                        for ray, tight in self._rays.items()
                        if ray not in (inside, outside)
                    ):
                        share = room[inside] / (room[inside] - room[outside])
                        rays[
                            tuple(
                                (1 - share) * x + share * y
                                for x, y in zip(inside, outside, strict=True)
                            )
                        ] = shared | {number}
        self._rays = rays

    def half_spaces(self) -> list[HalfSpace]:
        """The facets."""
        found = []
        for *weights, limit in self._rays:
            total = sum(weights)
            if total > 0:
                found.append(HalfSpace(tuple(weight / total for weight in weights), limit / total))
        return found

    def corners(self) -> list[ExactPoint]:
        """The points that are no worse than any mixture of the others: those on more facets than
        each other point that shares theirs."""
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
    """Probabilities with which to mix points so that no coordinate is less than the target's; None
    if no mixture is that good.

    The simplex method with Bland's rule, which always ends: the least sum of what is missing, and
    whether it is nothing.
    """
    count, size = len(points), len(target)
    rows = [
        [point[j] for point in points] + [Fraction(-int(i == j)) for i in range(size)] + [target[j]]
        for j in range(size)
    ]
    rows.append([Fraction(1)] * count + [Fraction(0)] * size + [Fraction(1)])
    rows = [[-x for x in row] if row[-1] < 0 else row for row in rows]
    columns = count + size
    basis = [
        columns + i for i in range(len(rows))
    ]  # what is missing in each equation; it need not come back once it is gone
    missing = [-sum((row[j] for row in rows), Fraction(0)) for j in range(columns + 1)]
    while True:
        enters = next((j for j in range(columns) if missing[j] < 0), None)
        if enters is None:
            break
        _, _, atoms = min(
            (row[-1] / row[enters], basis[i], i) for i, row in enumerate(rows) if row[enters] > 0
        )
        pivot = [x / rows[atoms][enters] for x in rows[atoms]]
        rows = [
            pivot if i == atoms else [x - row[enters] * y for x, y in zip(row, pivot, strict=True)]
            for i, row in enumerate(rows)
        ]
        missing = [x - missing[enters] * y for x, y in zip(missing, pivot, strict=True)]
        basis[atoms] = enters
    if missing[-1] != 0:
        return None
    return {
        each: row[-1] for each, row in zip(basis, rows, strict=True) if each < count and row[-1] > 0
    }


def _dot(weights: Sequence[Fraction], point: Sequence[Fraction]) -> Fraction:
    return sum((weight * x for weight, x in zip(weights, point, strict=True)), Fraction(0))
