"""Strategies that look back: what to do in a state may depend on what happened so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from volition.checking.mdp import Indices, Mask
from volition.checking.unfolding import Unfolding
from volition.checking.verdict import Strategy
from volition.kernel import StateSpace

__all__ = ["RememberingStrategy"]


@dataclass(frozen=True)
class RememberingStrategy:
    """A strategy on an unfolding of a space: ``choices`` are the unfolding's own, one for each pair of state and memory.

    ``so_far`` tells a memory to a person, as the items of a portrait.
    """

    space: StateSpace
    unfolding: Unfolding
    choices: Indices
    so_far: Callable[[int], Mapping[str, str]]

    @cached_property
    def taken(self) -> Indices:
        """For each pair the choice of the space that is taken, -1 where nothing is to be decided any more."""
        taken: Indices = self.unfolding.mdp.original_choices[self.choices]
        return taken

    @cached_property
    def reached(self) -> Mask:
        """The pairs in which the strategy comes to take a choice."""
        return self.unfolding.mdp.under(self.choices).reachable() & (self.taken >= 0)

    @cached_property
    def without_memory(self) -> Strategy | None:
        """The same strategy on the space, if it does the same in a state whatever it remembers."""
        choice = np.full(self.space.num_states, -1, dtype=np.int64)
        pairs = np.flatnonzero(self.reached)
        choice[self.unfolding.states[pairs]] = self.taken[pairs]
        if (choice[self.unfolding.states[pairs]] != self.taken[pairs]).any():
            return None
        return Strategy(self.space, choice)
