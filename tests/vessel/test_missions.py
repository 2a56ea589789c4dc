"""Whole missions: how long they take, how far they lead, what they see, and how near they come to
the obstacles.

The figures are of an independent prototype with another planner near obstacles and other random
numbers, the tolerances those of the specification.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from tests.vessel.scripted import Gaps, ScriptedAgent, Voyage
from volition.vessel.mission import Mission, SeaConditions, Sensor
from volition.vessel.operator import OperatorModel

CALM = SeaConditions(heights=((0.0, 0.3),))
STORM = SeaConditions(heights=((0.0, 0.3), (200.0, 0.3), (260.0, 2.0), (400.0, 2.0), (460.0, 0.3)))
STILL = Mission()
CHOPPY = replace(STILL, sea=CALM)
DROPOUTS = replace(CHOPPY, sensor=Sensor(dropout_every=200.0))
LATE = OperatorModel(script=((250.0, "continue"),))
REFUSED = OperatorModel(script=((5.0, "abort"),))


def is_safe(voyage: Voyage) -> bool:
    return voyage.min_distance >= 1.5 and (voyage.outcome == "aborted" or voyage.coverage >= 0.999)


@pytest.mark.parametrize(
    ("mission", "outcome", "cycles", "path"),
    [
        (STILL, "complete", 1678, 2326),
        pytest.param(CHOPPY, "complete", 1679, 2331, marks=pytest.mark.soak),
        pytest.param(replace(STILL, sea=STORM), "complete", 1689, 2343, marks=pytest.mark.soak),
        (replace(STILL, sea=STORM, operator=LATE), "complete", 1940, 2415),
        (replace(STILL, sea=STORM, operator=REFUSED), "aborted", 274, 388),
    ],
    ids=["still", "choppy", "storm", "storm, late answer", "storm, refused"],
)
def test_missions_without_dropouts(
    mission: Mission, outcome: str, cycles: int, path: float
) -> None:
    voyage = ScriptedAgent(mission, seed=1).sail()
    assert voyage.outcome == outcome
    assert (voyage.cycles, voyage.path) == pytest.approx((cycles, path), rel=0.05)
    assert voyage.properties == (1 if mission.sea is STORM else 0), "a storm is one question"
    assert is_safe(voyage)


def test_a_waypoint_is_held_long_enough() -> None:
    """Plan 2 of the agent needs two cycles, and its consequence one more."""
    agent = ScriptedAgent(STILL)
    agent.sail(500)
    stays = [
        before
        for before, after in zip(agent.stays, agent.stays[1:], strict=False)
        if before and not after
    ]
    assert min(stays) >= 4


@cache
def with_dropouts(gaps: Gaps, seed: int) -> Voyage:
    voyage = ScriptedAgent(DROPOUTS, seed=seed, gaps=gaps).sail()
    assert voyage.outcome == "complete"
    assert is_safe(voyage)
    return voyage


@pytest.mark.parametrize("gaps", ["at once", pytest.param("later", marks=pytest.mark.soak)])
def test_gaps_are_seen_in_the_end(gaps: Gaps) -> None:
    assert with_dropouts(gaps, 2).coverage >= 0.999


@pytest.mark.soak
def test_missions_with_dropouts() -> None:
    at_once, later = (
        [with_dropouts(gaps, seed) for seed in range(1, 11)] for gaps in ("at once", "later")
    )
    assert sum(each.cycles for each in at_once) / 10 == pytest.approx(1879, rel=0.1)
    assert sum(each.path for each in at_once) / 10 == pytest.approx(2596, rel=0.1)
    assert sum(each.cycles for each in later) / 10 == pytest.approx(1584, rel=0.1)
    assert sum(each.path for each in later) / 10 == pytest.approx(2202, rel=0.1)
