"""The kernel's state space of random systems is the one that a plain interpreter finds, state by
state."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, assume, given, settings

from tests.languages.agentspeak.random_systems import (
    BOUNDS,
    SELECTIONS,
    SYSTEMS,
    WORLDS,
    RandomSystem,
)
from tests.languages.agentspeak.reference import Reference, as_text, flat, holds
from tests.languages.agentspeak.systems import write_project
from volition.checking.graph.propositions import satisfying_states
from volition.kernel import Limits, StateSpace, explore
from volition.languages.agentspeak import AgentSpeakProgram, load
from volition.languages.agentspeak.state import ACTIONS, BoundExceeded, IntendedMeans
from volition.languages.agentspeak.value_flow import Kind, ValueFlow
from volition.languages.world.terms import Structure, show, substitute
from volition.logic.parsing.parser import parse

MAX_STATES = 1500
ATOMS: dict[str, tuple[str, int, tuple[Any, ...]]] = {
    f"{modality}({agent}, {as_text(query)})": (modality, number, query)
    for modality, query in [
        ("Bel", ("p", 1)),
        ("Bel", ("p", "?_")),
        ("Des", ("g", 1)),
        ("Des", ("g", 2)),
        ("Des", ("h",)),
        ("Int", ("g", 1)),
        ("Int", ("g", 2)),
        ("Int", ("g", "?_")),
        ("Int", ("h",)),
    ]
    for number, agent in enumerate(("a", "b"))
}
"""Atoms of formulas, and what the reference interpreter is asked instead: a modality, the number of
an agent, an atom."""


def as_means(program: AgentSpeakProgram, agent: str, means: IntendedMeans) -> Any:
    trigger = program.agents[agent].plans[means.plan].trigger
    bindings = tuple(
        ("?" + name, value if isinstance(value, int) else show(value))
        for name, value in means.bindings
        if name[0].isalpha()
    )
    goal = substitute(trigger.pattern, dict(means.bindings))
    assert isinstance(goal, Structure)
    return (
        means.plan,
        means.counter,
        means.parent,
        bindings,
        flat(goal) if trigger.is_goal else None,
    )


def as_reference(program: AgentSpeakProgram, values: Mapping[str, Any]) -> Any:
    """A state of the kernel in the words of the reference interpreter."""
    minds = []
    for agent in ("a", "b"):
        means = tuple(each and as_means(program, agent, each) for each in values[f"{agent}.means"])
        minds.append(
            (
                values[f"{agent}.part"],
                tuple((flat(each.atom), each.source) for each in values[f"{agent}.beliefs"]),
                tuple((each.performative, flat(each.content)) for each in values[f"{agent}.mail"]),
                tuple(
                    (each.sign, each.kind, flat(each.atom), each.intention)
                    for each in values[f"{agent}.events"]
                ),
                values[f"{agent}.ready"],
                means,
            )
        )
    world = tuple(
        sorted(
            (slot, value)
            for slot, value in values.items()
            if "." not in slot or slot.startswith("world.")
        )
    )
    actions = tuple((each.agent, flat(each.action)) for each in values[ACTIONS])
    return tuple(minds), tuple(each for each in world if each[0] != ACTIONS), actions


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(SYSTEMS, WORLDS, SELECTIONS)
def test_states_and_transitions_agree(system: RandomSystem, world: str, selections: str) -> None:
    with TemporaryDirectory() as folder:
        program = load(
            write_project(
                Path(folder), system.agents, world, f"{system.options}\n{selections}\n{BOUNDS}"
            ),
            {},
        )
    try:
        space = explore(program.model().system, limits=Limits(states=MAX_STATES))
    except BoundExceeded:
        assume(False)
    assume(space.complete)
    states, choices = Reference(program).explore(MAX_STATES)
    ours = [as_reference(program, space.values(state)) for state in range(space.num_states)]
    assert set(ours) == states
    # Nondeterministic alternatives that lead to the same state are told apart as choices; the
    # kernel's stutter steps are not the system's.
    assert space.num_choices - int(space.terminal.sum()) == choices
    for text, (modality, number, queried) in ATOMS.items():
        said = satisfying_states(program.model(), space, parse(text)).tolist()
        assert said == [holds(modality, state[0][number], queried) for state in ours], text
    flow = ValueFlow(program.agents, program.world)
    assert not [
        atom for kind, atom in _atoms(space) if flow.find_impossible_argument(kind, atom)
    ], "what is said to be impossible never happens"


def _atoms(space: StateSpace) -> set[tuple[Kind, Structure]]:
    """Everything that is believed, wanted, done or perceived in some state."""
    found: set[tuple[Kind, Structure]] = set()
    for agent in ("a", "b"):
        found |= {
            ("belief", each.atom)
            for beliefs in space.column(f"{agent}.beliefs")[1]
            for each in beliefs
        }
        found |= {
            ("goal", each.atom)
            for events in space.column(f"{agent}.events")[1]
            for each in events
            if each.kind == "achieve"
        }
    found |= {("action", each.action) for waiting in space.column(ACTIONS)[1] for each in waiting}
    return found | {("fact", each) for percepts in space.column("percepts")[1] for each in percepts}
