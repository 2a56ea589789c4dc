"""Strategies: which choice to take in each state, perhaps depending on what happened so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from volition.checking.mdp.memory_product import Unfolding
from volition.kernel import StateSpace
from volition.kernel.arrays import Indices, Mask

__all__ = ["Memory", "Modes", "RememberingStrategy", "StepsLeft", "Strategy"]


@dataclass(frozen=True, slots=True)
class Strategy:
    """A memoryless deterministic strategy: the choice to take in each state that it reaches, -1 in the others."""

    space: StateSpace
    choice: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StepsLeft:
    """A memory that counts down from ``start`` to 0, by one with each step."""

    start: int

    def items(self, memory: int) -> dict[str, str]:
        """A memory told to a person, as the items of a portrait."""
        return {"steps left": str(memory)}

    def as_json(self) -> dict[str, Any]:
        return {"kind": "steps left", "start": self.start, "update": "one less with each step"}


@dataclass(frozen=True, slots=True)
class Modes:
    """A memory that is one of some modes, each told by its items; it changes with what is seen in the state after a step.

    Bit i of a letter says whether ``observed[i]``, the text of a state formula, holds there; ``after[mode][letter]`` is the next
    mode.  ``start`` is the mode in the initial state.
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
        """For each mode its items, and the next mode for each set of observed formulas that may hold in the next state."""
        modes = [
            {"items": dict(items), "next": [{"seen": self.seen(letter), "mode": mode} for letter, mode in enumerate(after)]}
            for items, after in zip(self.modes, self.after, strict=True)
        ]
        return {"kind": "modes", "start": self.start, "observed": list(self.observed), "modes": modes}


Memory = StepsLeft | Modes


@dataclass(frozen=True)
class RememberingStrategy:
    """A strategy on an unfolding of a space: ``choices`` are the unfolding's own, one for each pair of state and memory.

    ``so_far`` tells a memory to a person, as the items of a portrait.  ``memory`` says how it changes, where it can be kept by an agent
    that sees nothing but its own steps.  In ``settled`` pairs nothing is to be decided any more.  ``values`` are what pairs are worth,
    where choices that are worth the same may be exchanged for each other.
    """

    space: StateSpace
    unfolding: Unfolding
    choices: Indices
    so_far: Callable[[int], Mapping[str, str]]
    memory: Memory | None = None
    settled: Mask | None = None
    values: npt.NDArray[Any] | None = None

    @cached_property
    def taken(self) -> Indices:
        """For each pair the choice of the space that is taken, -1 where nothing is to be decided any more."""
        taken: Indices = self.unfolding.mdp.original_choices[self.choices]
        return taken if self.settled is None else np.where(self.settled, -1, taken)

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
