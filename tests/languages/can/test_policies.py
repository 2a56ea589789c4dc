"""Selection policies for events, plans and intentions: what they leave of the choices, and that
together they make a Markov chain."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.languages.can.small import (
    agent,
    believed,
    final_states,
    origins,
    program,
    run_of_first_choices,
    space,
)
from volition.checking.check import check
from volition.kernel import StateSpace
from volition.reporting.annotated_runs import annotate_run
from volition.reporting.replay import replay
from volition.reporting.trace_format import trace_to_json

TWO_EVENTS = """
// External events
first, second
// Plan library
first : true <- +a1; +a2.
second : true <- +b1; +b2.
"""
TWO_PLANS = """
// External events
go
// Plan library
go : c <- +first.
go : true <- +second.
go : true <- +third.
"""
LOOP = (
    "// Events\nloop\n// Plans\nloop : true <- goal(false, sub, false).\nsub : true <- +a.\nsub "
    ": true <- +b.\nsub : true <- -a."
)


def adopted(found: StateSpace) -> list[str]:
    return [
        text.removeprefix("adopt event ")
        for text in run_of_first_choices(found)
        if text.startswith("adopt")
    ]


def is_chain(found: StateSpace) -> bool:
    return bool(np.all(np.diff(found.first_choice) == 1))


def outcomes(found: StateSpace, state: int) -> dict[str, Fraction]:
    """What is believed after the only choice of a state, and with which probability."""
    (choice,) = range(found.first_choice[state], found.first_choice[state + 1])
    transitions = range(found.first_transition[choice], found.first_transition[choice + 1])
    return {
        str(found.values(int(found.targets[t]))["intention 1"]): found.weights[found.weight_ids[t]]
        for t in transitions
    }


# --- events ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "order"), [("fixed", ["first", "second"]), ("fixed second", ["second", "first"])]
)
def test_events_in_a_fixed_order(policy: str, order: list[str]) -> None:
    found = space(TWO_EVENTS, events=policy)
    assert adopted(found) == order
    assert [origin.text for origin in origins(found, 0)] == [f"adopt event {order[0]}"]


def test_a_fixed_order_of_events_leaves_intentions_alone() -> None:
    """Between the two events the first intention may go on: only the order of the events is
    settled."""
    found = space(TWO_EVENTS, events="fixed")
    after_first = int(found.targets[0])
    assert {origin.text for origin in origins(found, after_first)} == {
        "adopt event second",
        "look for plans for first",
    }


def test_events_that_take_turns_are_in_a_fixed_order() -> None:
    assert adopted(space(TWO_EVENTS, events="round-robin")) == ["first", "second"]


def test_events_with_probabilities() -> None:
    found = space(TWO_EVENTS, events="probabilities first = 0.25, second = 0.75")
    (origin,) = origins(found, 0)
    assert origin.text == "adopt event first or adopt event second"
    weights = [
        found.weights[found.weight_ids[t]]
        for t in range(found.first_transition[0], found.first_transition[1])
    ]
    assert sorted(weights) == [Fraction(1, 4), Fraction(3, 4)]


# --- plans ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("nondeterministic", [{"second"}, {"third"}]),
        ("fixed", [{"second"}]),
        ("fixed 3, 2, 1", [{"third"}]),
        ("fixed 1, 3", [{"third"}]),
    ],
)
def test_first_applicable_plan_in_a_fixed_order(policy: str, expected: list[set[str]]) -> None:
    assert [believed(values) for values in final_states(space(TWO_PLANS, plans=policy))] == expected


def test_plans_with_probabilities_are_scaled_to_the_applicable_ones() -> None:
    """Plan 1 does not apply: 0.3 and 0.2 become 3/5 and 2/5."""
    found = space(TWO_PLANS, plans="probabilities 1 = 0.5, 2 = 0.3, 3 = 0.2")
    state = next(
        state
        for state in range(found.num_states)
        if [o.rules[-1] for o in origins(found, state)] == ["select(2,3)"]
    )
    assert sorted(outcomes(found, state).values()) == [Fraction(2, 5), Fraction(3, 5)]


def test_plans_without_given_probabilities_are_equally_probable() -> None:
    found = space(TWO_PLANS, plans="probabilities")
    state = next(
        state
        for state in range(found.num_states)
        if [o.rules[-1] for o in origins(found, state)] == ["select(2,3)"]
    )
    assert list(outcomes(found, state).values()) == [Fraction(1, 2)] * 2


def test_plans_take_turns() -> None:
    found = space(LOOP, plans="round-robin")
    state, selected = 0, []
    for _ in range(40):
        (origin,) = origins(found, state)
        selected += [origin.text.split()[2]] if origin.text.startswith("select plan") else []
        state = int(found.targets[found.first_transition[found.first_choice[state]]])
    assert selected[:7] == ["1", "2", "3", "4", "2", "3", "4"]


# --- intentions -----------------------------------------------------------------------------------


def beliefs_added(found: StateSpace) -> list[str]:
    return [
        text.removeprefix("believe ")
        for text in run_of_first_choices(found)
        if text.startswith("believe")
    ]


@pytest.mark.parametrize(
    ("policy", "order"),
    [
        ("fixed", ["a1", "a2", "b1", "b2"]),
        ("fixed second", ["b1", "b2", "a1", "a2"]),
        ("round-robin", ["a1", "b1", "a2", "b2"]),
        ("round-robin second, first", ["b1", "a1", "b2", "a2"]),
    ],
)
def test_intentions_in_order_and_in_turns(policy: str, order: list[str]) -> None:
    found = space(TWO_EVENTS, events="fixed", intentions=policy)
    assert beliefs_added(found) == order
    assert is_chain(found)


def test_where_both_follow_a_policy_events_come_first() -> None:
    found = space(TWO_EVENTS, events="fixed second", intentions="fixed")
    assert run_of_first_choices(found)[:2] == ["adopt event second", "adopt event first"]


def test_intentions_with_probabilities() -> None:
    """Both intentions look for plans in the same step of chance: 1/4 and 3/4."""
    found = space(TWO_EVENTS, events="fixed", intentions="probabilities first = 1, second = 3")
    state = next(s for s in range(found.num_states) if len(outcomes_of(found, s)) == 2)
    assert sorted(outcomes_of(found, state)) == [Fraction(1, 4), Fraction(3, 4)]
    assert is_chain(found)
    assert [believed(values) for values in final_states(found)] == [{"a1", "a2", "b1", "b2"}]


def outcomes_of(found: StateSpace, state: int) -> list[Fraction]:
    choice = found.first_choice[state]
    return [
        found.weights[found.weight_ids[t]]
        for t in range(found.first_transition[choice], found.first_transition[choice + 1])
    ]


def test_chance_among_intentions_that_have_choices_of_their_own() -> None:
    """Chance picks an intention, then a plan is chosen: with 2 and 2 plans there are four ways to
    decide."""
    text = "// Events\nfirst, second\n// Plans\n" + "".join(
        f"{e} : true <- +{e}{i}.\n" for e in ("first", "second") for i in (1, 2)
    )
    found = space(text, events="fixed", intentions="probabilities")
    assert max(np.diff(found.first_choice)) == 4


def test_a_policy_for_intentions_settles_what_is_open_inside() -> None:
    """The left side of || goes first, and a goal of which both conditions hold succeeds."""
    sides = space(agent("+a; +b || +c"), intentions="fixed", events="fixed")
    assert beliefs_added(sides) == ["a", "b", "c"]
    assert is_chain(sides)
    assert not is_chain(space(agent("+a; +b || +c")))
    goal = space(agent("goal(s, nil, s)", beliefs="s"), intentions="fixed", events="fixed")
    assert "achieve goal s" in run_of_first_choices(goal)
    assert is_chain(goal)


@pytest.mark.parametrize("plans", ["fixed", "round-robin", "probabilities"])
@pytest.mark.parametrize("intentions", ["fixed", "round-robin", "probabilities"])
def test_three_policies_make_a_markov_chain(plans: str, intentions: str) -> None:
    text = """
