"""Random programs mean the same to the rules that the kernel traces and to the interpreter in
``reference.py``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from tests.languages.can import reference
from tests.languages.can.random_programs import program_text, programs
from volition.diagnostics import Source
from volition.kernel import STUTTER, StateSpace, explore
from volition.languages.can import parse
from volition.languages.can import syntax as can
from volition.languages.can.conditions import (
    BeliefAtom,
    BooleanLiteral,
    Comparison,
    Condition,
    Conjunction,
    Constant,
    Disjunction,
    Negation,
    NumericBelief,
)
from volition.languages.can.model import CanModel
from volition.languages.common.slots import slots_of_kind
from volition.origin import Origin

MAX_STATES = 1000

Choices = Counter[tuple[tuple[str, ...], frozenset[tuple[Any, Fraction]]]]


def plain_condition(condition: Condition) -> tuple[Any, ...]:
    match condition:
        case BooleanLiteral(value):
            return ("true",) if value else ("false",)
        case BeliefAtom(name):
            return ("atom", name)
        case Negation(operand):
            return ("not", plain_condition(operand))
        case Conjunction(left, right):
            return ("and", plain_condition(left), plain_condition(right))
        case Disjunction(left, right):
            return ("or", plain_condition(left), plain_condition(right))
        case Comparison(">=", NumericBelief(name), Constant(bound)):
            return ("at least", name, bound)
    raise AssertionError(condition)


def plain(body: can.Body) -> Any:
    """What is left of an intention, as the reference interpreter writes it."""
    match body:
        case can.Nil():
            return ("nil",)
        case can.Act(name):
            return ("act", name)
        case can.EventGoal(name):
            return ("event", name)
        case can.AddBelief(name):
            return ("add", name)
        case can.RemoveBelief(name):
            return ("del", name)
        case can.Assign(name, Constant(number)):
            return ("set", name, number)
        case can.Test(condition):
            return ("test", plain_condition(condition))
        case can.UntriedPlans(event, plans):
            return ("options", event, plans)
        case can.Sequence(first, second):
            return ("seq", plain(first), plain(second))
        case can.Recovery(first, second):
            return ("try", plain(first), plain(second))
        case can.Parallel(left, right):
            return ("par", plain(left), plain(right))
        case can.DeclarativeGoal(success, body, failure):
            return ("goal", plain_condition(success), plain(body), plain_condition(failure))
    raise AssertionError(body)


def plain_state(model: CanModel, values: dict[str, Any], events: int) -> reference.State:
    left = [model.left(number, values) for number in range(1, events + 1)]
    intentions = tuple(
        values[f"intention {number}"].value if body is None else plain(body)
        for number, body in enumerate(left, start=1)
    )
    beliefs = {slot: values[slot] for slot in slots_of_kind(values, "belief")}
    believed = frozenset(
        str(name) if value is True else (str(name), value)
        for name, value in beliefs.items()
        if value is not False
    )
    return believed, intentions


def choices_of(space: StateSpace, state: int, names: list[reference.State]) -> Choices:
    found: Choices = Counter()
    for choice in range(space.first_choice[state], space.first_choice[state + 1]):
        label = space.label(choice)
        if label is STUTTER:
            continue
        assert isinstance(label, Origin)
        transitions = range(space.first_transition[choice], space.first_transition[choice + 1])
        distribution = frozenset(
            (names[space.targets[t]], space.weights[space.weight_ids[t]]) for t in transitions
        )
        found[label.rules, distribution] += 1
    return found


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(programs())
def test_same_decision_process(program: reference.Program) -> None:
    """The same states, and in each the same choices: derived by the same rules, with the same
    distribution."""
    try:
        expected = reference.explore(program, maximum=MAX_STATES)
    except reference.TooLarge:
        assume(False)
    assert_same_decision_process(program, expected)


def term(text: str) -> Any:
    """A plan body for the reference interpreter, written as in a program."""
    source = (
        "// Initial belief bases\n\n// External events\ngo\n// Plan library\ngo : true <- "
        f"{text}.\nsub : true <- +s.\n"
    )
    return plain(parse(Source("body", source), "body", {}).agent.plans[0].body)


DIVIDED = {
    "recovery sees that all sides are blocked": "((?a || ?b) || (?c; +d)) |> +done",
    "and that one is not": "((?a || +b) || ?c) |> +done",
    "recovery in each of the sides": "((?a || ?b) |> +c) || ((?c || -c) |> +done)",
    "a goal around sides ends them": "goal(a & b, +a || (+b || +c), d)",
    "a goal around sides starts them again": "goal(a & b, (+a || ?d) || ?c, false)",
    "goals in the sides": "goal(a, +a || -a, false) || goal(b, (+b || -b), c)",
    "sides one after the other": "(+a || +b); (-a || (-b || +c)); (?a || ?c)",
    "sides in a side that an event leads to": "sub || (sub; +d)",
    "sides that follow a failure": "?false |> ((+a || +b) |> +c)",
}


@pytest.mark.parametrize("body", DIVIDED.values(), ids=DIVIDED)
@pytest.mark.parametrize("update", ["any", "stuck"])
def test_same_decision_process_where_sides_have_slots_of_their_own(body: str, update: str) -> None:
    plans = [
        ("go", ("true",), term(body)),
        ("sub", ("true",), term("+s || (?s || -t)")),
        ("sub", ("atom", "t"), term("+t")),
    ]
    program = reference.Program(frozenset({"t"}), ["go"], plans, {}, update=update)
    assert_same_decision_process(program, reference.explore(program, maximum=3000))


def test_same_decision_process_where_an_event_raises_itself_beside_something_else() -> None:
    """There is no end to the sides of ``||`` in general: one side keeps them all together."""
    again = [
        ("sub", ("atom", name), term(f"-{name}; (sub || +d{name})")) for name in ("a", "b", "c")
    ]
    program = reference.Program(
        frozenset({"a", "b", "c"}), ["go"], [("go", ("true",), term("sub")), *again], {}
    )
    assert_same_decision_process(program, reference.explore(program, maximum=20_000))


def assert_same_decision_process(
    program: reference.Program, expected: Mapping[reference.State, Any]
) -> None:
    model = parse(Source("program", program_text(program)), "program", {}).model()
    space = explore(model.system)
    names = [
        plain_state(model, space.values(state), len(program.events))
        for state in range(space.num_states)
    ]
    assert len(set(names)) == space.num_states
    assert set(names) == set(expected)
    for state, name in enumerate(names):
        assert choices_of(space, state, names) == Counter(
            (rules, frozenset(found.items())) for rules, found in expected[name]
        )
