"""Guidance and control: from the track to be followed to thrust and rudder (Izzo, Table 6.4: Move
towards target)."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, copysign, cos, hypot, pi, sin

from volition.vessel.actuators import clamped
from volition.vessel.parameters import Hull, Propulsion

__all__ = ["Point", "SpeedControl", "Track", "angle_between", "rudder_for", "turn_away"]

Point = tuple[float, float]
"""North and east, in metres."""

PROPORTIONAL, INTEGRAL = 80.0, 20.0
HEADING_GAIN, RATE_GAIN = 1.2, 0.9
"""The rate term is necessary: nothing else damps slow yawing, whose drag is quadratic."""
LOOK_AHEAD = 6.0


def angle_between(one: float, other: float) -> float:
    """The smallest angle that leads from the other heading to the one, between -π and π."""
    return (one - other + pi) % (2 * pi) - pi


@dataclass(slots=True)
class SpeedControl:
    """The thrust for a set speed: what drag takes, and proportional-integral control of what is
    missing.

    While the motor can give no more, nothing is integrated.
    """

    hull: Hull
    limits: Propulsion
    integral: float = 0.0

    def thrust(self, requested: float, speed: float, seconds: float) -> float:
        """The command for some seconds."""
        missing = requested - speed
        command = (
            self.hull.drag_surge * requested * abs(requested)
            + PROPORTIONAL * missing
            + INTEGRAL * self.integral
        )
        possible = clamped(command, -self.limits.thrust_astern, self.limits.thrust_ahead)
        if command == possible:
            self.integral += missing * seconds
        return possible

    def clear(self) -> None:
        """Forget what was integrated: the vessel is parked."""
        self.integral = 0.0


def rudder_for(turn: float, yaw_rate: float) -> float:
    """The rudder that turns by an angle."""
    return HEADING_GAIN * turn - RATE_GAIN * yaw_rate


def turn_away(turn: float, heading: float, danger: float) -> float:
    """The same turn the other way round, if it would lead past a danger in some direction."""
    return turn - copysign(2 * pi, turn) if turn * angle_between(danger, heading) > 0 else turn


@dataclass(frozen=True, slots=True)
class Track:
    """A straight line from one point to another that the vessel is to follow by line of sight."""

    start: Point
    end: Point

    def heading_from(self, place: Point) -> float:
        """Towards a point of the line some way ahead."""
        (north, east), course = self.start, self._course()
        beside = cos(course) * (place[1] - east) - sin(course) * (place[0] - north)
        return course - atan2(beside, LOOK_AHEAD)

    def is_passed(self, place: Point, radius: float) -> bool:
        """Whether the end is near, or lies abeam or astern."""
        behind = (self.end[0] - self.start[0]) * (place[0] - self.end[0]) + (
            self.end[1] - self.start[1]
        ) * (place[1] - self.end[1])
        return hypot(place[0] - self.end[0], place[1] - self.end[1]) <= radius or (
            behind >= 0 and self.start != self.end
        )

    def _course(self) -> float:
        return atan2(self.end[1] - self.start[1], self.end[0] - self.start[0])
