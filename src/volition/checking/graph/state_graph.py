"""The state space as a plain graph, with the three operators of which all of CTL is made.

Where the space was not explored to its end, states on the frontier have no successors; callers say whether such a state
counts as one that could do anything.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from volition.kernel import StateSpace, _native
from volition.kernel.arrays import Mask

__all__ = ["StateGraph"]


class StateGraph:
    """Successors of states, whatever the choice and its probabilities (Clarke, Emerson and Sistla 1986)."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        self.offsets = space.first_transition[space.first_choice]
        self.targets = space.targets

    @cached_property
    def _backward(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
        return _native.reversed_graph(self.offsets, self.targets)

    @cached_property
    def everywhere(self) -> Mask:
        return np.ones(self.space.num_states, dtype=np.bool_)

    @cached_property
    def frontier(self) -> Mask:
        """States that were found but not explored."""
        return np.arange(self.space.num_states) >= self.space.num_expanded

    def exists_next(self, inside: Mask) -> Mask:
        """EX: some successor is inside."""
        return _native.some_successor(self.offsets, self.targets, inside)

    def exists_until(self, through: Mask, goal: Mask, steps: int | None = None) -> Mask:
        """EU: some path through ``through`` reaches ``goal``, within so many steps."""
        return _native.can_reach(*self._backward, goal, through, steps)

    def exists_globally(self, inside: Mask) -> Mask:
        """EG: some infinite path stays inside."""
        return _native.can_stay(self.offsets, self.targets, *self._backward, inside)
