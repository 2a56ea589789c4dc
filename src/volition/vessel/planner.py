"""Planner of shortest paths that keep a clearance to obstacles. It searches a visibility graph with
Dijkstra's algorithm.

The thesis uses M. Kallmann's triangulations (*Dynamic and robust local clearance triangulations*,
ACM TOG 33, 2014), which are for large maps that change. For a single clearance and tens of
vertices, the visibility graph is exact and simpler.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from math import dist

import shapely
from shapely import LineString, Polygon
from shapely.geometry import Point as Place
from shapely.ops import nearest_points, unary_union

from volition.vessel.control import Point

__all__ = ["Planner"]

TOLERANCE = 1e-3
"""How far, in metres, a path may cut into the clearance around an obstacle, so that it can follow
the edge of the clearance."""


class Planner:
    """Planner of paths around obstacles. It ignores headings, so the clearance must leave room for
    a turn: two turning radii and a metre."""

    def __init__(self, obstacles: Sequence[Sequence[Point]], clearance: float) -> None:
        self._solid = unary_union([Polygon(each) for each in obstacles])
        self.inflated = unary_union(
            [Polygon(each).buffer(clearance, join_style="mitre") for each in obstacles]
        )
        self._closed = self.inflated.buffer(-TOLERANCE, join_style="mitre")
        shapely.prepare(self._closed)
        self._corners = _corners(self.inflated)
        self._roads = {
            corner: [other for other in self._corners if self._is_free(corner, other)]
            for corner in self._corners
        }

    def path(self, start: Point, goal: Point) -> list[Point] | None:
        """Return the points of a shortest path, including the start, or None if there is no path.

        If the start is too near to an obstacle, the path first leaves the clearance around it. If
        the goal is too near, the path ends at the nearest allowed point; the last point of the path
        is therefore not always the goal.
        """
        away, reachable = self.outside(start), self.outside(goal)
        if away is None or reachable is None:
            return None
        found = self._search(away, reachable)
        if found is None:
            return None
        return found if away == start else [start, *found]

    def outside(self, place: Point) -> Point | None:
        """Return a position itself if it keeps the clearance to all obstacles. Otherwise return the
        nearest point on the edge of the clearance that can be reached without crossing an obstacle,
        or None if there is none. From within an obstacle, any point on the edge can be reached."""
        here = Place(place)
        if not self._closed.intersects(here):
            return place
        edge = self.inflated.boundary
        nearest = nearest_points(edge, here)[0]
        candidates = sorted(
            [(nearest.x, nearest.y), *self._corners], key=lambda each: dist(place, each)
        )
        if self._solid.intersects(here):
            return candidates[0]
        return next(
            (each for each in candidates if not self._solid.intersects(LineString([place, each]))),
            None,
        )

    def nearest(self, place: Point) -> Point | None:
        """Return the point of an obstacle that is nearest to a position, or None if there are no
        obstacles."""
        if self._solid.is_empty:
            return None
        found = nearest_points(self._solid, Place(place))[0]
        return found.x, found.y

    def _search(self, start: Point, goal: Point) -> list[Point] | None:
        """Return the shortest path over the corners of the inflated obstacles, found by Dijkstra's
        algorithm, or None if there is no path."""
        if start == goal:
            return [start]
        before: dict[Point, Point] = {}
        done: set[Point] = set()
        lengths = {start: 0.0}
        waiting = [(0.0, start)]
        while waiting:
            length, here = heapq.heappop(waiting)
            if here == goal:
                path = [here]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return path[::-1]
            if here in done:
                continue
            done.add(here)
            for there in self._neighbours(here, goal):
                total = length + dist(here, there)
                if total < lengths.get(there, float("inf")):
                    lengths[there], before[there] = total, here
                    heapq.heappush(waiting, (total, there))
        return None

    def _neighbours(self, here: Point, goal: Point) -> list[Point]:
        roads = self._roads.get(here)
        if roads is None:
            roads = [corner for corner in self._corners if self._is_free(here, corner)]
        return [*roads, goal] if self._is_free(here, goal) else roads

    def _is_free(self, one: Point, other: Point) -> bool:
        return one != other and not self._closed.intersects(LineString([one, other]))


def _corners(shape: shapely.Geometry) -> list[Point]:
    parts = [part for part in shapely.get_parts(shape) if isinstance(part, Polygon)]
    rings = [ring for part in parts for ring in (part.exterior, *part.interiors)]
    return list(dict.fromkeys((x, y) for ring in rings for x, y in ring.coords))
