"""The anchor of the vessel's park mode: a spring and a damper between the vessel and the point
where the anchor was dropped."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from volition.vessel.parameters import Anchor

__all__ = ["DroppedAnchor"]


@dataclass(frozen=True)
class DroppedAnchor:
    """An anchor that was dropped at the position ``north``, ``east``."""

    anchor: Anchor
    north: float
    east: float

    def pull(
        self, north: float, east: float, to_north: float, to_east: float, yaw_rate: float
    ) -> tuple[float, float, float]:
        """Return the force of the anchor on the vessel towards north and east, limited by the
        strength of the anchor, and its yaw moment. The arguments are the position, velocity and yaw
        rate of the vessel."""
        anchor = self.anchor
        x = anchor.stiffness * (self.north - north) - anchor.damping * to_north
        y = anchor.stiffness * (self.east - east) - anchor.damping * to_east
        force = hypot(x, y)
        if force > anchor.strength:
            x, y = x * anchor.strength / force, y * anchor.strength / force
        return x, y, -anchor.yaw_damping * yaw_rate
