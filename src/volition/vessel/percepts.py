"""Booleans from numbers: what the agent perceives of the vessel and the sea (Izzo, Table 6.4:
Percept process).

Three rules make perception agree with the model of the agent: a percept flips at most once in a
cycle; a pulse between two cycles lasts for one; and a percept with a condition becomes active only
if its condition was believed in the cycle before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt

__all__ = ["HeaveLog", "Observation", "PerceptProcess", "SampledPercept", "Thresholds"]


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Where percepts begin and end: estimated wave heights in metres, unseen cells, metres and
    metres per second."""

    sea_high: float = 1.25
    sea_calm: float = 0.9
    areas_begin: float = 10.0
    areas_end: float = 5.0
    approaching: float = 20.0
    speed_margin: float = 0.2


class HeaveLog:
    """The draft of the last minute, and the significant wave height it tells of."""

    def __init__(self, length: int) -> None:
        self._drafts: deque[float] = deque(maxlen=length)
        self._sum = self._squares = 0.0
        self._around: float | None = None

    def add(self, draft: float) -> None:
        """One more sample; the oldest goes when the log is full."""
        if self._around is None:
            self._around = draft  # sums of small numbers lose no digits
        value = draft - self._around
        if len(self._drafts) == self._drafts.maxlen:
            oldest = self._drafts[0]
            self._sum -= oldest
            self._squares -= oldest * oldest
        self._drafts.append(value)
        self._sum += value
        self._squares += value * value

    @property
    def height(self) -> float:
        """Four standard deviations."""
        count = len(self._drafts)
        return (
            4 * sqrt(max(0.0, self._squares / count - (self._sum / count) ** 2)) if count else 0.0
        )


class SampledPercept:
    """A boolean that may change at any moment and is read once in a cycle."""

    def __init__(self) -> None:
        self._now = False
        self._differed = False
        self.held = False

    def observe(self, value: bool) -> None:
        """What is the case at the moment."""
        self._now = value
        self._differed |= value != self.held

    def tick(self, *, may_begin: bool = True) -> None:
        """A cycle begins: the percept flips if it was different at any time since the last one."""
        if self._differed and (self.held or may_begin):
            self.held = not self.held
        self._differed = self._now != self.held


@dataclass(frozen=True, slots=True)
class Observation:
    """The numbers behind the percepts, at the time of a cycle."""

    wave_height: float
    unseen: int
    legs_left: int
    distance: float
    """To the next point of the route."""
    speed: float
    set_speed: float
    from_waypoint: float = 0.0
    """To the waypoint that was reached last, or to the next point before the first one."""


@dataclass
class PerceptProcess:
    """The six percepts.  ``at_waypoint`` is a latch that the motion planner sets and the distance
    or a new route releases."""

    thresholds: Thresholds
    sea_too_high: SampledPercept = field(default_factory=SampledPercept)
    at_waypoint: SampledPercept = field(default_factory=SampledPercept)
    areas_left: SampledPercept = field(default_factory=SampledPercept)
    last_waypoint: SampledPercept = field(default_factory=SampledPercept)
    at_desired_speed: SampledPercept = field(default_factory=SampledPercept)
    approaching: SampledPercept = field(default_factory=SampledPercept)

    def tick(self, seen: Observation, latched: bool) -> None:
        """A cycle begins."""
        limits, was_there = self.thresholds, self.at_waypoint.held
        self.sea_too_high.observe(
            seen.wave_height > (limits.sea_calm if self.sea_too_high.held else limits.sea_high)
        )
        self.at_waypoint.observe(latched)
        self.areas_left.observe(
            seen.unseen >= limits.areas_end
            if self.areas_left.held
            else latched and seen.unseen > limits.areas_begin
        )
        self.last_waypoint.observe(latched and not seen.legs_left)
        self.at_desired_speed.observe(abs(seen.speed - seen.set_speed) <= limits.speed_margin)
        self.approaching.observe(seen.distance <= limits.approaching)
        for percept in (
            self.sea_too_high,
            self.at_waypoint,
            self.at_desired_speed,
            self.approaching,
        ):
            percept.tick()
        for percept in (self.areas_left, self.last_waypoint):
            percept.tick(may_begin=was_there)

    def held(self) -> Mapping[str, bool]:
        """Each percept by its name here."""
        return {
            name: percept.held
            for name, percept in vars(self).items()
            if isinstance(percept, SampledPercept)
        }
