"""The hull in still water.  The figures are those of an independent prototype, or closed forms; the
tolerances are the specification's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import degrees, hypot, log2, pi, radians, sqrt
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from tests.vessel.motion import (
    HULL,
    SLOTS,
    Motion,
    crossings,
    displaced,
    mean_period,
    moved,
    peaks,
    speed,
    values,
)
from volition.vessel.anchor import DroppedAnchor
from volition.vessel.dynamics import Capsized, Derivatives, Dynamics, at_rest, submerged_volume
from volition.vessel.parameters import SEA_STATES, Anchor, Hull
from volition.vessel.waves import STILL, Sea, irregular_sea

STILL_WATER = Dynamics(HULL)
CRUISING = 56.475
"""The thrust, in newtons, that drives the vessel at 1.5 m/s."""


def test_the_vessel_floats_at_its_draft() -> None:
    volume = submerged_volume(HULL)
    draft = brentq(lambda below: HULL.mass - HULL.water_density * volume(below), 0.05, 0.35)
    assert draft == pytest.approx(80 / 1025 / 0.4, abs=1e-6)  # 0.19512 m
    later = [
        state[2]
        for time, state in moved(STILL_WATER, displaced(draft=0.10 - draft), 63)
        if time >= 60
    ]
    assert np.mean(later) == pytest.approx(draft, abs=0.002)


def test_the_displaced_volume_has_no_steps() -> None:
    volume = submerged_volume(HULL)
    assert volume(-0.1) == volume(0.0) == 0.0
    assert volume(HULL.depth) == volume(1.0)
    edge, small = HULL.draft, 1e-7
    slopes = [
        (volume(edge + small) - volume(edge)) / small,
        (volume(edge) - volume(edge - small)) / small,
    ]
    assert slopes == pytest.approx([HULL.waterplane] * 2, rel=1e-4)


@pytest.mark.parametrize(
    ("hull", "roll", "pitch", "heave"),
    [(HULL, 0.837, 0.639, 0.652), (replace(HULL, added_mass="otter"), 0.918, 0.823, 0.847)],
    ids=["none", "otter"],
)
def test_periods(hull: Hull, roll: float, pitch: float, heave: float) -> None:
    dynamics = Dynamics(hull)
    rolling = moved(dynamics, displaced(roll=radians(5)), 5, step=0.02)
    assert mean_period(crossings(rolling, "roll")) == pytest.approx(roll, rel=0.01)
    pitching = moved(dynamics, displaced(pitch=radians(3)), 4, step=0.02)
    assert mean_period(crossings(pitching, "pitch")) == pytest.approx(pitch, rel=0.01)
    heaving = crossings(
        moved(dynamics, displaced(draft=0.02), 2, step=0.02), "draft", context=HULL.draft
    )
    assert heaving[2] - heaving[0] == pytest.approx(heave, rel=0.01)


def test_undamped_periods() -> None:
    """The parameters themselves: 2π√(I/K)."""
    stiffness = HULL.water_density * HULL.gravity * HULL.waterplane
    found = [
        2 * pi * sqrt(each)
        for each in (
            HULL.inertia_x / HULL.roll_restoring,
            HULL.inertia_y / HULL.pitch_restoring,
            HULL.mass / stiffness,
        )
    ]
    assert found == pytest.approx([0.825, 0.585, 0.647], rel=0.01)


def test_roll_and_heave_decay() -> None:
    rolling = peaks(moved(STILL_WATER, displaced(roll=radians(5)), 3, step=0.02), "roll")
    assert [degrees(each) for each in rolling[:3]] == pytest.approx([1.129, 0.296, 0.080], rel=0.03)
    heaving = peaks(
        moved(STILL_WATER, displaced(draft=0.02), 7, step=0.02), "draft", context=HULL.draft
    )
    assert [1000 * heaving[each] for each in (0, 1, 4, 9)] == pytest.approx(
        [15.94, 13.25, 8.80, 5.65], rel=0.03
    )


@pytest.mark.parametrize(
    ("thrust", "expected"), [(25.1, 1.000), (CRUISING, 1.500), (239.0, 3.086), (-133.0, -2.302)]
)
def test_terminal_speed(thrust: float, expected: float) -> None:
    _, state = moved(STILL_WATER, at_rest(HULL), 60, thrust=thrust)[-1]
    assert state[6] == pytest.approx(expected, rel=0.001)


def test_acceleration_and_coasting() -> None:
    faster = moved(STILL_WATER, at_rest(HULL), 5, step=0.02, thrust=CRUISING)
    times = [
        next(time for time, state in faster if state[6] >= share * 1.5) for share in (0.632, 0.95)
    ]
    assert times == pytest.approx([1.60, 3.90], rel=0.02)
    slower = moved(STILL_WATER, displaced(u=1.5), 60)
    exact = [1.5 / (1 + 1.5 * HULL.drag_surge * time / HULL.mass) for time in (10, 30, 60)]
    assert exact == pytest.approx([0.2629, 0.0992, 0.0513], abs=5e-5)
    assert [slower[20 * time][1][6] for time in (10, 30, 60)] == pytest.approx(exact, rel=0.001)


def radius(thrust: float, rudder: float) -> float:
    _, state = moved(
        STILL_WATER,
        displaced(u=sqrt(thrust / HULL.drag_surge)),
        60,
        thrust=thrust,
        rudder=radians(rudder),
    )[-1]
    return speed(state) / abs(state[11])


def test_the_turn() -> None:
    turning = moved(STILL_WATER, displaced(u=1.5), 60, thrust=CRUISING, rudder=radians(30))
    _, steady = turning[-1]
    assert [speed(steady), steady[6], steady[7], degrees(steady[11])] == pytest.approx(
        [1.411, 1.347, -0.419, 18.64], rel=0.01
    )
    assert speed(steady) / steady[11] == pytest.approx(4.34, rel=0.02)
    quarter, half, full = (
        next((t, s) for t, s in turning if s[5] >= radians(angle)) for angle in (90, 180, 360)
    )
    assert [quarter[1][0], half[1][1], full[0]] == pytest.approx([5.42, 8.54, 19.2], rel=0.02)


def test_the_radius_depends_on_the_rudder_alone() -> None:
    assert [radius(CRUISING, 15), radius(CRUISING, 5), radius(239, 30)] == pytest.approx(
        [5.74, 10.08, 4.34], rel=0.02
    )


def test_energy_never_grows() -> None:
    start = displaced(draft=0.05, roll=0.2, pitch=0.1, u=1.5, v=0.5, p=0.3, r=0.5)
    energies = [STILL_WATER.energy(state) for _, state in moved(STILL_WATER, start, 60)]
    assert energies[0] == pytest.approx(143.78, rel=0.01)
    assert energies[-1] == pytest.approx(0.109, rel=0.01)
    assert max(after - before for before, after in pairwise(energies)) <= 1e-9


def rotation(dynamics: Dynamics) -> tuple[float, float]:
    """How much the angular momentum and the energy of a rotation without forces change at most, in
    parts."""
    state = tuple(
        0.1
        if name in ("roll", "pitch", "heading")
        else {"p": 0.8, "q": 0.6, "r": 0.9}.get(name, 0.0)
        for name in SLOTS
    )
    tensor = np.array(
        [
            [HULL.inertia_x, 0, HULL.inertia_xz],
            [0, HULL.inertia_y, 0],
            [HULL.inertia_xz, 0, HULL.inertia_z],
        ]
    )
    rates = np.array([state[9:] for _, state in moved(dynamics, state, 10, step=0.01)])
    momenta = np.linalg.norm(rates @ tensor, axis=1)
    energies = np.einsum("ti,ij,tj->t", rates, tensor, rates) / 2
    return float(np.abs(momenta / momenta[0] - 1).max()), float(
        np.abs(energies / energies[0] - 1).max()
    )


def test_a_free_rotation_keeps_momentum_and_energy() -> None:
    assert max(rotation(Dynamics(HULL, forces=False))) < 1e-9


def test_the_printed_rotation_does_not() -> None:
    """App. A.1 with the inertia of A.2: each term with a product of inertia has the wrong sign."""
    assert rotation(Dynamics(HULL, forces=False, as_printed=True)) == pytest.approx(
        (0.052, 0.059), rel=0.02
    )


def test_the_anchor() -> None:
    dropped = moved(
        STILL_WATER, displaced(u=1.5), 60, step=0.02, anchor=DroppedAnchor(Anchor(), 0.0, 0.0)
    )
    assert max(values(dropped, "north")) == pytest.approx(0.69, rel=0.02)
    settled = [
        max(time for time, state in dropped if speed(state) >= limit) for limit in (0.2, 0.05)
    ]
    assert settled == pytest.approx([0.96, 6.44], rel=0.02, abs=0.02)
    assert hypot(*dropped[-1][1][:2]) < 1e-9


def test_an_anchor_holds_no_more_than_it_can() -> None:
    pull = DroppedAnchor(Anchor(strength=400.0), 0.0, 0.0).pull(300.0, 400.0, 0.0, 0.0, 0.5)
    assert pull == pytest.approx((-240.0, -320.0, -20.0))


def test_a_vessel_that_capsizes_says_so() -> None:
    with pytest.raises(Capsized, match="pitched by"):
        moved(STILL_WATER, displaced(q=60.0), 2)


# --- the step of the integration ------------------------------------------------------------------

SEA_5 = irregular_sea(SEA_STATES[5].height, SEA_STATES[5].period, 0.0, Random("the step"))


def manoeuvre(dynamics: Dynamics, step: float) -> tuple[float, float]:
    """A minute at cruising thrust with the rudder put over in the middle third."""
    motion: Motion = [(0.0, at_rest(HULL))]
    state = motion[0][1]
    for number in range(round(60 / step)):
        time = number * step
        state = dynamics.step(state, time, step, thrust=CRUISING, rudder=rudder_at(time + step / 2))
    return state[0], state[1]


def rudder_at(time: float) -> float:
    return radians(15) if 20 < time < 40 else 0.0


def right_hand_side(
    equations: Derivatives, time: float, state: NDArray[np.float64]
) -> Sequence[float]:
    return equations(state.tolist(), time)


def exact_manoeuvre(dynamics: Dynamics) -> tuple[float, float]:
    """By an integrator of eighth order that controls its own step."""
    state = np.array(at_rest(HULL))
    for start in (0.0, 20.0, 40.0):
        equations = partial(right_hand_side, dynamics.derivatives(CRUISING, rudder_at(start + 1)))
        solution = solve_ivp(
            equations, (start, start + 20), state, method="DOP853", rtol=1e-11, atol=1e-12
        )
        state = solution.y[:, -1]
    return float(state[0]), float(state[1])


@pytest.mark.parametrize(("sea", "allowed"), [(STILL, 1e-3), (SEA_5, 1e-2)], ids=["still", "sea 5"])
def test_the_step_is_small_enough(sea: Sea, allowed: float) -> None:
    dynamics = Dynamics(HULL, sea)
    exact = exact_manoeuvre(dynamics)
    error = {
        step: hypot(*(a - b for a, b in zip(manoeuvre(dynamics, step), exact, strict=True)))
        for step in (0.1, 0.05, 0.025)
    }
    assert error[0.05] <= allowed
    if sea is STILL:
        assert log2(error[0.1] / error[0.025]) / 2 >= 3.5
