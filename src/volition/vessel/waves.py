"""The sea as a sum of regular waves: elevation, slopes and curvature of the water surface, averaged
over the hull.

Izzo's thesis applies "a set of sinusoidal waves" (Sect. 6.5). The waves in this module share the
energy of a Pierson-Moskowitz spectrum equally. Their frequencies are quantiles of the spectrum,
which have a closed form, so that the significant wave height of the sum is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, exp, log, pi, radians, sin, sqrt
from random import Random

from volition.vessel.parameters import STANDARD_GRAVITY, Hull

__all__ = ["STILL", "Sea", "Surface", "Wave", "irregular_sea", "regular_sea"]

SPREAD = radians(20)
"""The largest angle between the direction of a wave and the main wave direction, in radians."""

Surface = tuple[float, float, float, float]
"""The water surface at the hull, averaged over it: elevation (up), slope along the bow, slope to
starboard, and the mixed second derivative."""

FLAT: Surface = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Wave:
    """One wave component of the sea: amplitude, wave number towards north and east, angular
    frequency, phase."""

    amplitude: float
    north: float
    east: float
    frequency: float
    phase: float

    @property
    def number(self) -> float:
        return sqrt(self.north**2 + self.east**2)


class Sea:
    """A sea: wave components, multiplied by a factor that changes over time. ``profile`` has pairs
    of a time and a factor, with linear interpolation."""

    def __init__(
        self, waves: Sequence[Wave], profile: Sequence[tuple[float, float]] = ((0.0, 1.0),)
    ) -> None:
        self.waves = tuple(waves)
        self.profile = tuple(profile)

    def factor(self, time: float) -> float:
        """Return the factor by which the wave components are multiplied at a time."""
        before = self.profile[0]
        for point in self.profile:
            if point[0] > time:
                if before is point:
                    break
                return before[1] + (point[1] - before[1]) * (time - before[0]) / (
                    point[0] - before[0]
                )
            before = point
        return before[1]

    def height(self, time: float) -> float:
        """Return the significant wave height at a time: four standard deviations of the surface."""
        return 4 * self.factor(time) * sqrt(sum(wave.amplitude**2 for wave in self.waves) / 2)

    def averaged_over(self, hull: Hull) -> HullSurface:
        """Return the water surface averaged over a hull, as a function of position, heading and
        time."""
        return HullSurface(self, hull)


class HullSurface:
    """The water surface under a hull as a function of position, heading and time.

    The function is evaluated four times per step of the dynamics, so it computes with plain floats
    and creates no objects.
    """

    def __init__(self, sea: Sea, hull: Hull) -> None:
        self._factor = sea.factor
        self._steady = sea.profile[0][1] if len(sea.profile) == 1 else None
        self._half_length, self._half_beam = hull.length / 2, hull.beam / 2
        self._waves = [
            (
                wave.amplitude * exp(-wave.number * hull.draft / 2),
                wave.north,
                wave.east,
                wave.frequency,
                wave.phase,
            )
            for wave in sea.waves
            if wave.amplitude
        ]

    def __call__(self, north: float, east: float, heading: float, time: float) -> Surface:
        if not self._waves:
            return FLAT
        half_length, half_beam = self._half_length, self._half_beam
        cosine, sine = cos(heading), sin(heading)
        elevation = ahead = starboard = mixed = 0.0
        for amplitude, k_north, k_east, frequency, phase in self._waves:
            k_ahead = k_north * cosine + k_east * sine
            k_starboard = k_east * cosine - k_north * sine
            if x := k_ahead * half_length:
                amplitude *= sin(x) / x
            if x := k_starboard * half_beam:
                amplitude *= sin(x) / x
            angle = k_north * north + k_east * east - frequency * time + phase
            crest = amplitude * cos(angle)
            flank = amplitude * sin(angle)
            elevation += crest
            ahead += k_ahead * flank
            starboard += k_starboard * flank
            mixed += k_ahead * k_starboard * crest
        factor = self._factor(time) if self._steady is None else self._steady
        return factor * elevation, -factor * ahead, -factor * starboard, -factor * mixed


STILL = Sea(())


def regular_sea(amplitude: float, period: float, direction: float = 0.0) -> Sea:
    """Return a sea with a single wave that travels in a direction, given in radians clockwise from
    north."""
    return Sea([_wave(amplitude, 2 * pi / period, direction, 0.0)])


def irregular_sea(
    height: float,
    period: float,
    direction: float,
    random: Random,
    *,
    profile: Sequence[tuple[float, float]] | None = None,
    components: int = 12,
) -> Sea:
    """Return a sea of random waves with a significant wave height (in metres) and a peak period.

    With a ``profile``, the height changes over time. A profile has pairs of a time and a
    significant wave height. All waves are multiplied by the height of the profile, so ``height``
    must then be 1.
    """
    amplitude = height / 4 * sqrt(2 / components)
    waves = []
    for number in range(1, components + 1):
        frequency = 2 * pi / period * (1.25 / -log((number - 0.5) / components)) ** 0.25
        towards = direction + random.uniform(-SPREAD, SPREAD)
        waves.append(_wave(amplitude, frequency, towards, random.uniform(0, 2 * pi)))
    return Sea(waves, profile or ((0.0, 1.0),))


def _wave(amplitude: float, frequency: float, direction: float, phase: float) -> Wave:
    number = frequency**2 / STANDARD_GRAVITY
    return Wave(amplitude, number * cos(direction), number * sin(direction), frequency, phase)
