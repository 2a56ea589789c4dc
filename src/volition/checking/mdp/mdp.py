"""A Markov decision process as bare arrays: what the quantitative engine and the analyses work on.

It is a view of an explored space: the space's own arrays, in its numbering of states and choices,
so that answers can be told in the agent's words.  Only where the space was not explored to its end
they are made longer, by a loop for each unexplored state.  Derived processes (some choices only,
some states absorbing, other probabilities) share what they do not change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from volition.checking.mdp.rewards import RewardArrays, rewards_of
from volition.kernel import StateSpace, _native
from volition.kernel.arrays import Floats, Indices, Mask, ShortIndices, offsets_of, take_blockwise

__all__ = ["Mdp", "RewardArrays", "Rewards"]


class Rewards(Mapping[str, RewardArrays]):
    """The rewards of a process by their names; the arrays of each are made when they are first
    looked at."""

    def __init__(self, names: Sequence[str], make: Callable[[str], RewardArrays]) -> None:
        self._names = tuple(names)
        self._make = make
        self._made: dict[str, RewardArrays] = {}

    def __getitem__(self, name: str) -> RewardArrays:
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._make(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled with all arrays: functions cannot travel."""
        return Rewards, (self._names, {name: self[name] for name in self}.__getitem__)

    def changed(self, change: Callable[[RewardArrays], RewardArrays]) -> Rewards:
        """The rewards of a process that is made from this one."""
        return Rewards(self._names, lambda name: change(self[name]))


