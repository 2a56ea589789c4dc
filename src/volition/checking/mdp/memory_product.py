"""A process together with a memory: what a strategy may look back on, such as goals reached so far
or money left.

The memory is a number.  It changes with each transition in a way that the caller says, for many
transitions at once.  Only pairs of state and memory that can be reached are made, layer by layer,
with arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from volition.checking.mdp.mdp import Mdp
from volition.kernel.arrays import Indices, Mask, concatenated_ranges, offsets_of

__all__ = ["MemoryProduct", "build_memory_product"]

LIMIT = 1 << 32
"""No memory is as large: a pair of state and memory is one number."""

Update = Callable[[Indices, Indices, Indices], Indices]
"""The memory after transitions: from the memory before them, their choices and their targets (in
the original process)."""


@dataclass(frozen=True)
class MemoryProduct:
    """A process over pairs: pair number i is the original state ``states[i]`` with memory
    ``memory[i]``.

    ``mdp.original_choices`` still are the numbers of the explored space, and ``choices`` those of
    the ``process`` that was unfolded.
    """

    base_mdp: Mdp = field(repr=False)
    mdp: Mdp
    states: Indices
    memory: Indices
    choices: Indices

    def lift(self, states: Mask) -> Mask:
        """A set of original states as a set of pairs."""
        result: Mask = states[self.states]
        return result

    def product_states(self, states: Indices, memory: Indices) -> Indices:
        """The numbers of some pairs, -1 for those that are not reached."""
        keys, order = self._in_order
        requested = states * LIMIT + memory
        positions = np.searchsorted(keys, requested).clip(max=len(keys) - 1)
        return np.where(keys[positions] == requested, order[positions], -1)

    @cached_property
    def _in_order(self) -> tuple[Indices, Indices]:
        keys = self.states * LIMIT + self.memory
        order = np.argsort(keys)
        return keys[order], order


def build_memory_product(
    mdp: Mdp,
    initial: Indices,
    update: Update,
    *,
    settled: Callable[[Indices, Indices], Mask] | None = None,
) -> MemoryProduct:
    """The process with memory, from state 0 with each of the initial memories.

    ``settled`` says, from states and memories, where nothing matters any more: these pairs only
    loop.
    """
    keys = np.unique(np.asarray(initial, dtype=np.int64))  # state 0 with the memory
    layer = keys
    while len(layer):
        choices, targets, memory = _step(mdp, layer // LIMIT, layer % LIMIT, settled)
        after = targets * LIMIT + update(memory, choices, targets)
        layer = np.unique(after)
        positions = np.searchsorted(keys, layer)
        new = keys[positions.clip(max=len(keys) - 1)] != layer
        layer = layer[new]
        keys = np.insert(keys, positions[new], layer)  # still in order
    # The initial pair comes first, as state 0 does.
    first = int(np.searchsorted(keys, int(np.asarray(initial)[0])))
    order = np.concatenate([[first], np.delete(np.arange(len(keys)), first)])
    number_of = np.empty(len(keys), dtype=np.int64)
    number_of[order] = np.arange(len(keys))
    states, memory = keys[order] // LIMIT, keys[order] % LIMIT
    return _assembled(
        mdp, states, memory, update, settled, lambda key: number_of[np.searchsorted(keys, key)]
    )


def _step(
    mdp: Mdp, states: Indices, memory: Indices, settled: Callable[[Indices, Indices], Mask] | None
) -> tuple[Indices, Indices, Indices]:
    """Every transition out of the pairs: its choice, its target, and the memory before it."""
    if settled is not None:
        going = ~settled(states, memory)
        states, memory = states[going], memory[going]
    begin = mdp.first_transition[mdp.first_choice[states]]
    counts = mdp.first_transition[mdp.first_choice[states + 1]] - begin
    transitions = concatenated_ranges(begin, counts)
    return (
        mdp.transition_choices[transitions],
        mdp.targets[transitions].astype(np.int64),
        np.repeat(memory, counts),
    )


def _assembled(
    mdp: Mdp,
    states: Indices,
    memory: Indices,
    update: Update,
    settled: Callable[[Indices, Indices], Mask] | None,
    number_of: Callable[[Indices], Indices],
) -> MemoryProduct:
    still = np.zeros(len(states), dtype=np.bool_) if settled is None else settled(states, memory)
    # A settled pair keeps the first choice of its state and the first transition of that, turned
    # into a loop.
    per_pair = np.where(still, 1, np.diff(mdp.first_choice)[states])
    choices = concatenated_ranges(mdp.first_choice[states], per_pair)
    looping = np.repeat(still, per_pair)
    per_choice = np.where(looping, 1, np.diff(mdp.first_transition)[choices])
    transitions = concatenated_ranges(mdp.first_transition[choices], per_choice)
    on_loop = np.repeat(looping, per_choice)
    pairs = np.repeat(np.arange(len(states)), per_pair)
    sources = np.repeat(pairs, per_choice)
    followers = mdp.targets[transitions].astype(np.int64)
    memory_after = update(memory[sources], mdp.transition_choices[transitions], followers)
    going = ~on_loop
    targets = sources.copy()
    targets[going] = number_of(followers[going] * LIMIT + memory_after[going])
    weights = (*mdp.weights, 1)
    unfolded = Mdp(
        first_choice=offsets_of(per_pair),
        first_transition=offsets_of(per_choice),
        targets=targets.astype(np.uint32),
        weight_ids=np.where(on_loop, np.uint32(len(mdp.weights)), mdp.weight_ids[transitions]),
        weights=weights,
        rewards=mdp.rewards.changed(
            lambda each: each.with_arrays(
                np.where(still, 0, each.of_states[states]),
                np.where(looping, 0, each.of_choices[choices]),
            )
        ),
        frontier=mdp.frontier[states],
        choice_origins=np.where(looping, -1, mdp.original_choices[choices]),
    )
    return MemoryProduct(mdp, unfolded, states, memory, choices)
