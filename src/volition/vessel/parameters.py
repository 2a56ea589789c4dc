"""Physical constants of the vessel and the sea: hull, motor, rudder, anchor, and sea states.

Izzo's thesis prints the equations (App. A.1) but no constants. The constants in this module are
those of the Otter, a small catamaran of Maritime Robotics with published data, or our own where the
data has none. docs/explanation/vessel.md gives a source for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "SEA_STATES",
    "STANDARD_GRAVITY",
    "Anchor",
    "Hull",
    "Propulsion",
    "SeaState",
    "hull_errors",
]

STANDARD_GRAVITY = 9.81
BLOCK_COEFFICIENT = 0.4
PONTOON_BEAM = 0.25


@dataclass(frozen=True, kw_only=True)
class Hull:
    """The hull of the vessel, a rigid body in water. Units are SI, body axes point forward, to
    starboard and down (Izzo, App. A.1 and A.2).

    ``inertia_xz`` is the element of the inertia tensor, not the product of inertia, which has the
    opposite sign. The thesis neglects added mass; ``added_mass`` ``"otter"`` adds that of the
    Otter's model.
    """

    mass: float = 80.0
    length: float = 2.0
    beam: float = 1.08
    depth: float = 0.40
    """Height of the hull in metres: at a greater draft the hull displaces no more water."""
    waterplane: float = 0.75
    water_density: float = 1025.0
    gravity: float = STANDARD_GRAVITY
    inertia_x: float = 16.68
    inertia_y: float = 21.20
    inertia_z: float = 14.79
    inertia_xz: float = 1.87
    drag_surge: float = 25.1
    drag_sway: float = 200.0
    drag_heave: float = 380.0
    roll_friction: float = 50.8
    roll_drag: float = 24.0
    roll_restoring: float = 967.0
    pitch_friction: float = 182.0
    pitch_drag: float = 96.0
    pitch_restoring: float = 2442.0
    sway_yaw: float = -27.5
    """Coefficient K_ηψ of Izzo, App. A.1. It is negative if the lateral centre is aft of the centre
    of gravity, which turns the bow into the direction of motion."""
    yaw_drag: float = 400.0
    rudder: float = 60.0
    added_mass: Literal["none", "otter"] = "none"

    @property
    def displacement(self) -> float:
        """The volume of water that weighs as much as the vessel."""
        return self.mass / self.water_density

    @property
    def draft(self) -> float:
        """The draft of the keel at rest in still water, for two pontoons with the Otter's block
        coefficient."""
        return self.displacement / (2 * BLOCK_COEFFICIENT * PONTOON_BEAM * self.length)

    @property
    def added(self) -> tuple[float, float, float, float, float, float]:
        """The diagonal of the added mass matrix. Its ratios to mass and inertia are those of the
        Otter's model, which multiplies the mass of the bare hull, 55 of 80 kg."""
        if self.added_mass == "none":
            return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        bare = self.mass * 55 / 80
        return (
            0.1 * bare,
            1.5 * bare,
            bare,
            0.2 * self.inertia_x,
            0.8 * self.inertia_y,
            1.7 * self.inertia_z,
        )


@dataclass(frozen=True, kw_only=True)
class Propulsion:
    """Limits of the vessel's motor and rudder, in newtons, seconds and degrees."""

    thrust_astern: float = 133.0
    thrust_ahead: float = 239.0
    thrust_lag: float = 1.0
    rudder_limit: float = 30.0
    rudder_rate: float = 20.0


@dataclass(frozen=True, kw_only=True)
class Anchor:
    """Constants of the vessel's anchor, which is a spring and a damper. A rigid anchor would need
    infinite force to hold a position in waves."""

    stiffness: float = 40.0
    damping: float = 113.0
    yaw_damping: float = 40.0
    strength: float = 400.0


@dataclass(frozen=True)
class SeaState:
    """A sea state: significant wave height in metres and peak period in seconds."""

    height: float
    period: float


SEA_STATES = (
    SeaState(0.0, 1.0),
    SeaState(0.05, 2.0),
    SeaState(0.30, 3.5),
    SeaState(0.88, 5.0),
    SeaState(1.88, 6.5),
    SeaState(3.25, 8.0),
    SeaState(5.0, 9.7),
)
"""Sea states by their WMO code: the middle of the code's range of wave heights, and a period as in
short coastal seas. Code 0 has no waves."""


def hull_errors(hull: Hull) -> Iterator[tuple[str, str]]:
    """Yield the physically impossible properties of a hull: for each the field, and what is wrong
    with its value."""
    for name in ("mass", "length", "beam", "depth", "waterplane", "water_density", "gravity"):
        if getattr(hull, name) <= 0:
            yield name, "must be more than 0"
    for name in _NOT_NEGATIVE:
        if getattr(hull, name) < 0:
            yield name, "must not be negative: it would feed energy into the vessel"
    if not (
        hull.inertia_y > 0
        and hull.inertia_x > 0
        and hull.inertia_x * hull.inertia_z > hull.inertia_xz**2
    ):
        yield "inertia_xz", "makes an inertia tensor that is not positive definite"
    if hull.sway_yaw and hull.drag_sway == 0:
        yield (
            "sway_yaw",
            "must be 0 without 'drag_sway': the coupling would feed energy into the vessel",
        )
    if hull.drag_sway > 0:
        minimum = 4 / 27 * abs(hull.sway_yaw) ** 3 / hull.drag_sway**2
        if hull.yaw_drag < minimum:
            yield (
                "yaw_drag",
                f"must be at least {minimum:.4g} with this 'sway_yaw': the coupling would feed "
                "energy into the vessel",
            )
    if hull.length > 0 and hull.mass > 0 and hull.water_density > 0 and hull.depth < hull.draft:
        yield "depth", f"is less than the draft, {hull.draft:.4g} m: the vessel sinks"


_NOT_NEGATIVE = (
    "drag_surge",
    "drag_sway",
    "drag_heave",
    "roll_friction",
    "roll_drag",
    "roll_restoring",
    "pitch_friction",
    "pitch_drag",
    "pitch_restoring",
    "yaw_drag",
    "rudder",
)
