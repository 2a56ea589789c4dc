"""Observation of actions for the modality ``Does``, which is about the last transition and
therefore not determined by an agent's state.

For each action in a formula, an additional slot stores whether the environment executed it in the
transition into the current state.
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
    """Agent and action of an atom ``Does(agent, action)``. Variables in the action match anything;
    a variable in place of the action matches any action."""

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
    """Observer of the actions in the atoms ``Does`` of the checked formulas. Each of these actions
    has a slot for whether the last transition executed it. The observer returns the values to write
    to these slots in each transition."""

    watched: tuple[ObservedAction, ...] = ()

    @cached_property
    def otherwise(self) -> Mapping[str, Hashable]:
        """Slot values to write in a transition that executes no action: False for each observed
        action. They are also the initial values."""
        return {each.slot: False for each in self.watched}

    def after(self, agent: str, action: Literal) -> Mapping[str, Hashable]:
        """Return the slot values to write in a transition in which the environment executes
        ``action`` for ``agent``. Each observed action has one slot. Its new value is True if the
        observed action matches ``action`` and ``agent``, otherwise False."""
        return {each.slot: each.fits(agent, action) for each in self.watched}
