"""Motor and rudder of the vessel: how thrust and rudder angle follow their commands."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, radians

from volition.vessel.parameters import Propulsion

__all__ = ["Actuators", "clamped"]


def clamped(value: float, minimum: float, maximum: float) -> float:
    """Return the value, limited to the range from ``minimum`` to ``maximum``."""
    return minimum if value < minimum else maximum if value > maximum else value


@dataclass(slots=True)
class Actuators:
    """Motor and rudder with limits: the thrust follows its command with a first-order lag, the
    rudder at a limited rate."""

    limits: Propulsion
    thrust: float = 0.0
    rudder: float = 0.0

    def follow(self, thrust: float, rudder: float, seconds: float) -> None:
        """Follow a command for a number of seconds. The lag is computed exactly, so the result does
        not depend on the step size."""
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