// Initial beliefs
x = 2
// Events
first, second
// Plans
first : true <- (sub || ?false) |> act.
first : true <- act; sub.
second : x > 0 <- goal(b, sub, x = 0).
sub : true <- act.
sub : !b <- x := max(x - 1, 0).
// Actions
act : true <- 0.5: <{},{b}> + 0.5: <{b},{}>
"""
    for events in ("fixed", "probabilities"):
        assert is_chain(space(text, events=events, plans=plans, intentions=intentions))


def test_setting_goes_before_the_file() -> None:
    text = TWO_EVENTS + "// Policies\nevents : fixed second.\nintentions : fixed second."
    assert beliefs_added(space(text)) == ["b1", "b2", "a1", "a2"]
    assert beliefs_added(space(text, intentions="fixed first")) == ["a1", "a2", "b1", "b2"]


def test_runs_tell_what_chance_picked() -> None:
    """Which event, which intention and which plan, by which rules; and such a run can be
    replayed."""
    text = (
        "// Events\nfirst, second\n// Plans\nfirst : true <- +a.\nsecond : true <- +b.\nsecond "
        ": true <- +c.\n"
    )
    made = program(text, events="probabilities", plans="probabilities", intentions="probabilities")
    (answer,) = check(made, ["A [ G (!c | a) ]"]).answers
    run, model = answer.verdict.run, answer.exploration.model
    assert run is not None
    steps = annotate_run(run, model).steps
    assert [(step.text, step.rules, step.probability) for step in steps[2:]] == [
        ("look for plans for second", ("A_step(2)", "event"), "1/2"),
        ("select plan 3 for second", ("A_step(2)", "select(3)"), "1/4"),
        ("believe c", ("A_step(2)", "▷;", "+b"), "1/2"),
    ]
    assert sorted(step.text for step in steps[:2]) == ["adopt event first", "adopt event second"]
    trace = trace_to_json(
        run,
        model,
        language="CAN",
        program="small.can",
        formula=answer.verdict.formula,
        holds=False,
        observed=(),
    )
    assert replay(trace, made).possible
