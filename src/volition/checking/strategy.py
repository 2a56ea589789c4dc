"""Strategies: the choice to take in each state, possibly depending on a memory of the run so
far."""

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


# --- memory of strategies -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StepCounterMemory:
    """Strategy memory that counts the steps left: from ``start`` down to 0, by one in each step."""

    start: int

    def items(self, memory: int) -> Mapping[str, str]:
        """Return a memory value as name-value pairs for display next to a state."""
        return {"steps left": str(memory)}

    def as_json(self) -> dict[str, Any]:
        """Return the start value and the update rule of the memory, as JSON data."""
        return {"kind": "steps left", "start": self.start, "update": "one less with each step"}


@dataclass(frozen=True, slots=True)
class AutomatonMemory:
    """Strategy memory with finitely many modes. The next mode depends on which observed formulas
    hold in the state after a step.

    ``observed`` are the texts of state formulas. A letter is a bit set: bit i is set if
    ``observed[i]`` holds. ``after[mode][letter]`` is the next mode. ``start`` is the mode in the
    initial state. ``modes`` describes each mode by name-value pairs for display.
    """

    start: int
    modes: tuple[Mapping[str, str], ...]
    observed: tuple[str, ...]
    after: tuple[tuple[int, ...], ...]

    def items(self, memory: int) -> Mapping[str, str]:
        """Return the description of a mode as name-value pairs for display next to a state."""
        return self.modes[memory]

    def seen(self, letter: int) -> list[str]:
        """Return the texts of the observed formulas that hold according to a letter, a bit set."""
        return [text for number, text in enumerate(self.observed) if letter >> number & 1]

    def as_json(self) -> dict[str, Any]:
        """Return the memory as JSON data: for each mode its description, and the next mode for each
        set of observed formulas that hold in the next state."""
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
    """Strategy memory that summarises the run so far, such as goals reached or budget left. Its
    values can be described for display, but its update rule is not available."""

    items: Callable[[int], Mapping[str, str]]

    def as_json(self) -> None:
        """Return None, because the update rule of this memory is not available."""
        return


Memory = StepCounterMemory | AutomatonMemory | OpaqueMemory


# --- strategies -----------------------------------------------------------------------------------


class StrategyEntry(NamedTuple):
    """Decision of a strategy: a state, the memory in that state (None for a strategy without
    memory), and the choice to take, as its number in the state space."""

    state: int
    memory: int | None
    choice: int


@dataclass(frozen=True, eq=False, repr=False)
class Strategy(HtmlDisplay):
    """Deterministic strategy: the choice to take in each state, or in each pair of state and
    memory.

    ``mdp`` is the MDP that the strategy is for. Its states are those of the space, or the pairs of
    state and memory of ``product``. ``choices`` are numbered as in ``mdp``. The strategy decides
    only in ``decision_states``. ``memory`` describes the memory. ``values`` are the values of the
    states of ``mdp``; they are set only if choices of equal value may be exchanged for each other.
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
        """Number of the state in the explored space for each state of ``mdp``."""
        return np.arange(self.mdp.num_states) if self.product is None else self.product.states

    def __len__(self) -> int:
        """Return the number of reachable states of ``mdp`` in which the strategy makes a
        decision."""
        return int((self.reachable_choices >= 0).sum())

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, state: int) -> int:
        """Return the choice of the strategy in a state of the explored space, or -1 if it makes no
        decision there.

        Raise :class:`LookupError` if the choice depends on the memory.
        """
        found = set(self.reachable_choices[self.states == state].tolist()) - {-1}
        if len(found) > 1:
            raise LookupError(f"the choice in state {state} depends on the memory: see entries()")
        return found.pop() if found else -1

    def __repr__(self) -> str:
        positions = (
            f"{len(self)} states"
            if self.product is None
            else f"{len(self)} pairs of state and memory"
        )
        return f"<Strategy: a choice in each of {positions}>"

    def __getstate__(self) -> dict[str, Any]:
        """Return the pickled form. An opaque memory becomes a table, because functions cannot be
        pickled."""
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
        """Choice of the strategy for each state of ``mdp``, as a number in the explored space; -1
        if the strategy does not reach the state or has nothing to decide there."""
        original = self.mdp.original_choices[self.choices]
        deciding = self.decision_states & (original >= 0)
        chain = self.mdp.induced_chain(self.choices)
        reached = (chain if deciding.all() else chain.with_absorbing(~deciding)).reachable()
        return np.where(deciding & reached, original, -1)

    def entries(self, among: Mask | None = None) -> Iterator[StrategyEntry]:
        """Yield the decisions of the strategy in reachable states, ordered by their number in
        ``mdp``. With ``among``, yield only those in the given states of the explored space."""
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
        """Return the choice of the strategy for each pair of state and memory, as a number in the
        explored space, or -1 if the strategy has none. A strategy without memory ignores the
        memories."""
        if self.product is None:
            return self.reachable_choices[states]
        numbers = self.product.product_states(states, memories)
        return np.where(numbers >= 0, self.reachable_choices[numbers], -1)

    def next_memory(self, situation: StrategyEntry, state: int) -> int | None:
        """Return the memory after a step. ``situation`` is the decision taken (state, memory and
        choice), and ``state`` is the state to which this choice has led. Return None for a strategy
        without memory."""
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
        """Equivalent strategy without memory, if the choices do not depend on the memory; otherwise
        this strategy itself."""
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
