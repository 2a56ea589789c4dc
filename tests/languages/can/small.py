"""Small programs for tests: from text to state space, and what the agent can do in a state."""

from __future__ import annotations

from volition.diagnostics import Diagnostic, InputError, Source
from volition.kernel import STUTTER, Limits, StateSpace, explore
from volition.languages.can import CanProgram, parse
from volition.origin import Origin


def program(text: str, **settings: str) -> CanProgram:
    return parse(Source("small.can", text), "small", settings)


def space(text: str, **settings: str) -> StateSpace:
    found = explore(program(text, **settings).model().system, limits=Limits(states=1_000_000))
    assert found.complete
    return found


def agent(
    body: str, *, beliefs: str = "", plans: str = "", actions: str = "", rest: str = ""
) -> str:
    """A program with one event and one plan for it, and perhaps others."""
    return f"""
// Initial belief bases
{beliefs}
// External events
go
// Plan library
go : true <- {body}. {plans}
// Actions description
{actions}
{rest}
"""


def errors(text: str, **settings: str) -> list[Diagnostic]:
    """What is wrong with a program."""
    try:
        program(text, **settings)
    except InputError as error:
        return list(error.diagnostics)
    return []


def rules(space: StateSpace, state: int) -> list[str]:
    """The innermost rule of each choice, with A_update and A_event by themselves."""
    return [origin.rules[-1] for origin in origins(space, state)]


def origins(space: StateSpace, state: int) -> list[Origin]:
    labels = [
        space.label(choice)
        for choice in range(space.first_choice[state], space.first_choice[state + 1])
    ]
    found = [label for label in labels if label is not STUTTER]
    assert all(isinstance(label, Origin) for label in found)
    return [label for label in found if isinstance(label, Origin)]


def used(space: StateSpace) -> set[str]:
    """The names of all rules that occur in the derivation of some choice."""
    return {rule for label in space.labels if isinstance(label, Origin) for rule in label.rules}


def final_states(space: StateSpace) -> list[dict[str, object]]:
    return [space.values(state) for state in range(space.num_states) if space.terminal[state]]


def believed(values: dict[str, object]) -> set[str]:
    return {name for name, value in values.items() if value is True}


def run_of_first_choices(space: StateSpace) -> list[str]:
    """What happens if the first choice and its first outcome are taken again and again, until
    no component can move."""
    state, texts = 0, []
    while found := origins(space, state):
        texts.append(found[0].text)
        state = int(space.targets[space.first_transition[space.first_choice[state]]])
    return texts
