"""Computation of the agent's percepts from measurements of the vessel and the sea (Izzo, Table 6.4:
Percept process).

Three rules ensure that the agent perceives only what its verified model allows:

- A percept changes its value at most once per reasoning cycle.
- A change that begins and ends between two cycles is not lost: the agent perceives it for one
  cycle.
- Two percepts, ``areas_left`` and ``last_waypoint``, depend on the percept ``at_waypoint``. They
  can become true only if the agent perceived ``at_waypoint`` in the previous cycle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt

__all__ = ["HeaveLog", "Observation", "PerceptProcess", "SampledPercept", "Thresholds"]


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Thresholds at which the vessel's percepts begin and end: estimated wave heights in metres,
    numbers of unseen cells, a distance in metres, and a speed in metres per second."""

    sea_high: float = 1.25
    sea_calm: float = 0.9
    areas_begin: float = 10.0
    areas_end: float = 5.0
    approaching: float = 20.0
    speed_margin: float = 0.2


class HeaveLog:
    """The draft of the vessel during the last minute, and the significant wave height estimated
    from it."""

    def __init__(self, length: int) -> None:
        self._drafts: deque[float] = deque(maxlen=length)
        self._sum = self._squares = 0.0
        self._around: float | None = None

    def add(self, draft: float) -> None:
        """Add a draft, and drop the oldest one if the log is full."""
        if self._around is None:
            self._around = draft  # sums of small numbers lose no precision
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
        """The estimated significant wave height: four standard deviations of the draft."""
        count = len(self._drafts)
        return (
            4 * sqrt(max(0.0, self._squares / count - (self._sum / count) ** 2)) if count else 0.0
        )


class SampledPercept:
    """A percept whose true value may change at any time, but which the agent reads once per
    reasoning cycle. ``held`` is the value that the agent reads."""

    def __init__(self) -> None:
        self._now = False
        self._differed = False
        self.held = False

    def observe(self, value: bool) -> None:
        """Set the current value of the percept between two cycles."""
        self._now = value
        self._differed |= value != self.held

    def tick(self, *, may_begin: bool = True) -> None:
        """Begin a reasoning cycle and update ``held``, the value that the agent reads. The value
        flips if the percept had the other value at any time since the last cycle. It can become
        true only if ``may_begin`` is set."""
        if self._differed and (self.held or may_begin):
            self.held = not self.held
        self._differed = self._now != self.held


@dataclass(frozen=True, slots=True)
class Observation:
    """The measurements from which the percepts of a cycle are computed."""

    wave_height: float
    unseen: int
    legs_left: int
    distance: float
    """Distance to the next point of the route, in metres."""
    speed: float
    set_speed: float
    from_waypoint: float = 0.0
    """Distance to the last waypoint that was reached, in metres. Before the first waypoint,
    distance to the next point of the route."""


@dataclass
class PerceptProcess:
    """Computes the six percepts of the vessel from measurements, once per reasoning cycle of the
    agent. Each field of type :class:`SampledPercept` is one percept.

    The percept ``at_waypoint`` becomes true when the vessel reaches a waypoint that counts for the
    agent, such as the end of a survey track. It becomes false when the vessel has moved away from
    that waypoint far enough, or gets a new route.
    """

    thresholds: Thresholds
    sea_too_high: SampledPercept = field(default_factory=SampledPercept)
    at_waypoint: SampledPercept = field(default_factory=SampledPercept)
    areas_left: SampledPercept = field(default_factory=SampledPercept)
    last_waypoint: SampledPercept = field(default_factory=SampledPercept)
    at_desired_speed: SampledPercept = field(default_factory=SampledPercept)
    approaching: SampledPercept = field(default_factory=SampledPercept)

    def tick(self, seen: Observation, latched: bool) -> None:
        """Begin a reasoning cycle and update all percepts from the measurements ``seen``.
        ``latched`` is true from the moment the vessel reaches a waypoint until it has left the
        waypoint."""
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
        """Return the truth value that the agent perceives for each percept in this cycle. The keys
        are the names of the fields of this class."""
        return {
            name: percept.held
            for name, percept in vars(self).items()
            if isinstance(percept, SampledPercept)
        }
