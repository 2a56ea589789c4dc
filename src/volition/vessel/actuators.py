"""Motor and rudder: what is commanded, and what the vessel feels of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, radians

from volition.vessel.parameters import Propulsion

__all__ = ["Actuators", "clamped"]


def clamped(value: float, minimum: float, maximum: float) -> float:
    """The value, or the end of the range that it exceeds."""
    return minimum if value < minimum else maximum if value > maximum else value


@dataclass(slots=True)
class Actuators:
    """Thrust follows its command with a lag of first order, the rudder at a limited rate; both are
    limited."""

    limits: Propulsion
    thrust: float = 0.0
    rudder: float = 0.0

    def follow(self, thrust: float, rudder: float, seconds: float) -> None:
        """Some seconds under a command.  Exact for the lag, so that the step does not matter."""
        limits = self.limits
        requested = clamped(thrust, -limits.thrust_astern, limits.thrust_ahead)
        self.thrust += (
            (requested - self.thrust) * (1 - exp(-seconds / limits.thrust_lag))
            if limits.thrust_lag
            else requested - self.thrust
        )
        turn, maximum = radians(limits.rudder_rate) * seconds, radians(limits.rudder_limit)
        target = clamped(rudder, -maximum, maximum)
        self.rudder += clamped(target - self.rudder, -turn, turn)