@dataclass(frozen=True)
class Mdp:
    """States ▶ choices ▶ transitions, with probabilities by reference: few weights, many
    transitions.

    Every state has a choice.  ``renumbered`` gives the number that each choice has in the explored
    space, -1 where it has none; None where all have the same number as there.  ``frontier`` marks
    states that were found but not explored; they loop here and mean nothing yet.  Weights may have
    open parameters.
    """

    first_choice: Indices
    first_transition: Indices
    targets: ShortIndices
    weight_ids: ShortIndices
    weights: Sequence[Any]
    rewards: Rewards
    frontier: Mask = field(repr=False)
    choice_origins: Indices | None = None

    @classmethod
    def from_space(cls, space: StateSpace) -> Mdp:
        """The process of an explored space; unexplored states get a loop that earns nothing."""
        rewards = Rewards(space.reward_names, lambda name: rewards_of(space, name))
        if space.complete:
            weights, nowhere = tuple(space.weights), np.zeros(space.num_states, dtype=np.bool_)
            return cls(
                space.first_choice,
                space.first_transition,
                space.targets,
                space.weight_ids,
                weights,
                rewards,
                nowhere,
            )
        explored, states = space.num_expanded, space.num_states
        unexplored = np.arange(explored, states)
        loops = np.arange(1, len(unexplored) + 1)
        # The kernel's weight number 0 is the certain one.
        certain = np.zeros(len(unexplored), dtype=np.uint32)
        frontier = np.zeros(states, dtype=np.bool_)
        frontier[explored:] = True
        return cls(
            first_choice=np.concatenate(
                [space.first_choice[: explored + 1], space.num_choices + loops]
            ),
            first_transition=np.concatenate(
                [space.first_transition, space.num_transitions + loops]
            ),
            targets=np.concatenate([space.targets, unexplored], dtype=np.uint32, casting="unsafe"),
            weight_ids=np.concatenate([space.weight_ids, certain]),
            weights=tuple(space.weights),
            rewards=rewards,
            choice_origins=np.concatenate(
                [np.arange(space.num_choices), np.full(len(unexplored), -1)]
            ),
            frontier=frontier,
        )

    # --- figures ----------------------------------------------------------------------------------

    @property
    def num_states(self) -> int:
        return len(self.first_choice) - 1

    @property
    def num_choices(self) -> int:
        return len(self.first_transition) - 1

    @property
    def num_transitions(self) -> int:
        return len(self.targets)

    @property
    def is_markov_chain(self) -> bool:
        """Whether nothing is left to choose: the process is a Markov chain."""
        return self.num_choices == self.num_states

    @cached_property
    def original_choices(self) -> Indices:
        """The number of each choice in the explored space, -1 where it has none."""
        return np.arange(self.num_choices) if self.choice_origins is None else self.choice_origins

    @cached_property
    def probabilities(self) -> Floats:
        """Probabilities as floating point numbers; one that is positive is so here too, however
        small."""
        minimum = float(np.finfo(np.float64).smallest_normal)
        return take_blockwise(
            np.array([max(float(weight), minimum) if weight else 0.0 for weight in self.weights]),
            self.weight_ids,
        )

    @cached_property
    def choice_states(self) -> Indices:
        """The state of each choice."""
        return np.repeat(np.arange(self.num_states), np.diff(self.first_choice))

    @cached_property
    def transition_choices(self) -> Indices:
        """The choice of each transition."""
        return np.repeat(np.arange(self.num_choices), np.diff(self.first_transition))

    @cached_property
    def matrix(self) -> sparse.csr_array:
        """Probabilities as a sparse matrix, one row for each choice, one column for each state."""
        shape = (self.num_choices, self.num_states)
        return sparse.csr_array(
            (self.probabilities, self.targets, self.first_transition), shape=shape
        )

    @cached_property
    def graph(self) -> sparse.csr_array:
        """Which states follow which, whatever is chosen, as a sparse matrix of ones."""
        starts = self.first_transition[self.first_choice]
        ones = np.ones(self.num_transitions, dtype=np.int8)
        # A state's choices may lead to the same state: the entries stay apart, which graph searches
        # do not mind.
        return sparse.csr_array(
            (ones, self.targets, starts), shape=(self.num_states, self.num_states)
        )

    def choices_into(self, states: Mask) -> Mask:
        """The choices that may lead into some states."""
        return _native.some_successor(self.first_transition, self.targets, states)

    def reachable(self, start: int = 0) -> Mask:
        """The states that can be reached from one state."""
        order = sparse.csgraph.breadth_first_order(self.graph, start, return_predecessors=False)
        found = np.zeros(self.num_states, dtype=np.bool_)
        found[order] = True
        return found

    def largest_strong_component(self) -> int:
        """How many states lie together on cycles, at most."""
        _, component = sparse.csgraph.connected_components(
            self.graph, directed=True, connection="strong"
        )
        return int(np.bincount(component).max())

    def bfs_prefix_sizes(self) -> list[int]:
        """For 0, 1, ... steps: how many of the first states contain all that the initial one
        reaches within them, until it is no more.

        The kernel numbers states in the order in which it finds them, nearest first, so there are
        few others among them.
        """
        furthest = np.maximum.accumulate(self.targets)
        sizes = [0, 1]
        while sizes[-1] > sizes[-2]:
            end = self.first_transition[self.first_choice[sizes[-1]]]
            sizes.append(max(sizes[-1], int(furthest[end - 1]) + 1))
        return sizes[1:-1]

    def expected_next(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What each choice is worth if the states that it leads to are worth ``values``; keeps
        fractions exact."""
        exact = values.dtype == np.object_
        weights = (
            np.array([Fraction(weight) for weight in self.weights], dtype=object)[self.weight_ids]
            if exact
            else self.probabilities
        )
        result: npt.NDArray[Any] = np.add.reduceat(
            weights * values[self.targets], self.first_transition[:-1]
        )
        return result

    def bellman_backup(
        self,
        values: npt.NDArray[Any],
        optimum: Literal["min", "max"],
        first: int | None = None,
        *,
        gains: npt.NDArray[Any] | None = None,
    ) -> npt.NDArray[Any]:
        """What the ``first`` so many states (None: all) are worth one step before they are worth
        ``values``, which are not negative.

        Choices earn ``gains`` on top, which are not negative either.  Keeps fractions exact.  In
        floating point a positive number stays positive: it is raised to the least normal one.
        """
        first_choice = self.first_choice if first is None else self.first_choice[: first + 1]
        if values.dtype != np.object_ and gains is None:
            return _native.best_before(
                first_choice,
                self.first_transition,
                self.targets,
                self.probabilities,
                values,
                least=optimum == "min",
            )
        best = np.maximum if optimum == "max" else np.minimum
        value = self.expected_next(values)
        if values.dtype != np.object_:
            minimum = float(np.finfo(np.float64).smallest_normal)
            vanished = (value < minimum) & np.logical_or.reduceat(
                values[self.targets] > 0, self.first_transition[:-1]
            )
            value = np.where(vanished, minimum, value)
        if gains is not None:
            value = value + gains
        result: npt.NDArray[Any] = best.reduceat(value[: first_choice[-1]], first_choice[:-1])
        return result

    # --- processes made from this one -------------------------------------------------------------

    def restricted_to(self, kept: Mask) -> Mdp:
        """The process in which only some choices are left; each state must keep one."""
        kept_transitions = kept[self.transition_choices]
        counts = np.diff(self.first_transition)[kept]
        kept_per_state = np.add.reduceat(kept, self.first_choice[:-1], dtype=np.int64)
        assert kept_per_state.all(), "every state keeps a choice"
        return replace(
            self,
            first_choice=offsets_of(kept_per_state),
            first_transition=offsets_of(counts),
            targets=self.targets[kept_transitions],
            weight_ids=self.weight_ids[kept_transitions],
            rewards=self.rewards.changed(
                lambda each: each.with_arrays(each.of_states, each.of_choices[kept])
            ),
            choice_origins=self.original_choices[kept],
        )

    def part(self, states: Mask, choices: Mask) -> Mdp:
        """Return the process of some states and some of their choices: each keeps one, and none
        leads out of them."""
        kept = choices & states[self.choice_states]
        number_of = np.cumsum(states) - 1
        smaller = self.restricted_to(kept | ~states[self.choice_states])
        inside = states[smaller.choice_states]
        transitions = inside[smaller.transition_choices]
        return replace(
            smaller,
            first_choice=offsets_of(np.diff(smaller.first_choice)[states]),
            first_transition=offsets_of(np.diff(smaller.first_transition)[inside]),
            targets=number_of[smaller.targets[transitions]].astype(np.uint32),
            weight_ids=smaller.weight_ids[transitions],
            rewards=smaller.rewards.changed(
                lambda each: each.with_arrays(each.of_states[states], each.of_choices[inside])
            ),
            frontier=self.frontier[states],
            choice_origins=smaller.original_choices[inside],
        )

    def induced_chain(self, choice_of: Indices) -> Mdp:
        """The Markov chain of a strategy that takes ``choice_of[s]`` (this process's numbering) in
        each state."""
        kept = np.zeros(self.num_choices, dtype=np.bool_)
        kept[choice_of] = True
        return self.restricted_to(kept)

    def uniform_chain(self) -> Mdp:
        """The Markov chain in which all choices of a state are equally likely."""
        counts = np.diff(self.first_choice)
        shares = sparse.csr_array(
            (1 / np.repeat(counts, counts), np.arange(self.num_choices), self.first_choice)
        )
        together: sparse.csr_array = (shares @ self.matrix).tocsr()
        together.sort_indices()
        weights, weight_ids = np.unique(together.data, return_inverse=True)
        return replace(
            self,
            first_choice=np.arange(self.num_states + 1),
            first_transition=together.indptr.astype(np.int64),
            targets=together.indices.astype(np.uint32),
            weight_ids=weight_ids.astype(np.uint32),
            weights=tuple(weights.tolist()),
            rewards=self.rewards.changed(
                lambda each: each.with_arrays(each.of_states, shares @ each.of_choices)
            ),
            choice_origins=np.full(self.num_states, -1),
        )

    def with_absorbing(self, states: Mask) -> Mdp:
        """The process in which some states are left no more: one choice each, a loop that earns
        nothing."""
        first = np.zeros(self.num_choices, dtype=np.bool_)
        first[self.first_choice[:-1]] = True
        smaller = self.restricted_to(~states[self.choice_states] | first)
        looping = states[smaller.choice_states]
        counts = np.where(looping, 1, np.diff(smaller.first_transition))
        leads = np.zeros(smaller.num_transitions, dtype=np.bool_)
        leads[smaller.first_transition[:-1]] = True
        kept = ~looping[smaller.transition_choices] | leads
        on_loop = looping[smaller.transition_choices][kept]
        weights = (*smaller.weights, 1)
        return replace(
            smaller,
            first_transition=offsets_of(counts),
            targets=np.where(
                on_loop,
                smaller.choice_states[smaller.transition_choices][kept],
                smaller.targets[kept],
            ).astype(np.uint32),
            weight_ids=np.where(on_loop, np.uint32(len(weights) - 1), smaller.weight_ids[kept]),
            weights=weights,
            choice_origins=np.where(looping, -1, smaller.original_choices),
            rewards=smaller.rewards.changed(
                lambda each: each.with_arrays(
                    np.where(states, 0.0, each.of_states), np.where(looping, 0.0, each.of_choices)
                )
            ),
        )

    def with_weights(self, weights: Sequence[Any]) -> Mdp:
        """The same graph with other probabilities."""
        assert len(weights) == len(self.weights)
        return replace(self, weights=tuple(weights))

    def without_zero_transitions(self) -> Mdp:
        """The same process without the transitions that have probability 0: an engine takes every
        transition for possible."""
        if all(weight != 0 for weight in self.weights):
            return self
        possible = np.array([weight != 0 for weight in self.weights])[self.weight_ids]
        if possible.all():
            return self
        counts = np.add.reduceat(possible, self.first_transition[:-1], dtype=np.int64)
        return replace(
            self,
            first_transition=offsets_of(counts),
            targets=self.targets[possible],
            weight_ids=self.weight_ids[possible],
        )

    def with_outcomes_as_choices(self) -> Mdp:
        """The same graph with each outcome as a choice of its own."""
        return replace(
            self,
            first_choice=self.first_transition[self.first_choice],
            first_transition=np.arange(self.num_transitions + 1),
            weight_ids=np.zeros(self.num_transitions, dtype=np.uint32),
            weights=(Fraction(1),),
            rewards=Rewards((), self.rewards.__getitem__),
            choice_origins=self.original_choices[self.transition_choices],
        )

    def at_nominal_values(self) -> Mdp:
        """The same process with numbers for probabilities: those with open parameters at their
        nominal values."""
        if all(isinstance(weight, int | float | Fraction) for weight in self.weights):
            return self
        numbers = [
            weight
            if isinstance(weight, int | float | Fraction)
            else weight.at(weight.space.nominal)
            for weight in self.weights
        ]
        return self.with_weights(numbers)

    def with_rewards(self, rewards: Mapping[str, RewardArrays]) -> Mdp:
        """The same process with other rewards."""
        return replace(self, rewards=Rewards(tuple(rewards), rewards.__getitem__))
