"""The kernel's state space of random systems is the one that a plain interpreter finds, state by state."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, assume, given, settings

from tests.languages.agentspeak.random_systems import BOUNDS, SYSTEMS, WORLD, RandomSystem
from tests.languages.agentspeak.reference import Reference, flat
from tests.languages.agentspeak.systems import write_project
from volition.kernel import Limits, explore
from volition.languages.agentspeak import load
from volition.languages.agentspeak.state import ACTIONS, BoundExceeded
from volition.languages.world.terms import show

MOST_STATES = 1500


def as_reference(values: Mapping[str, Any]) -> Any:
    """A state of the kernel in the words of the reference interpreter."""

    def term(value: Any) -> Any:
        return value if isinstance(value, int) else show(value)

    minds = []
    for agent in ("a", "b"):
        means = tuple(
            each and (each.plan, each.counter, each.parent, tuple(("?" + name, term(value)) for name, value in each.bindings))
            for each in values[f"{agent}.means"]
        )
        minds.append(
            (
                values[f"{agent}.part"],
                tuple((flat(each.atom), each.source) for each in values[f"{agent}.beliefs"]),
                tuple((each.force, flat(each.content)) for each in values[f"{agent}.mail"]),
                tuple((each.sign, each.kind, flat(each.atom), each.intention) for each in values[f"{agent}.events"]),
                values[f"{agent}.ready"],
                means,
            )
        )
    world = tuple(sorted((slot, value) for slot, value in values.items() if "." not in slot or slot.startswith("world.")))
    actions = tuple((each.agent, flat(each.action)) for each in values[ACTIONS])
    return tuple(minds), tuple(each for each in world if each[0] != ACTIONS), actions


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(SYSTEMS)
def test_states_and_transitions_agree(system: RandomSystem) -> None:
    with TemporaryDirectory() as folder:
        program = load(write_project(Path(folder), system.agents, WORLD, f"{system.options}\n{BOUNDS}"), {})
    try:
        space = explore(program.model().system, limits=Limits(states=MOST_STATES))
    except BoundExceeded:
        assume(False)
    assume(space.complete)
    states, transitions = Reference(program).explore(MOST_STATES)
    assert {as_reference(space.values(state)) for state in range(space.num_states)} == states
    # Nondeterministic alternatives that lead to the same state are told apart as choices; the kernel's stutter steps are not the system's.
    assert space.num_choices - int(space.terminal.sum()) == transitions
