"""Guidance and control of the vessel: computes thrust and rudder from the track to follow (Izzo,
Table 6.4: Move towards target)."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, copysign, cos, hypot, pi, sin

from volition.vessel.actuators import clamped
from volition.vessel.parameters import Hull, Propulsion

__all__ = ["Point", "SpeedControl", "Track", "angle_between", "rudder_for", "turn_away"]

Point = tuple[float, float]
"""A position: metres north and metres east."""

PROPORTIONAL, INTEGRAL = 80.0, 20.0
HEADING_GAIN, RATE_GAIN = 1.2, 0.9
"""Gains of the rudder controller, for the heading error and the yaw rate. The rate term is needed
because quadratic drag hardly damps slow yawing."""
LOOK_AHEAD = 6.0


def angle_between(one: float, other: float) -> float:
    """Return the smallest angle from heading ``other`` to heading ``one``, between -π and π."""
    return (one - other + pi) % (2 * pi) - pi


@dataclass(slots=True)
class SpeedControl:
    """Controller that computes the thrust for a set speed: the drag at that speed, plus
    proportional-integral control of the speed error.

    Integration pauses while the motor is at its limit.
    """

    hull: Hull
    limits: Propulsion
    integral: float = 0.0

    def thrust(self, requested: float, speed: float, seconds: float) -> float:
        """Return the thrust command for the next ``seconds``. ``requested`` is the set speed,
        ``speed`` the current one."""
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
        """Reset the integral of the speed error, for a vessel that parks."""
        self.integral = 0.0


def rudder_for(turn: float, yaw_rate: float) -> float:
    """Return the rudder angle for a turn by the angle ``turn`` at the current yaw rate."""
    return HEADING_GAIN * turn - RATE_GAIN * yaw_rate


def turn_away(turn: float, heading: float, danger: float) -> float:
    """Return a turn to the same final heading that does not start towards the direction ``danger``:
    the given turn or, if it turns to the side of ``danger``, the turn the other way round."""
    return turn - copysign(2 * pi, turn) if turn * angle_between(danger, heading) > 0 else turn


@dataclass(frozen=True, slots=True)
class Track:
    """A straight line between two points that the vessel follows by line-of-sight guidance."""

    start: Point
    end: Point

    def heading_from(self, place: Point) -> float:
        """Return the heading from a position beside the track towards the track. It points at the
        point that lies ``LOOK_AHEAD`` metres further along the track than the position."""
        (north, east), course = self.start, self._course()
        beside = cos(course) * (place[1] - east) - sin(course) * (place[0] - north)
        return course - atan2(beside, LOOK_AHEAD)

    def is_passed(self, place: Point, radius: float) -> bool:
        """Return whether a vessel at a position has reached or passed the end of the track. It has
        reached the end within ``radius``. It has passed the end if the end is abeam or astern, seen
        in the direction of the track."""
        behind = (self.end[0] - self.start[0]) * (place[0] - self.end[0]) + (
            self.end[1] - self.start[1]
        ) * (place[1] - self.end[1])
        return hypot(place[0] - self.end[0], place[1] - self.end[1]) <= radius or (
            behind >= 0 and self.start != self.end
        )

    def _course(self) -> float:
        return atan2(self.end[1] - self.start[1], self.end[0] - self.start[0])
