"""The sea, and the hull in it."""

from __future__ import annotations

from math import degrees, hypot, pi, radians, sqrt
from random import Random

import numpy as np
import pytest

from tests.vessel.motion import HULL, displaced, moved, values
from volition.vessel.control import angle_between, rudder_for
from volition.vessel.dynamics import Dynamics, at_rest
from volition.vessel.parameters import SEA_STATES
from volition.vessel.waves import STILL, Sea, irregular_sea, regular_sea


@pytest.mark.parametrize("state", SEA_STATES)
def test_the_sum_has_the_energy_of_the_sea_state(state: object) -> None:
    height, period = state.height, state.period  # type: ignore[attr-defined]
    sea = irregular_sea(height, period, 0.0, Random(1))
    assert sum(wave.amplitude**2 / 2 for wave in sea.waves) == pytest.approx(
        height**2 / 16, rel=1e-12, abs=1e-15
    )
    assert sea.height(17.0) == pytest.approx(height, rel=1e-12, abs=1e-15)
    for wave in sea.waves:  # deep water, within 20 degrees of the main direction
        assert wave.number == pytest.approx(wave.frequency**2 / 9.81)
        assert abs(np.arctan2(wave.east, wave.north)) <= radians(20) + 1e-12


def test_frequencies_are_quantiles_of_the_spectrum() -> None:
    """Of Pierson and Moskowitz: the part of the energy below ω is exp(-1.25 (ω_p/ω)⁴)."""
    sea = irregular_sea(1.0, 5.0, 0.0, Random(1))
    below = [np.exp(-1.25 * (2 * pi / 5 / wave.frequency) ** 4) for wave in sea.waves]
    assert below == pytest.approx([(number - 0.5) / 12 for number in range(1, 13)])


def test_slopes_and_curvature_are_derivatives_of_the_elevation() -> None:
    """But for the average over the hull, which waves that are long do not feel."""
    sea = irregular_sea(1.0, 60.0, 0.4, Random(5))
    felt, small, heading = sea.averaged_over(HULL), 0.5, 0.7
    ahead = np.array([np.cos(heading), np.sin(heading)])
    starboard = np.array([-np.sin(heading), np.cos(heading)])

    def elevation(along: float, across: float) -> float:
        north, east = np.array([30.0, -20.0]) + along * ahead + across * starboard
        return felt(float(north), float(east), heading, 12.0)[0]

    _, slope_ahead, slope_starboard, mixed = felt(30.0, -20.0, heading, 12.0)
    assert slope_ahead == pytest.approx(
        (elevation(small, 0) - elevation(-small, 0)) / (2 * small), rel=1e-3
    )
    assert slope_starboard == pytest.approx(
        (elevation(0, small) - elevation(0, -small)) / (2 * small), rel=1e-3
    )
    corners = (
        elevation(small, small)
        - elevation(small, -small)
        - elevation(-small, small)
        + elevation(-small, -small)
    )
    assert mixed == pytest.approx(corners / (4 * small**2), rel=1e-3)


def test_a_hull_does_not_feel_waves_shorter_than_itself() -> None:
    felt = regular_sea(1.0, sqrt(2 * pi * HULL.length / 9.81)).averaged_over(
        HULL
    )  # as long as the hull
    assert abs(felt(0.3, 0.0, 0.0, 0.0)[0]) < 1e-12


def test_the_height_follows_its_profile() -> None:
    sea = irregular_sea(1.0, 5.0, 0.0, Random(1), profile=[(0, 0.3), (200, 0.3), (260, 2.0)])
    assert [sea.height(time) for time in (0, 100, 230, 260, 999)] == pytest.approx(
        [0.3, 0.3, 1.15, 2.0, 2.0]
    )
    assert Sea(sea.waves, [(50, 0.5), (60, 1.0)]).height(10) == pytest.approx(0.5)
    assert STILL.averaged_over(HULL)(1.0, 2.0, 3.0, 4.0) == (0.0, 0.0, 0.0, 0.0)


def test_the_same_seed_is_the_same_sea() -> None:
    one, same, other = (irregular_sea(1.0, 5.0, 0.0, Random(seed)) for seed in (1, 1, 2))
    assert one.waves == same.waves
    assert one.waves != other.waves


@pytest.mark.parametrize(
    ("period", "amplitude", "heave", "pitch"),
    [(4, 0.15, 0.993, 2.12), (2, 0.05, 0.887, 2.33), (1, 0.02, 0.232, 0.73)],
)
def test_a_regular_wave(period: float, amplitude: float, heave: float, pitch: float) -> None:
    """The second half of a minute: what is left of the beginning decays slowly."""
    motion = moved(Dynamics(HULL, regular_sea(amplitude, period)), at_rest(HULL), 60)[600:]
    drafts, angles = values(motion, "draft"), values(motion, "pitch")
    assert (max(drafts) - min(drafts)) / 2 / amplitude == pytest.approx(heave, rel=0.03)
    assert degrees(max(angles) - min(angles)) / 2 == pytest.approx(pitch, rel=0.03)


@pytest.mark.parametrize(("number", "roll"), [(2, 3.2), (3, 4.5), (4, 5.7)])
def test_roll_in_beam_seas(number: int, roll: float) -> None:
    """At 1.5 m/s towards north, waves towards east; the helm keeps the heading."""
    state = SEA_STATES[number]
    dynamics = Dynamics(HULL, irregular_sea(state.height, state.period, pi / 2, Random("beam")))
    now, angles = displaced(u=1.5), []
    for step in range(3000):
        thrust = 56.475 + 80 * (1.5 - now[6])
        now = dynamics.step(
            now,
            step * 0.05,
            0.05,
            thrust=thrust,
            rudder=max(-0.52, min(0.52, rudder_for(angle_between(0, now[5]), now[11]))),
        )
        angles.append(degrees(now[3]))
    assert hypot(now[0], now[1]) > 150
    assert float(np.std(angles[400:])) == pytest.approx(roll, rel=0.25)
