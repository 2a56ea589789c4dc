"""The environment as components of the system: it executes the actions that wait for it, and moves by itself (seed 002, Sect. 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volition.kernel.system import Choice, View
from volition.languages.agentspeak.state import ACTIONS, Request
from volition.languages.world.interface import Move, World
from volition.origin import Origin

__all__ = ["ENVIRONMENT", "NATURE", "Environment"]

ENVIRONMENT = "environment"
NATURE = "nature"


@dataclass(frozen=True)
class Environment:
    """``Environment``, the process that reads channel ``a`` and writes channel ``p``."""

    world: World

    def step(self, state: View) -> Sequence[Choice]:
        """Executes the first action that waits, or takes a step of its own."""
        choices = [_choice(ENVIRONMENT, move, ("step",)) for move in self.world.steps(state)]
        waiting: tuple[Request, ...] = state[ACTIONS]
        if waiting:
            first = waiting[0]
            for move in self.world.perform(state, first.agent, first.action):
                choices.append(_choice(ENVIRONMENT, move, ("action",), rest=waiting[1:]))
        return choices

    def change(self, state: View) -> Sequence[Choice]:
        """Percepts that come and go freely: a component of its own, so that fairness does not mistake them for the environment's work."""
        return [_choice(NATURE, move, ("change",)) for move in self.world.changes(state)]


def _choice(name: str, move: Move, rules: tuple[str, ...], rest: tuple[Request, ...] | None = None) -> Choice:
    origin = Origin(name, (*rules, move.name), move.text, span=move.span)
    if rest is None:
        return Choice(origin, move.outcomes)
    return Choice(origin, [(weight, {**writes, ACTIONS: rest}) for weight, writes in move.outcomes])
