"""A portrait taken apart: whose mind is it, and what is the world?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from volition.kernel.system import View
from volition.languages.model import Model, Portrait, StackingModel

__all__ = ["Parts", "parted", "stacks"]

INTENTIONS = "intentions"


@dataclass(frozen=True, slots=True)
class Parts:
    """The sections of a portrait: of each agent's mind, by the agent's name, and those of the world."""

    minds: Mapping[str, Portrait]
    world: Portrait


def parted(portrait: Portrait, agents: Sequence[str]) -> Parts:
    """A portrait by whom its sections are about.

    Where a language has worlds, or several agents, the sections of a mind begin with the agent's name; otherwise all of it is one mind.
    """
    minds: dict[str, dict[str, Mapping[str, str]]] = {agent: {} for agent in agents}
    world: dict[str, Mapping[str, str]] = {}
    for section, items in portrait.items():
        owner = next((agent for agent in agents if section.startswith(f"{agent} ")), None)
        if owner is None:
            world[section] = items
        else:
            minds[owner][section.removeprefix(f"{owner} ")] = items
    if len(minds) == 1 and not any(minds.values()):
        return Parts({agents[0]: world}, {})
    return Parts(minds, world)


def stacks(model: Model, state: View) -> Mapping[str, Sequence[Sequence[str]]]:
    """The intentions of each agent, each from its top down; where a language has no stacks, what is left of each is all there is."""
    if isinstance(model, StackingModel):
        return model.stacks(state)
    minds = parted(model.portray(state), model.agents).minds
    return {agent: [[_frame(*each)] for each in mind.get(INTENTIONS, {}).items()] for agent, mind in minds.items()}


def _frame(intention: str, left: str) -> str:
    return f"{intention}: {left}" if left else intention
