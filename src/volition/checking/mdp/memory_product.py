"""Product of an MDP and a finite memory that a strategy may use, such as goals reached so far or
budget left.

A memory value is a number. The caller gives a function that returns the memory after each
transition; it is called with arrays of many transitions at once. Only reachable pairs of state and
memory are built, layer by layer.
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
"""Upper limit (exclusive) of memory values. It allows a pair of state and memory to be encoded as
one 64-bit number."""

Update = Callable[[Indices, Indices, Indices], Indices]
"""Function that returns the memory after transitions, given the memory before them, their choices
and their targets (numbered as in the original MDP)."""


@dataclass(frozen=True)
class MemoryProduct:
    """Product of an MDP and a memory. State i of the product is the original state ``states[i]``
    with memory ``memory[i]``.

    ``mdp.original_choices`` are choice numbers of the explored space; ``choices`` are choice
    numbers of ``base_mdp``, the MDP before the product.
    """

    base_mdp: Mdp = field(repr=False)
    mdp: Mdp
    states: Indices
    memory: Indices
    choices: Indices

    def lift(self, states: Mask) -> Mask:
        """Return the product states whose original state is in the set ``states``."""
        result: Mask = states[self.states]
        return result

    def product_states(self, states: Indices, memory: Indices) -> Indices:
        """Return the numbers of the product states for pairs of an original state and a memory; -1
        for pairs that are not in the product."""
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
    """Return the product of an MDP and a memory, starting from state 0 with each of the ``initial``
    memories.

    ``settled`` takes states and memories, and marks the pairs after which nothing matters for the
    analysis. These pairs only get a self-loop.
    """
    keys = np.unique(np.asarray(initial, dtype=np.int64))  # pairs of state 0 and a memory
    layer = keys
    while len(layer):
        choices, targets, memory = _step(mdp, layer // LIMIT, layer % LIMIT, settled)
        after = targets * LIMIT + update(memory, choices, targets)
        layer = np.unique(after)
        positions = np.searchsorted(keys, layer)
        new = keys[positions.clip(max=len(keys) - 1)] != layer
        layer = layer[new]
        keys = np.insert(keys, positions[new], layer)  # stays sorted
    # The pair of state 0 and the first initial memory gets number 0.
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
    """Return all transitions from the given pairs of state and memory: their choices, their target
    states, and the memory before each transition. Pairs that are ``settled`` are skipped."""
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
    # A settled pair keeps only the first transition of its first choice, redirected to itself.
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
