"""Percepts from numbers: hysteresis, latches, and the three rules that make them agree with the
model."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from volition.vessel.operator import Operator, OperatorModel
from volition.vessel.percepts import (
    HeaveLog,
    Observation,
    PerceptProcess,
    SampledPercept,
    Thresholds,
)

CALM = Observation(wave_height=0.3, unseen=0, legs_left=5, distance=50.0, speed=1.5, set_speed=1.5)


def test_the_heave_log_is_four_standard_deviations_of_the_last_minute() -> None:
    random, log = Random(3), HeaveLog(600)
    assert log.height == 0.0
    drafts = [0.195 + random.gauss(0, 0.2) for _ in range(2000)]
    for draft in drafts:
        log.add(draft)
    assert log.height == pytest.approx(4 * np.std(drafts[-600:]))


@given(st.lists(st.booleans(), max_size=30))
def test_a_percept_flips_once_in_a_cycle_and_keeps_pulses(values: list[bool]) -> None:
    percept = SampledPercept()
    for value in values:
        percept.observe(value)
    percept.tick()
    assert percept.held is (True in values)
    percept.tick()
    assert percept.held is (bool(values) and values[-1]), (
        "one cycle later it is what was observed last"
    )


def test_a_pulse_lasts_for_a_cycle() -> None:
    percept = SampledPercept()
    percept.observe(True)
    percept.observe(False)
    held = []
    for _ in range(3):
        percept.tick()
        held.append(percept.held)
    assert held == [True, False, False]


def test_the_sea_is_high_until_it_is_calm() -> None:
    process = PerceptProcess(Thresholds())
    held = []
    for height in (0.3, 1.2, 1.3, 1.0, 0.95, 0.89, 1.2):
        process.tick(replace(CALM, wave_height=height), latched=False)
        held.append(process.sea_too_high.held)
    assert held == [False, False, True, True, True, False, False]


def test_what_has_a_condition_begins_a_cycle_after_it() -> None:
    """The model's condition sees the beliefs of the cycle before: to begin together has probability
    0 there."""
    process = PerceptProcess(Thresholds())
    last = replace(CALM, unseen=40, legs_left=0)
    process.tick(last, latched=True)
    assert (process.at_waypoint.held, process.areas_left.held, process.last_waypoint.held) == (
        True,
        False,
        False,
    )
    process.tick(last, latched=True)
    assert (process.areas_left.held, process.last_waypoint.held) == (True, True)


def test_areas_are_left_until_they_are_seen() -> None:
    process = PerceptProcess(Thresholds())
    for _ in range(2):
        process.tick(replace(CALM, unseen=11), latched=True)
    assert process.areas_left.held
    held = []
    for unseen in (11, 5, 4, 8):
        process.tick(replace(CALM, unseen=unseen), latched=False)
        held.append(process.areas_left.held)
    assert held == [True, True, False, False]


def test_nothing_is_left_behind_away_from_waypoints() -> None:
    process = PerceptProcess(Thresholds())
    for _ in range(5):
        process.tick(replace(CALM, unseen=5000, legs_left=0), latched=False)
    assert not process.areas_left.held
    assert not process.last_waypoint.held


def test_the_optional_percepts() -> None:
    process = PerceptProcess(Thresholds())
    process.tick(replace(CALM, speed=1.0), latched=False)
    assert (process.at_desired_speed.held, process.approaching.held) == (False, False)
    process.tick(replace(CALM, speed=1.4, distance=12.0), latched=False)
    assert (process.at_desired_speed.held, process.approaching.held) == (True, True)


# --- the operator ---------------------------------------------------------------------------------


def test_answers_come_within_their_delay() -> None:
    operator = Operator(OperatorModel(delay=(3.0, 7.0), consent=0.25), Random(8))
    answers = []
    for prop in range(400):
        query = 100.0 * prop
        operator.ask(query)
        assert operator.answer(query + 2.99) is None
        assert operator.has_question
        answers.append(operator.answer(query + 7.0))
        assert not operator.has_question
    assert answers.count("continue") / 400 == pytest.approx(0.25, abs=0.09)
    assert None not in answers


def test_a_script_ends() -> None:
    operator = Operator(OperatorModel(script=((250.0, "continue"), (1.0, "abort"))), Random(8))
    operator.ask(10.0)
    operator.ask(200.0)  # the same question
    assert (operator.answer(259.9), operator.answer(260.0)) == (None, "continue")
    operator.ask(300.0)
    assert operator.answer(301.0) == "abort"
    operator.ask(400.0)
    assert operator.answer(1e9) is None
    assert operator.has_question
