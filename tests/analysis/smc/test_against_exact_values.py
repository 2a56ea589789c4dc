"""Runs against what exploration computes, on the examples of every language with chance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

import volition
from volition.checking.explored_model import explore_for
from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.task import CheckTask
from volition.logic.syntax import Finally, Formula, Probability

EXAMPLES = Path(__file__).parents[3] / "examples"
SEEDS = (1, 2, 3)
IMPROBABLE = 1e-4
"""How unlikely a number of hits may be.  Seeds are fixed: a test that passes once passes always."""

ONE_VALUE = {
    "CAN": ("can/courier.can", "P=? [ F delivered ]"),
    "CAN, always": ("can/courier.can", "P=? [ G !delivered ]"),
    "CAN, whatever is chosen": ("can/vacuum.can", "Pmin=? [ F clean ]"),
    "CAN, the same for every strategy": ("can/breakfast.can", "Pmin=? [ F served ]"),
    "AgentSpeak, the same for every strategy": (
        "agentspeak/factory",
        "Pmax=? [ F (stamped = 2 & tries = 2) ]",
    ),
}
LONG = {
    "nested": (
        "lisa/vessel_dtmc",
        "P=? [ G<=40 (error = 0 -> F<=20 waiting_for_instructions = 1) ]",
    ),
    "until": ("lisa/vessel_dtmc", "P=? [ error = 0 U<=100 mission_complete = 1 ]"),
}


@pytest.mark.parametrize(("example", "formula"), ONE_VALUE.values(), ids=ONE_VALUE.keys())
def test_probabilities_that_no_strategy_changes(example: str, formula: str) -> None:
    program = volition.load(EXAMPLES / example)
    exact = volition.check(program, formula)[0].verdict.value
    assert exact is not None
    expect_as_likely(program, formula, float(exact))


@pytest.mark.soak
@pytest.mark.parametrize(("example", "formula"), LONG.values(), ids=LONG.keys())
def test_formulas_about_long_runs(example: str, formula: str) -> None:
    test_probabilities_that_no_strategy_changes(example, formula)


def test_the_mission_of_the_vessel() -> None:
    """Izzo, Table 6.2: 0.638964 within 50 cycles."""
    program = volition.load(EXAMPLES / "lisa" / "vessel_dtmc")
    expect_as_likely(program, "P=? [ F<=100 mission_complete = 1 ]", 0.638964)


def expect_as_likely(program: volition.Program, formula: str, exact: float) -> None:
    for seed in SEEDS:
        found = volition.simulate(
            program, formula, runs=3000, seed=seed, scheduler="uniform", jobs=1
        )
        assert (found.undecided, found.runs) == (0, 3000)
        assert found.estimate is not None
        assert binomtest(round(found.estimate * 3000), 3000, exact).pvalue > IMPROBABLE


UNIFORM = {
    "CAN": ("can/smart_manufacturing.can", "Pmax=? [ F (PS1 & PS2) ]"),
    "AgentSpeak": ("agentspeak/factory", "Pmax=? [ F<=60 Bel(feeder, finished) ]"),
    "Gwendolen": ("gwendolen/lucky_dip", "Pmax=? [ F Bel(child, happy) ]"),
    "LISA": ("lisa/pipeline_drone", 'Pmax=? [ F<=60 Bel("Leak documented") ]'),
}


def under_the_uniform_scheduler(program: volition.Program, formula: Formula) -> float:
    """Computed on the explored space, by making the average over the choices again and again."""
    assert isinstance(formula, Probability)
    assert isinstance(formula.path, Finally)
    explored, (query,) = explore_for(program, [formula])
    assert isinstance(query, Probability)
    assert isinstance(query.path, Finally)
    space = explored.space
    goal = Satisfaction(CheckTask(explored.model, query), space).states(query.path.operand).definite
    choices = np.diff(space.first_choice)[space.choice_states]
    bound = query.path.bound
    value = goal.astype(float)
    for _ in range(5_000 if bound is None else bound.upper or 0):
        of_choices = np.bincount(
            space.transition_choices, space.probabilities * value[space.targets], space.num_choices
        )
        after = np.where(
            goal, 1.0, np.bincount(space.choice_states, of_choices / choices, space.num_states)
        )
        if bound is None and np.abs(after - value).max() < 1e-12:
            break
        value = after
    return float(value[0])


@pytest.mark.parametrize(("example", "formula"), UNIFORM.values(), ids=UNIFORM.keys())
def test_choices_that_are_equally_likely(example: str, formula: str) -> None:
    program = volition.load(EXAMPLES / example)
    exact = under_the_uniform_scheduler(program, volition.parse(formula))
    for seed in SEEDS:
        assert (
            volition.simulate(
                program, formula, runs=10, seed=seed, scheduler="uniform", jobs=1
            ).bound_kind
            == "at least"
        )
    expect_as_likely(program, formula, exact)


BOUNDED = {
    "CAN": ("can/smart_manufacturing.can", "[ F (PS1 & PS2) ]"),
    "CAN, in time": ("can/messenger.can", "[ F<=20 delivered ]"),
    "AgentSpeak": ("agentspeak/factory", "[ F<=40 Bel(feeder, finished) ]"),
    "Gwendolen": ("gwendolen/lucky_dip", "[ F Bel(child, happy) ]"),
}


@pytest.mark.parametrize(("example", "path"), BOUNDED.values(), ids=BOUNDED.keys())
def test_a_scheduler_never_beats_the_best_one(example: str, path: str) -> None:
    """And it is a good one where schedulers that see little are good: nothing is promised, but a
    search that finds nothing is broken."""
    program = volition.load(EXAMPLES / example)
    minimum, maximum = (
        float(answer.verdict.value or 0)
        for answer in volition.check(program, [f"Pmin=? {path}", f"Pmax=? {path}"])
    )
    for seed in SEEDS:
        lower = volition.simulate(
            program, f"Pmax=? {path}", error=0.05, num_schedulers=500, seed=seed, jobs=1
        )
        upper = volition.simulate(
            program, f"Pmin=? {path}", error=0.05, num_schedulers=500, seed=seed, jobs=1
        )
        assert (lower.bound_kind, upper.bound_kind) == ("at least", "at most")
        assert lower.lower is not None
        assert lower.lower <= maximum
        assert upper.upper is not None
        assert upper.upper >= minimum
        middle = (minimum + maximum) / 2
        assert lower.lower > middle - 0.1
        assert upper.upper < middle + 0.1


@pytest.mark.soak
def test_a_scheduler_never_beats_the_best_one_of_the_drone() -> None:
    test_a_scheduler_never_beats_the_best_one(
        "lisa/pipeline_drone", '[ F<=60 Bel("Leak documented") ]'
    )


REWARDS = {
    "until a goal": ("can/courier.can", 'R{"hours"}=? [ F empty ]'),
    "in some steps": ("can/courier.can", 'R{"hours"}=? [ C<=6 ]'),
    "for every strategy": ("can/breakfast.can", 'R{"energy"}max=? [ F empty ]'),
}


@pytest.mark.parametrize(("example", "formula"), REWARDS.values(), ids=REWARDS.keys())
def test_rewards(example: str, formula: str) -> None:
    program = volition.load(EXAMPLES / example)
    exact = volition.check(program, formula)[0].verdict.value
    assert exact is not None
    for seed in SEEDS:
        found = volition.simulate(
            program, formula, confidence=0.9999, error=0.03, seed=seed, jobs=1
        )
        assert found.lower is not None
        assert found.upper is not None
        if found.bound_kind == "value":
            assert found.lower <= exact <= found.upper
        else:
            assert found.lower <= exact


def test_a_file_states_what_runs_say_as_well() -> None:
    (exact,) = (
        each
        for each in volition.load(EXAMPLES / "can" / "courier.can").properties
        if each.name == "delivered"
    )
    found = volition.simulate(EXAMPLES / "can" / "courier.can", exact, jobs=1)
    assert found.as_expected is True


def test_a_program_is_the_same_program_wherever_its_file_is(tmp_path: Path) -> None:
    """A scheduler is a hash of what it sees, which is not the name of a file."""
    original = EXAMPLES / "can" / "smart_manufacturing.can"
    copy = tmp_path / original.name
    copy.write_text(original.read_text())
    prop = "Pmax=? [ F (PS1 & PS2) ]"
    here, there = (
        volition.simulate(each, prop, error=0.1, num_schedulers=8, seed=1, jobs=1)
        for each in (original, copy)
    )
    assert (here.lower, here.runs) == (there.lower, there.runs)
