"""Markov decision process as bare arrays, for the quantitative engine and the analyses.

An MDP is a view of an explored space. It uses the arrays of the space with its numbering of states
and choices, so that results can be reported in the agent's terms. If the space is only partly
explored, the arrays are extended by a self-loop for each unexplored state. Derived MDPs (fewer
choices, absorbing states, other probabilities) share the arrays that they do not change.
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
    """Rewards of an MDP by name. The arrays of each reward are computed on first use."""

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
        """Return the pickled form: all arrays, because the functions that compute them cannot be
        pickled."""
        return Rewards, (self._names, {name: self[name] for name in self}.__getitem__)

    def changed(self, change: Callable[[RewardArrays], RewardArrays]) -> Rewards:
        """Return rewards in which ``change`` is applied to the arrays of each reward, for a derived
        MDP."""
        return Rewards(self._names, lambda name: change(self[name]))


@dataclass(frozen=True)
class Mdp:
    """Markov decision process in CSR form: states ▶ choices ▶ transitions.

    Transitions refer to their probability by index into ``weights``, because there are few distinct
    weights. Weights may contain parameters. Every state has at least one choice. ``choice_origins``
    is the number of each choice in the explored space, or -1 if it has none; None means that the
    numbers are the same. ``frontier`` marks states that were found but not explored. They have a
    self-loop in the MDP, and values computed for them are meaningless.
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
        """Return the MDP of an explored space. States that were found but not explored get a
        self-loop without rewards."""
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
        # In the kernel, weight 0 is probability 1.
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

    # --- sizes and graph --------------------------------------------------------------------------

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
        """Whether every state has only one choice."""
        return self.num_choices == self.num_states

    @cached_property
    def original_choices(self) -> Indices:
        """Number of each choice in the explored space, or -1 if it has none."""
        return np.arange(self.num_choices) if self.choice_origins is None else self.choice_origins

    @cached_property
    def probabilities(self) -> Floats:
        """Probability of each transition in floating point. A positive probability is never rounded
        to 0."""
        minimum = float(np.finfo(np.float64).smallest_normal)
        return take_blockwise(
            np.array([max(float(weight), minimum) if weight else 0.0 for weight in self.weights]),
            self.weight_ids,
        )

    @cached_property
    def choice_states(self) -> Indices:
        """Number of the state to which each choice belongs."""
        return np.repeat(np.arange(self.num_states), np.diff(self.first_choice))

    @cached_property
    def transition_choices(self) -> Indices:
        """Number of the choice to which each transition belongs."""
        return np.repeat(np.arange(self.num_choices), np.diff(self.first_transition))

    @cached_property
    def matrix(self) -> sparse.csr_array:
        """Transition probabilities as a sparse matrix with one row per choice and one column per
        state."""
        shape = (self.num_choices, self.num_states)
        return sparse.csr_array(
            (self.probabilities, self.targets, self.first_transition), shape=shape
        )

    @cached_property
    def graph(self) -> sparse.csr_array:
        """Successor relation of the states over all choices, as a sparse matrix of ones."""
        starts = self.first_transition[self.first_choice]
        ones = np.ones(self.num_transitions, dtype=np.int8)
        # Several choices of a state may lead to the same state. The duplicate entries are harmless
        # for graph searches.
        return sparse.csr_array(
            (ones, self.targets, starts), shape=(self.num_states, self.num_states)
        )

    def choices_into(self, states: Mask) -> Mask:
        """Return the choices that may lead into one of these states."""
        return _native.exists_next(self.first_transition, self.targets, states)

    def reachable(self, start: int = 0) -> Mask:
        """Return the states reachable from the state ``start``."""
        order = sparse.csgraph.breadth_first_order(self.graph, start, return_predecessors=False)
        found = np.zeros(self.num_states, dtype=np.bool_)
        found[order] = True
        return found

    def largest_strong_component(self) -> int:
        """Return the number of states in the largest strongly connected component."""
        _, component = sparse.csgraph.connected_components(
            self.graph, directed=True, connection="strong"
        )
        return int(np.bincount(component).max())

    def bfs_prefix_sizes(self) -> list[int]:
        """Return a list whose k-th entry is a number n such that the states 0, ..., n-1 include
        every state reachable within k steps. The list ends when n stops growing.

        The kernel numbers states in breadth-first order, so these n states include few others.
        """
        furthest = np.maximum.accumulate(self.targets)
        sizes = [0, 1]
        while sizes[-1] > sizes[-2]:
            end = self.first_transition[self.first_choice[sizes[-1]]]
            sizes.append(max(sizes[-1], int(furthest[end - 1]) + 1))
        return sizes[1:-1]

    def expected_next(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return, for each choice, the expected value of the next state, given the ``values`` of
        the states. Fractions stay exact."""
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
        """Return the values of the states after one Bellman backup of ``values``; only those of the
        first ``first`` states if it is given.

        ``gains`` are the rewards of the choices. Values and gains must not be negative. Fractions
        stay exact. In floating point a positive result is never rounded to 0: it is at least the
        smallest normal number.
        """
        first_choice = self.first_choice if first is None else self.first_choice[: first + 1]
        if values.dtype != np.object_ and gains is None:
            return _native.bellman_backup(
                first_choice,
                self.first_transition,
                self.targets,
                self.probabilities,
                values,
                minimise=optimum == "min",
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

    # --- derived MDPs -----------------------------------------------------------------------------

    def restricted_to(self, kept: Mask) -> Mdp:
        """Return the MDP with only the choices in ``kept``. Each state must keep at least one
        choice."""
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
        """Return the MDP that consists of only these states and these choices. Each of the states
        must keep at least one choice, and no choice may lead out of these states."""
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
        """Return the Markov chain of the strategy that takes choice ``choice_of[s]`` (numbered as
        in this MDP) in state ``s``."""
        kept = np.zeros(self.num_choices, dtype=np.bool_)
        kept[choice_of] = True
        return self.restricted_to(kept)

    def uniform_chain(self) -> Mdp:
        """Return the Markov chain in which all choices of a state are equally likely."""
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
        """Return the MDP with these states made absorbing: each gets a self-loop without rewards as
        its only choice."""
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
        """Return the MDP with the same graph but other probabilities. ``weights`` replaces the list
        of distinct probabilities, to which transitions refer by index."""
        assert len(weights) == len(self.weights)
        return replace(self, weights=tuple(weights))

    def without_zero_transitions(self) -> Mdp:
        """Return the MDP without transitions of probability 0. They must be removed because engines
        treat every transition as possible."""
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
        """Return the MDP in which every probabilistic outcome is a separate choice. It has no
        rewards."""
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
        """Return the MDP with the parameters in its probabilities set to their nominal values."""
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
        """Return the MDP with ``rewards`` instead of its rewards."""
        return replace(self, rewards=Rewards(tuple(rewards), rewards.__getitem__))
