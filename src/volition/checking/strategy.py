"""Strategies: which choice to take in each state, perhaps depending on what happened so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from volition.checking.mdp.mdp import Mdp
from volition.checking.mdp.memory_product import MemoryProduct
from volition.display import HtmlDisplay
from volition.kernel import StateSpace
from volition.kernel.arrays import Indices, Mask, NumberArray

__all__ = [
    "AutomatonMemory",
    "Memory",
    "OpaqueMemory",
    "StepCounterMemory",
    "Strategy",
    "StrategyEntry",
]


# --- what may be remembered -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StepCounterMemory:
    """A memory that counts down from ``start`` to 0, by one with each step."""

    start: int

    def items(self, memory: int) -> Mapping[str, str]:
        """A memory told to a person, as the items of a portrait."""
        return {"steps left": str(memory)}

    def as_json(self) -> dict[str, Any]:
        """Where it begins, and how it changes."""
        return {"kind": "steps left", "start": self.start, "update": "one less with each step"}


@dataclass(frozen=True, slots=True)
class AutomatonMemory:
    """A memory that is one of some modes, each told by its items; it changes with what is seen in
    the state after a step.

    Bit i of a letter says whether ``observed[i]``, the text of a state formula, holds there;
    ``after[mode][letter]`` is the next mode.  ``start`` is the mode in the initial state.
    """

    start: int
    modes: tuple[Mapping[str, str], ...]
    observed: tuple[str, ...]
    after: tuple[tuple[int, ...], ...]

    def items(self, memory: int) -> Mapping[str, str]:
        """A memory told to a person, as the items of a portrait."""
        return self.modes[memory]

    def seen(self, letter: int) -> list[str]:
        """What holds according to a letter."""
        return [text for number, text in enumerate(self.observed) if letter >> number & 1]

    def as_json(self) -> dict[str, Any]:
        """For each mode its items, and the next mode for each set of observed formulas that may
        hold in the next state."""
        modes = [
            {
                "items": dict(items),
                "next": [
                    {"seen": self.seen(letter), "mode": mode} for letter, mode in enumerate(after)
                ],
            }
            for items, after in zip(self.modes, self.after, strict=True)
        ]
        return {
            "kind": "modes",
            "start": self.start,
            "observed": list(self.observed),
            "modes": modes,
        }


@dataclass(frozen=True, slots=True)
class OpaqueMemory:
    """A memory of what a run has come to, such as goals met or money left: it can be told, but not
    kept by its own rule."""

    items: Callable[[int], Mapping[str, str]]

    def as_json(self) -> None:
        """There is no rule to tell."""
        return


Memory = StepCounterMemory | AutomatonMemory | OpaqueMemory


# --- strategies -----------------------------------------------------------------------------------


class StrategyEntry(NamedTuple):
    """A state, what is remembered there (None where nothing needs to be), and the choice of the
    space that is taken."""

    state: int
    memory: int | None
    choice: int


@dataclass(frozen=True, eq=False, repr=False)
class Strategy(HtmlDisplay):
    """A deterministic strategy: the choice to take in each situation, which is a state, together
    with a memory where it needs one.

    ``mdp`` is the process that it is made for: its states are the situations, either those of the
    space or the pairs of state and memory of an ``unfolding``.  ``choices`` are in the numbering of
    that process.  Only where something is ``open`` the strategy decides. ``memory`` tells what is
    remembered.  ``values`` are what situations are worth, where choices that are worth the same may
    be exchanged for each other.
    """

    space: StateSpace
    mdp: Mdp = field(repr=False)
    choices: Indices = field(repr=False)
    decision_states: Mask = field(repr=False)
    product: MemoryProduct | None = field(default=None, repr=False)
    memory: Memory | None = None
    values: NumberArray | None = field(default=None, repr=False)

    @cached_property
    def states(self) -> Indices:
        """The state of each situation."""
        return np.arange(self.mdp.num_states) if self.product is None else self.product.states

    def __len__(self) -> int:
        """In how many situations it comes to decide."""
        return int((self.reachable_choices >= 0).sum())

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, state: int) -> int:
        """The choice in a state, -1 where there is none; raises :class:`LookupError` where it
        depends on what is remembered."""
        found = set(self.reachable_choices[self.states == state].tolist()) - {-1}
        if len(found) > 1:
            raise LookupError(
                f"the choice in state {state} depends on what is remembered: see situations()"
            )
        return found.pop() if found else -1

    def __repr__(self) -> str:
        positions = (
            f"{len(self)} states"
            if self.product is None
            else f"{len(self)} situations, with a memory"
        )
        return f"<Strategy: a choice in each of {positions}>"

    def __getstate__(self) -> dict[str, Any]:
        """What a run has come to is pickled as a table: functions cannot travel."""
        state = {each.name: getattr(self, each.name) for each in fields(self)}
        if isinstance(self.memory, OpaqueMemory) and self.product is not None:
            texts = {
                int(memory): dict(self.memory.items(int(memory)))
                for memory in np.unique(self.product.memory)
            }
            state["memory"] = OpaqueMemory(texts.__getitem__)
        return state

    @cached_property
    def reachable_choices(self) -> Indices:
        """For each situation the choice of the space that is taken, -1 where the strategy does not
        get, or has nothing to decide."""
        original = self.mdp.original_choices[self.choices]
        deciding = self.decision_states & (original >= 0)
        chain = self.mdp.induced_chain(self.choices)
        reached = (chain if deciding.all() else chain.with_absorbing(~deciding)).reachable()
        return np.where(deciding & reached, original, -1)

    def entries(self, among: Mask | None = None) -> Iterator[StrategyEntry]:
        """The situations in which the strategy comes to decide, in the order of their numbers;
        those in some states only, if given."""
        requested = (
            self.reachable_choices >= 0
            if among is None
            else (self.reachable_choices >= 0) & among[self.states]
        )
        for number in np.flatnonzero(requested).tolist():
            memory = None if self.product is None else int(self.product.memory[number])
            yield StrategyEntry(
                int(self.states[number]), memory, int(self.reachable_choices[number])
            )

    __iter__ = entries

    def choices_in(self, states: Indices, memories: Indices) -> Indices:
        """The choice of the space in each of some situations, -1 where the strategy says nothing;
        memories count where it has one."""
        if self.product is None:
            return self.reachable_choices[states]
        numbers = self.product.product_states(states, memories)
        return np.where(numbers >= 0, self.reachable_choices[numbers], -1)

    def next_memory(self, situation: StrategyEntry, state: int) -> int | None:
        """What is remembered after the choice of a situation has led to a state; None for a
        strategy without memory."""
        if self.product is None or situation.memory is None:
            return None
        (number,) = self.product.product_states(
            np.array([situation.state]), np.array([situation.memory])
        )
        choice = self.choices[number]
        targets = self.mdp.targets[
            self.mdp.first_transition[choice] : self.mdp.first_transition[choice + 1]
        ]
        return next(
            int(self.product.memory[each]) for each in targets if self.product.states[each] == state
        )

    @cached_property
    def memoryless_if_possible(self) -> Strategy:
        """The same strategy without a memory, if it does the same in a state whatever it remembers;
        else this one."""
        if self.product is None:
            return self
        numbers = np.flatnonzero(self.reachable_choices >= 0)
        states = self.states[numbers]
        process = self.product.base_mdp
        taken = np.full(process.num_states, -1, dtype=np.int64)
        taken[states] = self.reachable_choices[numbers]
        if (taken[states] != self.reachable_choices[numbers]).any():
            return self
        choices = process.first_choice[:-1].copy()
        choices[states] = self.product.choices[self.choices[numbers]]
        return Strategy(self.space, process, choices, taken >= 0)
