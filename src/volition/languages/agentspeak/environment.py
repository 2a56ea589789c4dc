"""Components of the system for the environment (Bordini et al., Sect. 4.1). The environment
executes the actions that agents request, and may change spontaneously."""

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
    """The process ``Environment`` of Bordini et al., Sect. 4.1: it reads requested actions from
    channel ``a`` and writes percepts to channel ``p``."""

    world: World

    def step(self, state: SlotView) -> Sequence[Choice]:
        """Return the choices of the environment: to execute the first requested action, or to
        change spontaneously."""
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
        """Return the choices that change free percepts, which may appear and disappear at any time.
        They belong to a component of their own, so that fairness does not count these changes as
        steps of the environment."""
        return [
            Choice(_origin(NATURE, move), move.outcomes)
            for move in self.world.free_percept_changes(state)
        ]


def _origin(agent: str, move: WorldTransition, action: str | None = None) -> Origin:
    """Return the label of a step of the world, which says who acts and why. An action is attributed
    to the agent that requested it, although the environment executes it."""
    return Origin(agent, ("Environment", move.name), move.text, action, span=move.span)
