"""States that are explored when somebody looks at them: for walking through systems that are too
large to be explored.

A :class:`~volition.kernel.StateSpace` and a :class:`GraphOnDemand` can be read in the same way,
which :class:`StateGraph` describes; only the numbers differ.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from volition.kernel.exploration import Limits, explore
from volition.kernel.system import System, identical_value

__all__ = ["LazyStateGraph", "StateGraph"]


class StateGraph(Protocol):
    """States with the choices that there are in them; state 0 is the initial one."""

    @property
    def system(self) -> System: ...

    def values(self, state: int) -> dict[str, Any]:
        """The value of each slot."""

    def value(self, state: int, slot: str) -> Any:
        """The value of one slot."""

    def choices_of(self, state: int) -> range:
        """The numbers of a state's choices."""

    def label(self, choice: int) -> Hashable:
        """Where a choice comes from."""

    def targets_of(self, choice: int) -> npt.NDArray[np.uint32]:
        """The states that a choice leads to."""

    def weights_of(self, choice: int) -> Sequence[Any]:
        """Their probabilities."""


class LazyStateGraph:
    """The states of a system, of which each is explored when its choices are first asked for;
    numbers are given as states are met."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._states: list[dict[str, Any]] = []
        self._numbers: dict[tuple[Any, ...], list[int]] = {}
        self._choices: dict[int, range] = {}
        self._labels: list[Hashable] = []
        self._targets: list[npt.NDArray[np.uint32]] = []
        self._weights: list[Sequence[Any]] = []
        self._intern_state(system.slots)

    def __repr__(self) -> str:
        return f"<GraphOnDemand: {len(self._states):,} states met, {len(self._choices):,} explored>"

    def values(self, state: int) -> dict[str, Any]:
        """The value of each slot."""
        return dict(self._states[state])

    def value(self, state: int, slot: str) -> Any:
        """The value of one slot."""
        return self._states[state][slot]

    def choices_of(self, state: int) -> range:
        """The numbers of a state's choices, which are explored now if nobody has asked for them."""
        if state not in self._choices:
            self._choices[state] = self._expand(state)
        return self._choices[state]

    def label(self, choice: int) -> Hashable:
        """Where a choice comes from."""
        return self._labels[choice]

    def targets_of(self, choice: int) -> npt.NDArray[np.uint32]:
        """The states that a choice leads to."""
        return self._targets[choice]

    def weights_of(self, choice: int) -> Sequence[Any]:
        """Their probabilities."""
        return self._weights[choice]

    def _expand(self, state: int) -> range:
        # The kernel expands exactly one state within this limit.
        near = explore(
            replace(self.system, slots=self._states[state]), limits=Limits(states=1, jobs=1)
        )
        first = len(self._labels)
        for choice in near.choices_of(0):
            self._labels.append(near.label(choice))
            self._targets.append(
                np.array(
                    [
                        self._intern_state(near.values(each))
                        for each in near.targets_of(choice).tolist()
                    ],
                    dtype=np.uint32,
                )
            )
            self._weights.append(near.weights_of(choice))
        return range(first, len(self._labels))

    def _intern_state(self, values: Mapping[str, Any]) -> int:
        """The number of a state, a new one if it was not met before."""
        ordered = tuple(values[slot] for slot in self.system.slots)
        twins = self._numbers.setdefault(ordered, [])
        found = next(
            (each for each in twins if _identical_states(self._states[each].values(), ordered)),
            None,
        )
        if found is None:
            found = len(self._states)
            self._states.append(dict(zip(self.system.slots, ordered, strict=True)))
            twins.append(found)
        return found


def _identical_states(one: Iterable[Any], other: Iterable[Any]) -> bool:
    """Equal values may be different ones for a program, such as 1 and True."""
    return all(identical_value(a, b) for a, b in zip(one, other, strict=True))
