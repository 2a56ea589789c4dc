"""Observation of actions for ``Does``, whose truth is not part of an agent's state.

For each observed action a slot stores whether the environment executed it in the step into the
current state.
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
    """Action of an atom ``Does(agent, action)``. Its variables match anything; a variable as the
    action matches any action."""

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
    """All observed actions, and the slot values to write after each step."""

    watched: tuple[ObservedAction, ...] = ()

    @cached_property
    def otherwise(self) -> Mapping[str, Hashable]:
        """Writes for a step that executes no action. They are also the initial values."""
        return {each.slot: False for each in self.watched}

    def after(self, agent: str, action: Literal) -> Mapping[str, Hashable]:
        """Return the writes for a step that executes an action."""
        return {each.slot: each.fits(agent, action) for each in self.watched}
