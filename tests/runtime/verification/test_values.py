"""Values by the slots of a state, against what ``check`` answers about programs that begin
there."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import volition
from tests.runtime.verification.crossing import (
    PROJECT,
    World,
    crossing,
    number,
    verification,
    verified,
)
from volition.api.custom_systems import SystemProgram
from volition.diagnostics import Diagnostics
from volition.kernel import explore
from volition.kernel.system import Choice, Component, System
from volition.languages.lisa.program import LisaProgram, load
from volition.logic.parsing.parser import parse
from volition.logic.syntax import Probability, Reward
from volition.runtime.run_log import RunLog
from volition.runtime.selectors import DecisionRequest
from volition.runtime.verification.joint_choices import options_of
from volition.runtime.verification.parameter_updates import ParameterUpdates
from volition.runtime.verification.section import ContinuationPolicy, Query, VerificationSection
from volition.runtime.verification.table import table_of
from volition.runtime.verification.tabulate import TableRequest, build_table
from volition.runtime.verification.values import ValueStore
from volition.runtime.verification.worker import InProcessBuilder, SubprocessBuilder

DRONE = PROJECT.parent / "pipeline_drone"


def asked(text: str) -> Query:
    formula = parse(text)
    assert isinstance(formula, Probability | Reward)
    assert formula.optimum is not None
    return Query(text, formula, formula.optimum)


@pytest.fixture(scope="module")
def drone() -> LisaProgram:
    return load(DRONE, {})


@pytest.mark.parametrize("later", ["best", "worst"])
@pytest.mark.parametrize(
    "text",
    [
        'Pmax=? [ F<=30 Bel("Leak documented") ]',
        "Pmin=? [ G<=21 leak_documented = 0 ]",
        'R{"energy"}min=? [ C<=25 ]',
    ],
)
def test_a_vector_for_each_number_of_steps_left(
    drone: LisaProgram, text: str, later: ContinuationPolicy
) -> None:
    query = asked(text)
    declared = replace(VerificationSection(), continuation_policy=later)
    table = build_table(TableRequest(drone, (query,), declared))
    bound = len(table.vectors[text]) - 1
    # In the successors of choices, with all steps left, the value is that of the query itself in
    # that state.
    space = explore(drone.model().system)
    several = np.flatnonzero(np.diff(space.first_choice) > 1)[:3]
    other = (
        text.replace("max=", "least=").replace("min=", "max=").replace("least=", "min=")
        if later == "worst"
        else text
    )
    for state in several.tolist():
        after = space.values(int(space.targets_of(space.choices_of(state)[0])[0]))
        row = table.row(after)
        assert row is not None
        beginning = replace(drone.model().system, slots=after)
        names = {"leak_documented": lambda view: view["leak_documented"] == 1}
        prop = other.replace('Bel("Leak documented")', "leak_documented").replace(
            "leak_documented = 0", "!leak_documented"
        )
        (answer,) = volition.check(beginning, prop, labels=names)
        assert table.value(text, row, bound) == pytest.approx(number(answer), abs=1e-9)
        assert table.value(text, row, -5) == table.value(text, row, 0)


# --- random systems -------------------------------------------------------------------------------


@st.composite
def systems(draw: st.DrawFn) -> System:
    """A few states between which an agent chooses and chance draws; state 0 is where it begins."""
    states = draw(st.integers(2, 6))
    table = draw(
        st.lists(
            st.lists(
                st.tuples(
                    st.integers(0, states - 1), st.integers(0, states - 1), st.integers(1, 3)
                ),
                min_size=1,
                max_size=3,
            ),
            min_size=states,
            max_size=states,
        )
    )

    def step(view: object) -> list[Choice]:
        here = view["at"]  # type: ignore[index]
        return [
            Choice(
                f"{here}:{number}",
                [(Fraction(share, 4), {"at": one}), (1 - Fraction(share, 4), {"at": other})],
                rewards={"cost": number + 1},
            )
            for number, (one, other, share) in enumerate(table[here])
        ]

    return System({"at": 0}, [Component("agent", step)])


@settings(max_examples=40, deadline=None)
@given(systems())
def test_a_choice_is_worth_what_its_successors_are_worth(system: System) -> None:
    """The best of q(s, c) over the choices is the value of the state, as ``check`` finds it."""
    goal = max(explore(system).column("at")[1])
    program = SystemProgram(system, {"goal": lambda view: view["at"] == goal})
    query = asked("Pmax=? [ F goal ]")
    declared = VerificationSection(objective=query)
    table = build_table(TableRequest(program, (query,), declared, all_states=True))
    choices = system.components[0].step({"at": 0})
    options = options_of(system, DecisionRequest({"at": 0}, {"agent": choices}))
    rows = [[(chance, table.row(state)) for chance, state in option.follows] for option in options]
    value = [
        sum(chance * table.value(query.name, row) for chance, row in each if row is not None)
        for each in rows
    ]
    (answer,) = volition.check(program, "Pmax=? [ F goal ]")
    if goal != 0:  # where the goal is reached already, what follows does not matter to the query
        assert max(value) == pytest.approx(number(answer), abs=1e-9)
    assert [option.earned["cost"] for option in options] == [
        float(number + 1) for number in range(len(choices))
    ]


def test_values_that_are_equal_and_not_the_same_are_told_apart() -> None:
    def step(view: object) -> list[Choice]:
        return (
            [Choice("go", [(1, {"value": {0: 1, 1: True}.get(view["value"], 2)})])]  # type: ignore[index]
            if view["value"] is not True  # type: ignore[index]
            else []
        )

    space = explore(System({"value": 0}, [Component("counter", step)]))
    states = np.arange(space.num_states)
    table = table_of(space, states, lambda _: states.astype(np.float64), ["number"])
    found = [table.row(space.values(int(state))) for state in states]
    assert found == states.tolist()
    assert table.row({"value": 1.0}) is None
    assert table.row({"value": "something else"}) is None


# --- states that nobody expected ------------------------------------------------------------------


def test_an_unknown_state_is_explored_on_from() -> None:
    program = crossing()
    world = World.of(crossing({"storm.activation.sigma": "4"}))
    selector = verified(program)
    decisions = [world.decision(state) for state in world.deciding.tolist()]
    first = next(each for each in decisions if selector.select(each).by == "default")
    assert selector.select(first).by == "verified"
    (plan,) = first.choices_by_group.values()
    # The default was the sheltered route, which stands second.
    assert verified(program).select(first).chosen == dict.fromkeys(
        first.choices_by_group, len(plan) - 1
    )


class Slow:
    """A worker that is never ready; ``orders`` counts what was asked of it."""

    orders = 0

    def submit(self, order: TableRequest) -> Slow:  # noqa: ARG002
        self.orders += 1
        return self

    def poll(self) -> None:
        return None

    def close(self) -> None: ...


def test_a_query_that_takes_longer_than_the_run_leaves_the_default() -> None:
    """The agent does not wait, takes no value of another state, and does not order more with every
    cycle."""
    program, slow = crossing(), Slow()
    world = World.of(crossing({"storm.activation.sigma": "4"}))
    selector = replace(verification(program), worker=slow).selector(
        program.model(), RunLog(), ParameterUpdates(), Diagnostics()
    )
    decisions = [world.decision(state) for state in world.deciding.tolist()]
    unknown = next(each for each in decisions if selector.select(each).by == "default")
    assert {selector.select(unknown).by for _ in range(20)} == {"default"}
    assert slow.orders == 1


def test_new_probabilities_count_once_another_process_has_computed_with_them(
    drone: LisaProgram,
) -> None:
    query = asked('Pmax=? [ F<=60 Bel("Leak documented") ]')
    values = ValueStore(
        TableRequest(drone, (query,), VerificationSection(objective=query), all_states=True),
        worker := SubprocessBuilder(),
    )
    start = drone.model().system.slots
    before = values.known.value(query, start)
    try:
        values.update_parameters({"leak_in_view.activation.p": "0.9"})
        assert values.known.value(query, start) == before
        for _ in range(600):
            if values.collect_ready():
                break
            time.sleep(0.1)
    finally:
        worker.close()
    (answer,) = volition.check(DRONE, query.name, settings={"leak_in_view.activation.p": "0.9"})
    assert values.known.value(query, start) == pytest.approx(number(answer), abs=1e-9)
    assert before != pytest.approx(number(answer), abs=1e-3)


@pytest.mark.parametrize(
    "given", [{"leak_in_view.activation.mu": "5"}, {"nobody": "1"}, {"picture_taken.p": "much"}]
)
def test_what_cannot_change_while_an_agent_runs(drone: LisaProgram, given: dict[str, str]) -> None:
    query = asked('Pmax=? [ F Bel("Leak documented") ]')
    values = ValueStore(
        TableRequest(drone, (query,), VerificationSection(objective=query)), InProcessBuilder()
    )
    with pytest.raises(volition.InputError) as refused:
        values.update_parameters(given)
    assert [each.code for each in refused.value.diagnostics] == ["RUN213"]
