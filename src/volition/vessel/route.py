"""Routes of the vessel: legs through gaps in the coverage and through survey blocks (Path planner),
and how the vessel follows them (Motion planner; Izzo, Table 6.4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import dist

from volition.vessel.control import Point, Track
from volition.vessel.coverage import SeaBedCoverage
from volition.vessel.planner import Planner
from volition.vessel.survey_tracks import SurveyBlock

__all__ = ["Leg", "MotionPlanner", "Route", "plan_route"]


@dataclass(frozen=True)
class Leg:
    """Part of a route: points to pass in order. ``block`` is the number of the survey block that
    the vessel has explored when it reaches the last point, or None. If ``is_global``, the last
    point is a global waypoint: the agent perceives when the vessel reaches it."""

    points: tuple[Point, ...]
    block: int | None = None
    is_global: bool = False


@dataclass(frozen=True)
class Route:
    """A route of the vessel: its legs in order, and the positions that could not be reached."""

    legs: tuple[Leg, ...]
    unreachable: tuple[Point, ...] = ()


def plan_route(
    place: Point,
    blocks: Sequence[SurveyBlock],
    finished: Collection[int],
    coverage: SeaBedCoverage,
    planner: Planner,
) -> Route:
    """Return a route for the rest of the survey, starting at a position. It first visits the areas
    in finished survey blocks that the sensor has not seen (gaps), nearest first. Then it visits the
    unfinished blocks, each in the direction of its track.

    A global waypoint is a point at which the agent is informed that the vessel has reached it. Each
    unfinished block ends in a global waypoint, and so does the last gap, but not the other gaps. If
    there is nothing left to visit, the route consists of a global waypoint at the current position,
    because an agent without any waypoint would wait indefinitely.
    """
    trip = _RouteBuilder(place, planner)
    gaps = coverage.gaps(finished)
    while gaps:
        gap = min(gaps, key=lambda line: min(dist(trip.place, end) for end in line))
        gaps.remove(gap)
        nearer, further = sorted(gap, key=lambda end: dist(trip.place, end))
        trip.visit(nearer, further, is_global=not gaps)
    for block in blocks:
        if block.number not in finished:
            trip.visit(*block.track, block=block.number, is_global=True)
    if not trip.legs:
        trip.legs.append(Leg((place,), is_global=True))
    return Route(tuple(trip.legs), tuple(trip.unreachable))


@dataclass
class _RouteBuilder:
    """Builder of a route: the legs that were added, and the position ``place`` at their end."""

    place: Point
    planner: Planner
    legs: list[Leg] = field(default_factory=list)
    unreachable: list[Point] = field(default_factory=list)

    def visit(
        self, first: Point, last: Point, *, block: int | None = None, is_global: bool
    ) -> None:
        """Add a leg to the point ``first`` and a leg from there to the point ``last``. ``block``
        and ``is_global`` are those of the second leg."""
        approach = self.planner.path(self.place, first)
        along = self.planner.path(approach[-1], last) if approach else None
        if approach is None or along is None:
            # There is no path to the goal. Add a leg that ends at the current position, so that the
            # agent perceives the waypoint there. Otherwise the vessel would head straight for the
            # goal, or the agent would wait forever.
            self.unreachable.append(last)
            self.legs.append(Leg((self.place,), block, is_global))
            return
        if len(approach) > 1:
            self.legs.append(Leg(tuple(approach)))
        self.legs.append(Leg(tuple(along), block, is_global))
        self.place = along[-1]


class MotionPlanner:
    """Planner of the vessel's motion along a route. It proceeds from point to point and from leg to
    leg without calls of the agent."""

    def __init__(self, acceptance: float) -> None:
        self._acceptance = acceptance
        self._legs: list[Leg] = []
        self._points: list[Point] = []
        self.track: Track | None = None

    def follow(self, legs: Sequence[Leg], place: Point) -> None:
        """Start to follow a new route from the position ``place``."""
        self._legs = list(legs)
        self._begin(place)

    @property
    def legs_left(self) -> int:
        """The number of remaining legs of the route, including the current one."""
        return len(self._legs)

    def advance(self, place: Point) -> list[Leg]:
        """Proceed along the route as far as the position ``place``, and return the legs that are
        finished."""
        finished = []
        while self.track is not None and self.track.is_passed(place, self._acceptance):
            if len(self._points) > 1:
                self.track = Track(self._points.pop(0), self._points[0])
                continue
            finished.append(self._legs.pop(0))
            self._begin(self.track.end)
        return finished

    def _begin(self, place: Point) -> None:
        """Begin the first track of the next leg. ``place`` is the end of the previous leg."""
        self._points = list(self._legs[0].points) if self._legs else []
        while len(self._points) > 1 and self._points[0] == place:
            self._points.pop(0)
        self.track = Track(place, self._points[0]) if self._points else None
