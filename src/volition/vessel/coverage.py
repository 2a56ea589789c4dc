"""Coverage of the sea bed by the vessel's sensor, in cells of one metre, and failures of the
sensor."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil, floor
from random import Random

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy import ndimage
from shapely import Polygon

from volition.vessel.control import Point
from volition.vessel.survey_tracks import SurveyBlock

__all__ = ["CellRun", "Dropouts", "SeaBedCoverage"]

CellRun = tuple[int, int, int]
"""Adjacent cells of the sea bed in one row: the row, the first column, and the column after the
last."""


class SeaBedCoverage:
    """The cells of the survey area without its obstacles: which of them the sensor has seen, and
    the survey block that each belongs to.

    Rows go north and columns east, both counted from the corner ``origin``.
    """

    def __init__(
        self,
        area: Sequence[Point],
        obstacles: Sequence[Sequence[Point]],
        blocks: Sequence[SurveyBlock],
        reach: float,
    ) -> None:
        polygon = Polygon(area)
        south, west, north, east = polygon.bounds
        self.origin: Point = (floor(south), floor(west))
        rows, columns = ceil(north) - floor(south), ceil(east) - floor(west)
        self._north = self.origin[0] + 0.5 + np.arange(rows)[:, None] + np.zeros((1, columns))
        self._east = self.origin[1] + 0.5 + np.arange(columns)[None, :] + np.zeros((rows, 1))
        self.cells: NDArray[np.bool_] = shapely.contains_xy(polygon, self._north, self._east)
        for obstacle in obstacles:
            self.cells &= ~shapely.contains_xy(Polygon(obstacle), self._north, self._east)
        self._block = np.full((rows, columns), -1)
        for block in blocks:
            self._block[
                (self._block < 0) & shapely.intersects_xy(block.strip, self._north, self._east)
            ] = block.number
        self.seen = np.zeros_like(self.cells)
        self._fresh = np.zeros_like(self.cells)
        self._reach = reach

    def mark(self, north: float, east: float) -> None:
        """Mark the cells within reach of a sensor ping at a position as seen."""
        row, column, reach = north - self.origin[0], east - self.origin[1], self._reach
        rows, columns = (
            slice(max(0, floor(row - reach)), max(0, ceil(row + reach))),
            slice(max(0, floor(column - reach)), max(0, ceil(column + reach))),
        )
        near = (self._north[rows, columns] - north) ** 2 + (
            self._east[rows, columns] - east
        ) ** 2 <= reach**2
        near &= self.cells[rows, columns] & ~self.seen[rows, columns]
        self.seen[rows, columns] |= near
        self._fresh[rows, columns] |= near

    @property
    def fraction(self) -> float:
        """The fraction of the cells that the sensor has seen."""
        return float(self.seen.sum() / max(1, self.cells.sum()))

    def unseen(self, blocks: Collection[int]) -> NDArray[np.bool_]:
        """Return a mask of the cells in the given survey blocks that the sensor has not seen."""
        return self.cells & ~self.seen & np.isin(self._block, list(blocks))

    def gaps(self, blocks: Collection[int]) -> list[tuple[Point, Point]]:
        """Return a line through each connected unseen area of the given survey blocks. The line is
        the centre line of the area's bounding box, along its longer side."""
        labels, count = ndimage.label(self.unseen(blocks), structure=np.ones((3, 3)))
        lines = []
        for rows, columns in ndimage.find_objects(labels, count):
            south, north = self.origin[0] + rows.start + 0.5, self.origin[0] + rows.stop - 0.5
            west, east = self.origin[1] + columns.start + 0.5, self.origin[1] + columns.stop - 0.5
            if north - south >= east - west:
                lines.append(((south, (west + east) / 2), (north, (west + east) / 2)))
            else:
                lines.append((((south + north) / 2, west), ((south + north) / 2, east)))
        return lines

    def changes(self) -> list[CellRun]:
        """Return the cells that the sensor has seen for the first time since the last call of this
        method."""
        padded = np.zeros((self._fresh.shape[0], self._fresh.shape[1] + 2), dtype=np.int8)
        padded[:, 1:-1] = self._fresh
        steps = np.diff(padded, axis=1)
        self._fresh[:] = False
        starts, ends = np.argwhere(steps == 1), np.argwhere(steps == -1)
        return [
            (int(row), int(first), int(behind))
            for (row, first), (_, behind) in zip(starts, ends, strict=True)
        ]


class Dropouts:
    """Random failures of the sensor: a Poisson process with exponentially distributed durations.
    ``every`` is the mean time between failures and ``mean`` their mean duration in seconds. With
    ``every`` 0 there are no failures."""

    def __init__(self, every: float, mean: float, random: Random) -> None:
        self._every, self._mean, self._random = every, mean, random
        self._next = self._wait(0.0)
        self._until = 0.0

    def is_down(self, time: float) -> bool:
        """Return whether the sensor has failed at a time. Times must not decrease from call to
        call."""
        while self._next <= time:
            self._until = max(self._until, self._next + self._random.expovariate(1 / self._mean))
            self._next = self._wait(self._next)
        return time < self._until

    def _wait(self, since: float) -> float:
        return since + self._random.expovariate(1 / self._every) if self._every else float("inf")
