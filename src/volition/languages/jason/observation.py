"""What formulas ask of steps and the state does not say: actions.

A slot for each action that is asked about says whether the environment executed it in the step into
a state.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property

from volition.languages.common.slots import Slot
from volition.languages.jason.terms import Literal, Variable
from volition.languages.jason.unification import unify, without_annotations

__all__ = ["ActionObserver", "ObservedAction"]


@dataclass(frozen=True)
class ObservedAction:
    """``Does(agent, action)``; the action may have variables, or be one, which fit anything."""

    agent: str
    action: Literal | Variable

    @property
    def slot(self) -> Slot:
        return Slot(f"does {self.agent} {self.action}", "memory")

    def fits(self, agent: str, action: Literal) -> bool:
        return (
            agent == self.agent and unify(self.action, without_annotations(action), {}) is not None
        )


@dataclass(frozen=True)
class ActionObserver:
    """All actions that are asked about."""

    watched: tuple[ObservedAction, ...] = ()

    @cached_property
    def otherwise(self) -> Mapping[str, Hashable]:
        """What is to be written in a step in which no action is executed, and the initial
        values."""
        return {each.slot: False for each in self.watched}

    def after(self, agent: str, action: Literal) -> Mapping[str, Hashable]:
        """What is to be written in a step in which an action is executed."""
        return {each.slot: each.fits(agent, action) for each in self.watched}
