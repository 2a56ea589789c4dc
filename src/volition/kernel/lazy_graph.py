"""State graph that is explored on demand, to walk through systems too large for full exploration.

:class:`LazyStateGraph` has the interface :class:`StateGraph`, which
:class:`~volition.kernel.StateSpace` has too. The two classes number states and choices differently.
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
    """Interface of a graph of states and their choices. State 0 is the initial state of the system."""

    @property
    def system(self) -> System: ...

    def values(self, state: int) -> dict[str, Any]:
        """Return the value of each slot in a state, by slot name."""

    def value(self, state: int, slot: str) -> Any:
        """Return the value of one slot in a state."""

    def choices_of(self, state: int) -> range:
        """Return the numbers of a state's choices."""

    def label(self, choice: int) -> Hashable:
        """Return the label of a choice, which describes the origin of the choice in the program."""

    def targets_of(self, choice: int) -> npt.NDArray[np.uint32]:
        """Return the numbers of the states that a choice can lead to."""

    def weights_of(self, choice: int) -> Sequence[Any]:
        """Return the probabilities of a choice's targets, in the order of ``targets_of``."""


class LazyStateGraph:
    """State graph of a system in which each state is expanded when its choices are first requested.
    States are numbered in the order in which they are found."""

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
        return (
            f"<LazyStateGraph: {len(self._states):,} states found, {len(self._choices):,} explored>"
        )

    def values(self, state: int) -> dict[str, Any]:
        """Return the value of each slot in a state, by slot name."""
        return dict(self._states[state])

    def value(self, state: int, slot: str) -> Any:
        """Return the value of one slot in a state."""
        return self._states[state][slot]

    def choices_of(self, state: int) -> range:
        """Return the numbers of a state's choices; expand the state first if necessary."""
        if state not in self._choices:
            self._choices[state] = self._expand(state)
        return self._choices[state]

    def label(self, choice: int) -> Hashable:
        """Return the label of a choice, which describes the origin of the choice in the program."""
        return self._labels[choice]

    def targets_of(self, choice: int) -> npt.NDArray[np.uint32]:
        """Return the numbers of the states that a choice can lead to."""
        return self._targets[choice]

    def weights_of(self, choice: int) -> Sequence[Any]:
        """Return the probabilities of a choice's targets, in the order of ``targets_of``."""
        return self._weights[choice]

    def _expand(self, state: int) -> range:
        # With this limit the kernel expands exactly one state.
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
        """Return the number of the state with these slot values; assign a new number if the state
        is new."""
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
    """Return whether two states, each given by its slot values, are identical. Values that are
    equal but distinguishable by a program, such as ``1`` and ``True``, are not identical."""
    return all(identical_value(a, b) for a, b in zip(one, other, strict=True))
