"""Sections of a state view, grouped by owner: those of each agent, and those of the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from volition.kernel.system import SlotView
from volition.languages.protocols import HasIntentionStacks, Model, StateView

__all__ = ["StateSections", "intention_stacks", "split_by_owner"]

INTENTIONS = "intentions"


@dataclass(frozen=True, slots=True)
class StateSections:
    """Sections of a state view, grouped by owner: ``agents`` has those of each agent by name,
    ``world`` those of the world."""

    agents: Mapping[str, StateView]
    world: StateView


def split_by_owner(view: StateView, agents: Sequence[str]) -> StateSections:
    """Return the sections of a state view, grouped by owner.

    If a language has worlds or several agents, the titles of an agent's sections begin with its
    name. Otherwise all sections belong to the single agent.
    """
    minds: dict[str, dict[str, Mapping[str, str]]] = {agent: {} for agent in agents}
    world: dict[str, Mapping[str, str]] = {}
    for section, items in view.items():
        owner = next((agent for agent in agents if section.startswith(f"{agent} ")), None)
        if owner is None:
            world[section] = items
        else:
            minds[owner][section.removeprefix(f"{owner} ")] = items
    if len(minds) == 1 and not any(minds.values()):
        return StateSections({agents[0]: world}, {})
    return StateSections(minds, world)


def intention_stacks(model: Model, state: SlotView) -> Mapping[str, Sequence[Sequence[str]]]:
    """Return the intentions of each agent. Each intention is a stack of texts, from the current
    step at the top to the original event at the bottom. If a language has no intention stacks, each
    intention is a list with one text, its remaining body."""
    if isinstance(model, HasIntentionStacks):
        return model.intention_stacks(state)
    minds = split_by_owner(model.describe(state), model.agents).agents
    return {
        agent: [[_frame(*each)] for each in mind.get(INTENTIONS, {}).items()]
        for agent, mind in minds.items()
    }


def _frame(intention: str, left: str) -> str:
    return f"{intention}: {left}" if left else intention
