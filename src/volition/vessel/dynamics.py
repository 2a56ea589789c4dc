"""Motion of the vessel: a rigid body with six degrees of freedom in water (Izzo, App. A.1, Eq. A.1
to A.6).

There are three differences from the thesis, for the reasons in docs/explanation/vessel.md:

- The rows of Eq. A.1 for rotation expect products of inertia, but Eq. A.2 defines the elements of
  the inertia tensor. The two have opposite signs. This module uses the tensor, with the signs that
  it needs.
- Buoyancy acts along the vertical and not along the body's axis.
- The sea surface enters through its elevation and slopes, which Eq. A.6 leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import atan, cos, degrees, radians, sin

from volition.vessel.anchor import DroppedAnchor
from volition.vessel.parameters import Hull
from volition.vessel.waves import STILL, HullSurface, Sea

__all__ = ["Capsized", "Derivatives", "Dynamics", "State", "at_rest", "submerged_volume"]

State = Sequence[float]
"""State of the vessel's motion, twelve values: north, east, draft, roll, pitch, heading; then
velocities forward, to starboard and down, and the rates of roll, pitch and yaw."""

Derivatives = Callable[[State, float], State]

CAPSIZED = radians(80)


class Capsized(ArithmeticError):
    """Error for a vessel that pitched beyond 80 degrees, where Euler angles become singular."""


def at_rest(hull: Hull, *, north: float = 0.0, east: float = 0.0, heading: float = 0.0) -> State:
    """Return the state of a vessel that floats at rest in still water."""
    return (north, east, hull.draft, 0.0, 0.0, heading, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def submerged_volume(hull: Hull) -> Callable[[float], float]:
    """Return the submerged volume V̄ of Izzo, Eq. A.5, as a function of the draft. It has the
    hull's displacement at rest, the hull's waterplane area, and a continuous slope."""
    displacement, draft, waterplane, depth = (
        hull.displacement,
        hull.draft,
        hull.waterplane,
        hull.depth,
    )
    power = waterplane * draft / displacement
    all_of_it = displacement + waterplane * (depth - draft)

    def volume(below: float) -> float:
        if below <= 0:
            return 0.0
        if below <= draft:
            return float(displacement * (below / draft) ** power)
        return displacement + waterplane * (below - draft) if below < depth else all_of_it

    return volume


class Dynamics:
    """The equations of motion of one hull in one sea, and their integration by the classical
    Runge-Kutta method.

    ``as_printed`` uses the rotational rows of Izzo, Eq. A.1, with the inertia of Eq. A.2. These are
    inconsistent: a force-free rotation then gains and loses energy.
    """

    def __init__(
        self, hull: Hull, sea: Sea = STILL, *, as_printed: bool = False, forces: bool = True
    ) -> None:
        self.hull = hull
        self.sea = sea
        self._surface: HullSurface = sea.averaged_over(hull)
        self._as_printed = as_printed
        self._forces = forces
        self._volume = submerged_volume(hull)
        self._derivatives = self._equations()

    def derivatives(
        self, thrust: float = 0.0, rudder: float = 0.0, anchor: DroppedAnchor | None = None
    ) -> Derivatives:
        """Return the right-hand side of the equations of motion, a function of state and time, for
        constant thrust, rudder angle and anchor."""
        equations = self._derivatives
        deflection = cos(rudder) * sin(rudder)
        return lambda state, time: equations(state, time, thrust, deflection, anchor)

    def step(
        self,
        state: State,
        time: float,
        seconds: float,
        *,
        thrust: float = 0.0,
        rudder: float = 0.0,
        anchor: DroppedAnchor | None = None,
    ) -> State:
        """Return the state ``seconds`` later, by one Runge-Kutta step of fourth order. Raise
        :class:`Capsized` if the vessel pitches beyond 80 degrees."""
        equations = self._derivatives
        deflection = cos(rudder) * sin(rudder)
        half, middle = seconds / 2, time + seconds / 2
        first = equations(state, time, thrust, deflection, anchor)
        second = equations(
            [a + half * b for a, b in zip(state, first)],  # noqa: B905
            middle,
            thrust,
            deflection,
            anchor,
        )
        third = equations(
            [a + half * b for a, b in zip(state, second)],  # noqa: B905
            middle,
            thrust,
            deflection,
            anchor,
        )
        fourth = equations(
            [a + seconds * b for a, b in zip(state, third)],  # noqa: B905
            time + seconds,
            thrust,
            deflection,
            anchor,
        )
        sixth = seconds / 6
        after = tuple(
            [
                s + sixth * (a + 2 * (b + c) + d)
                for s, a, b, c, d in zip(state, first, second, third, fourth)  # noqa: B905
            ]
        )
        if not -CAPSIZED < after[4] < CAPSIZED:
            raise Capsized(
                f"the vessel capsized: it pitched by {degrees(after[4]):.0f} degrees at "
                f"{time + seconds:.2f} s"
            )
        return after

    def energy(self, state: State) -> float:
        """Return the kinetic and potential energy of a state, relative to rest in still water."""
        hull = self.hull
        _, _, below, roll, pitch, _, u, v, w, p, q, r = state
        a, b, c, d, e, f = hull.added
        kinetic = (
            (hull.mass + a) * u * u
            + (hull.mass + b) * v * v
            + (hull.mass + c) * w * w
            + (hull.inertia_x + d) * p * p
            + (hull.inertia_y + e) * q * q
            + (hull.inertia_z + f) * r * r
            + 2 * hull.inertia_xz * p * r
        ) / 2
        lifted = (
            hull.water_density
            * hull.gravity
            * (_volume_integral(hull, below) - _volume_integral(hull, hull.draft))
        )
        sunk = hull.mass * hull.gravity * (below - hull.draft)
        return (
            kinetic
            + lifted
            - sunk
            + hull.roll_restoring * (1 - cos(roll))
            + hull.pitch_restoring * (1 - cos(pitch))
        )

    def _equations(self) -> Callable[..., State]:
        """Return the right-hand side of the equations of motion with all constants precomputed. It
        is evaluated four times per step and therefore uses plain floats only."""
        hull = self.hull
        mass, inertia_x, inertia_y, inertia_z = (
            hull.mass,
            hull.inertia_x,
            hull.inertia_y,
            hull.inertia_z,
        )
        cross = -hull.inertia_xz if self._as_printed else hull.inertia_xz
        added_u, added_v, added_w, added_p, added_q, added_r = hull.added
        mass_u, mass_v, mass_w = mass + added_u, mass + added_v, mass + added_w
        total_p, total_q, total_r = inertia_x + added_p, inertia_y + added_q, inertia_z + added_r
        determinant = total_p * total_r - cross * cross
        weight = mass * hull.gravity
        twist = weight * hull.length**2 / 12
        buoyancy = hull.water_density * hull.gravity
        volume, felt, acts = self._volume, self._surface, self._forces
        k_u, k_v, k_w, k_vr, k_r, k_rudder = (
            hull.drag_surge,
            hull.drag_sway,
            hull.drag_heave,
            hull.sway_yaw,
            hull.yaw_drag,
            hull.rudder,
        )
        k_p1, k_p2, k_p3 = hull.roll_friction, hull.roll_drag, hull.roll_restoring
        k_q1, k_q2, k_q3 = hull.pitch_friction, hull.pitch_drag, hull.pitch_restoring

        def right_hand_side(
            state: State,
            time: float,
            thrust: float,
            deflection: float,
            anchor: DroppedAnchor | None,
        ) -> State:
            north, east, below, roll, pitch, heading, u, v, w, p, q, r = state
            sin_roll, cos_roll, sin_pitch, cos_pitch = sin(roll), cos(roll), sin(pitch), cos(pitch)
            sin_yaw, cos_yaw = sin(heading), cos(heading)
            # Rotation from body axes to north-east-down axes, row by row.
            n_u, n_v, n_w = (
                cos_yaw * cos_pitch,
                cos_yaw * sin_pitch * sin_roll - sin_yaw * cos_roll,
                cos_yaw * sin_pitch * cos_roll + sin_yaw * sin_roll,
            )
            e_u, e_v, e_w = (
                sin_yaw * cos_pitch,
                sin_yaw * sin_pitch * sin_roll + cos_yaw * cos_roll,
                sin_yaw * sin_pitch * cos_roll - cos_yaw * sin_roll,
            )
            d_v, d_w = cos_pitch * sin_roll, cos_pitch * cos_roll
            to_north = n_u * u + n_v * v + n_w * w
            to_east = e_u * u + e_v * v + e_w * w
            x = y = z = k = m = n = 0.0
            if acts:
                elevation, ahead, starboard, mixed = felt(north, east, heading, time)
                down = weight - buoyancy * volume(below + elevation)
                x = thrust - k_u * u * abs(u) - weight * ahead - sin_pitch * down
                y = -k_v * v * abs(v) - weight * starboard + d_v * down
                z = -k_w * w * abs(w) + d_w * down
                k = -k_p1 * p - k_p2 * p * abs(p) - k_p3 * sin(roll + atan(starboard))
                m = -k_q1 * q - k_q2 * q * abs(q) - k_q3 * sin(pitch - atan(ahead))
                n = (
                    -k_vr * v * abs(v)
                    - k_r * r * abs(r)
                    + k_rudder * u * abs(u) * deflection
                    - twist * mixed
                )
                if anchor is not None:
                    pull_north, pull_east, turning = anchor.pull(north, east, to_north, to_east, r)
                    x += n_u * pull_north + e_u * pull_east
                    y += n_v * pull_north + e_v * pull_east
                    z += n_w * pull_north + e_w * pull_east
                    n += turning
            # Momenta: d/dt P + ω×P = F and d/dt H + ω×H + v×P = M. Without added mass, v×P is 0.
            # The yaw part of v×P is left out, as in the model of the Otter.
            p_u, p_v, p_w = mass_u * u, mass_v * v, mass_w * w
            h_p, h_q, h_r = total_p * p + cross * r, total_q * q, total_r * r + cross * p
            k += r * h_q - q * h_r + p_v * w - p_w * v
            m += p * h_r - r * h_p + p_w * u - p_u * w
            n += q * h_p - p * h_q
            spin = q * sin_roll + r * cos_roll
            return (
                to_north,
                to_east,
                d_v * v + d_w * w - sin_pitch * u,
                p + spin * sin_pitch / cos_pitch,
                q * cos_roll - r * sin_roll,
                spin / cos_pitch,
                (x + r * p_v - q * p_w) / mass_u,
                (y + p * p_w - r * p_u) / mass_v,
                (z + q * p_u - p * p_v) / mass_w,
                (total_r * k - cross * n) / determinant,
                m / total_q,
                (total_p * n - cross * k) / determinant,
            )

        return right_hand_side


def _volume_integral(hull: Hull, below: float) -> float:
    """Return the integral of the submerged volume V̄ (:func:`submerged_volume`) over the draft,
    from 0 to ``below``, in closed form."""
    power = hull.waterplane * hull.draft / hull.displacement
    if below <= 0:
        return 0.0
    if below <= hull.draft:
        return float(
            hull.displacement * hull.draft / (power + 1) * (below / hull.draft) ** (power + 1)
        )
    upper = min(below, hull.depth) - hull.draft
    to_deck = (
        _volume_integral(hull, hull.draft)
        + hull.displacement * upper
        + hull.waterplane * upper**2 / 2
    )
    return to_deck + max(0.0, below - hull.depth) * submerged_volume(hull)(hull.depth)
