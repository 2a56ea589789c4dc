"""The environment as components of the system: it executes actions that wait for it, and moves by
itself (Bordini et al., Sect. 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volition.kernel.system import Choice, SlotView
from volition.languages.agentspeak.state import ACTIONS, Request
from volition.languages.world.interface import World, WorldTransition
from volition.origin import Origin

__all__ = ["ENVIRONMENT", "NATURE", "EnvironmentComponent"]

ENVIRONMENT = "environment"
NATURE = "nature"


@dataclass(frozen=True)
class EnvironmentComponent:
    """``Environment``, the process that reads channel ``a`` and writes channel ``p``."""

    world: World

    def step(self, state: SlotView) -> Sequence[Choice]:
        """Executes the first action that waits, or takes a step of its own."""
        choices = [
            Choice(_origin(ENVIRONMENT, move), move.outcomes)
            for move in self.world.spontaneous_transitions(state)
        ]
        waiting: tuple[Request, ...] = state[ACTIONS]
        if waiting:
            agent, action = waiting[0]
            for move in self.world.execute(state, agent, action):
                outcomes = [
                    (weight, {**writes, ACTIONS: waiting[1:]}) for weight, writes in move.outcomes
                ]
                choices.append(Choice(_origin(agent, move, str(action)), outcomes))
        return choices

    def change(self, state: SlotView) -> Sequence[Choice]:
        """Percepts that come and go freely: a component of its own, so that fairness does not
        mistake them for the environment's work."""
        return [
            Choice(_origin(NATURE, move), move.outcomes)
            for move in self.world.free_percept_changes(state)
        ]


def _origin(agent: str, move: WorldTransition, action: str | None = None) -> Origin:
    """An action is told as its agent's, though it is the environment that moves."""
    return Origin(agent, ("Environment", move.name), move.text, action, span=move.span)
