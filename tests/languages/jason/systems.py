"""Small Jason systems from text, and what their runs say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from volition.diagnostics import Diagnostics, Source
from volition.kernel import StateSpace, explore
from volition.languages.jason.model import JasonModel, mind_of
from volition.languages.jason.parsing.statements import read_agent
from volition.languages.jason.settings import Bounds, Settings
from volition.languages.jason.state import mind_slot
from volition.languages.world import EmptyWorld, World, load_world
from volition.logic.parsing.parser import parse
from volition.logic.syntax import Atom
from volition.logic.traversal import modal_atoms
from volition.origin import Origin

__all__ = ["atom", "beliefs_in", "ends", "model", "plain_run", "prints", "space", "steps_of"]


def model(
    agents: str | Mapping[str, str],
    world: str | None = None,
    *,
    bounds: Mapping[str, int] | None = None,
    observed: tuple[Atom, ...] = (),
    **settings: Any,
) -> JasonModel:
    """A system of one agent, called ``bob``, or of several; cut into parts unless it says
    otherwise."""
    diagnostics = Diagnostics()
    texts = {"bob": agents} if isinstance(agents, str) else agents
    programs = {
        name: read_agent(Source(f"{name}.asl", text), diagnostics) for name, text in texts.items()
    }
    empty_world: World = EmptyWorld(tuple(texts), {})
    if world is not None:
        empty_world = load_world(Source("test.world", world), tuple(texts), {}, diagnostics)
    diagnostics.raise_errors()
    how = Settings(**{"bounds": Bounds(bounds or {}), "cycle": "parts", **settings})
    return JasonModel(programs, dict.fromkeys(texts, how), empty_world, observed)


def atom(text: str) -> Atom:
    """An atom of a formula."""
    (found,) = modal_atoms(parse(text))
    return found


def space(*arguments: Any, **settings: Any) -> StateSpace:
    """Everything that such a system can do."""
    return explore(model(*arguments, **settings).system)


def steps_of(states: StateSpace) -> list[Origin]:
    """The steps of a system that has one run, up to its end."""
    state, steps = 0, list[Origin]()
    while True:
        (choice,) = states.choices_of(state)
        label = states.label(choice)
        if not isinstance(label, Origin):
            return steps
        steps.append(label)
        (state,) = map(int, states.targets_of(choice))


def plain_run(*arguments: Any, **settings: Any) -> list[str]:
    """What happens in the only run of a system, without the parts in which nothing does."""
    texts = [each.text for each in steps_of(space(*arguments, **settings))]
    return [each for each in texts if "nothing to do" not in each]


def prints(*arguments: Any, **settings: Any) -> list[str]:
    """What is printed in the only run of a system."""
    found = [
        text
        for step in plain_run(*arguments, **settings)
        for text in step.split("; ")
        if text.startswith("prints ")
    ]
    return [each.removeprefix("prints ") for each in found]


def beliefs_in(states: StateSpace, state: int, agent: str = "bob") -> list[str]:
    return [str(each) for each in states.value(state, mind_slot(agent, "beliefs"))]


def ends(states: StateSpace, agent: str = "bob") -> set[tuple[str, ...]]:
    """The beliefs of an agent in the states in which nothing moves any more."""
    return {tuple(beliefs_in(states, int(state), agent)) for state in states.terminal.nonzero()[0]}


def mind(states: StateSpace, state: int, agent: str = "bob") -> Mapping[str, Any]:
    return mind_of(states.values(state), agent)
