"""The best strategy for a weighted sum of totals, by policy iteration.

The totals are those of :mod:`volition.checking.quantitative.pareto.objectives`: what a strategy is
expected to gain in all, more being better. Gains may be losses, and only losses can go on for ever,
so that a total is finite or minus infinity.  Some totals are *required* to be finite.

A strategy keeps them finite if it comes for certain to stay where nothing is lost any more.  Parts
of the process in which one can stay without a gain or a loss that counts are taken together to one
state (de Alfaro 1997, Sect. 3.4.2); then a strategy that never comes to an end loses for ever, and
policy iteration from one that does ends with the best one (Bertsekas and Tsitsiklis, "An analysis
of stochastic shortest path problems", 1991).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from volition.checking.mdp.end_components import distances_to, end_components, shortest_path_choices
from volition.checking.mdp.mdp import Mdp
from volition.checking.quantitative.deadline import Deadline
from volition.checking.quantitative.pareto.linear_solver import (
    IllConditioned,
    SolutionWithError,
    exact_rows,
    exact_totals,
    rounded_totals,
    rounding,
)
from volition.kernel.arrays import Indices, Mask, NumberArray

__all__ = ["FiniteStrategies", "WeightedOptimum"]


IMPROVEMENT = 1e-11
"""Smaller gains, relative to the values, are none where values are rounded."""

MARGIN = 1e-13
"""What every step gains more, relative to the values, to prove a bound on rounded values."""

MAX_ROUNDS = 1_000
STOP_ROW = -1
"""In place of a row: to stay where nothing is gained or lost any more."""


@dataclass(frozen=True)
class WeightedOptimum:
    """Choices that are best for a weighted sum of totals; no strategy has more than ``limit``."""

    choices: Indices
    limit: Any


class FiniteStrategies:
    """The strategies for which some totals stay finite; :attr:`possible` if there are any."""

    def __init__(
        self, mdp: Mdp, gains: Sequence[NumberArray], required: Sequence[int], deadline: Deadline
    ) -> None:
        self._mdp = mdp
        self._gains = gains
        self._deadline = deadline
        self.exact = all(gain.dtype == np.object_ for gain in gains)
        quiet = np.ones(mdp.num_choices, dtype=np.bool_)
        for index in required:
            quiet &= (gains[index] == 0).astype(np.bool_)
        self._quiet_choices, number = end_components(mdp, quiet)
        self._zero_gain: Mask = number >= 0
        self._allowed = self._certain_to_end()
        alive = np.logical_or.reduceat(self._allowed, mdp.first_choice[:-1])
        self._alive: Mask = alive
        self.possible = bool(alive[0])

    def _certain_to_end(self) -> Mask:
        """The choices after which one can still come, for certain, to where nothing is lost any
        more."""
        mdp = self._mdp
        allowed = np.ones(mdp.num_choices, dtype=np.bool_)
        while True:
            self._deadline.check()
            inside = np.isfinite(distances_to(mdp, allowed, self._zero_gain))
            fewer = (
                allowed
                & np.logical_and.reduceat(inside[mdp.targets], mdp.first_transition[:-1])
                & inside[mdp.choice_states]
            )
            if (fewer == allowed).all():
                return fewer
            allowed = fewer

    def best(self, weights: Sequence[Fraction]) -> WeightedOptimum:
        """The best of these strategies for a weighted sum, by weights that are not negative.

        What has weight 0 need not be finite unless it is required to be.  Raises
        :class:`IllConditioned` where rounding spoils it.
        """
        mdp = self._mdp
        counted = [
            (weight, gain) for weight, gain in zip(weights, self._gains, strict=True) if weight != 0
        ]
        idle = self._allowed.copy()
        gain: NumberArray = (
            np.array([Fraction(0)] * mdp.num_choices, dtype=object)
            if self.exact
            else np.zeros(mdp.num_choices)
        )
        for weight, each in counted:
            idle &= (each == 0).astype(np.bool_)
            gain = gain + each * (weight if self.exact else float(weight))
        staying, number = end_components(mdp, idle)
        condensed = _QuotientMdp.of(
            mdp, self._alive, self._allowed & ~staying, number, self._zero_gain, gain
        )
        rows, limit = (_best_exact if self.exact else _best_rounded)(condensed, self._deadline)
        return WeightedOptimum(self._expanded(condensed, rows, staying), limit)

    def _expanded(self, condensed: _QuotientMdp, rows: Indices, staying: Mask) -> Indices:
        """The choices behind rows: inside of what was taken together, go to the state whose choice
        it is, or to where all is quiet."""
        mdp = self._mdp
        choices = mdp.first_choice[:-1].copy()
        leaving = rows != STOP_ROW
        taken = condensed.choices[rows[leaving]]
        goals = np.zeros(mdp.num_states, dtype=np.bool_)
        goals[mdp.choice_states[taken]] = True
        stopping = np.zeros(condensed.size, dtype=np.bool_)
        stopping[~leaving] = True
        at_rest = (
            self._alive & self._zero_gain & stopping[np.where(self._alive, condensed.node_of, 0)]
        )
        towards = shortest_path_choices(mdp, staying, goals | at_rest)
        choices = np.where(self._alive & (towards >= 0), towards, choices)
        resting = shortest_path_choices(mdp, self._quiet_choices, self._zero_gain)
        choices[at_rest] = resting[at_rest]
        choices[mdp.choice_states[taken]] = taken
        return choices


@dataclass(frozen=True)
class _QuotientMdp:
    """The process with some parts taken together: nodes ▶ rows ▶ entries.  At ``ends`` one may
    stop.

    ``node_of`` is the node of each state, ``choices`` the choice of each row, ``nodes`` its node;
    rows are ordered by node.
    """

    size: int
    node_of: Indices
    start: int
    ends: Mask
    choices: Indices
    nodes: Indices
    first_entry: Indices
    targets: Indices
    weights: Sequence[Any]
    weight_ids: Indices
    gain: NumberArray

    @classmethod
    def of(
        cls, mdp: Mdp, alive: Mask, kept: Mask, number: Indices, quiet: Mask, gain: NumberArray
    ) -> _QuotientMdp:
        together = np.where(
            number >= 0, number, number.max(initial=0) + 1 + np.arange(mdp.num_states)
        )
        names, node_of_alive = np.unique(together[alive], return_inverse=True)
        node_of = np.full(mdp.num_states, -1, dtype=np.int64)
        node_of[alive] = node_of_alive
        choices = np.flatnonzero(kept)
        choices = choices[np.argsort(node_of[mdp.choice_states[choices]], kind="stable")]
        counts = np.diff(mdp.first_transition)[choices]
        first_entry = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        entries = np.repeat(mdp.first_transition[choices] - first_entry[:-1], counts) + np.arange(
            first_entry[-1]
        )
        ends = np.zeros(len(names), dtype=np.bool_)
        ends[node_of[alive & quiet]] = True
        return cls(
            size=len(names),
            node_of=node_of,
            start=int(node_of[0]),
            ends=ends,
            choices=choices,
            nodes=node_of[mdp.choice_states[choices]],
            first_entry=first_entry,
            targets=node_of[mdp.targets[entries]],
            weights=mdp.weights,
            weight_ids=mdp.weight_ids[entries],
            gain=gain[choices],
        )

    @cached_property
    def matrix(self) -> sparse.csr_array:
        """Rows by nodes, rounded."""
        probabilities = np.array([float(weight) for weight in self.weights])[self.weight_ids]
        return sparse.csr_array(
            (probabilities, self.targets, self.first_entry), shape=(len(self.choices), self.size)
        )

    @cached_property
    def exact_rows(self) -> list[dict[int, Fraction]]:
        """Rows by nodes, as fractions."""
        sources = np.repeat(np.arange(len(self.choices)), np.diff(self.first_entry))
        return exact_rows(sources, self.targets, self.weight_ids, self.weights, len(self.choices))

    def proper_policy(self) -> Indices:
        """For each node a row with which it may come nearer to an end: all together come to one for
        certain."""
        sources = np.repeat(self.nodes, np.diff(self.first_entry))
        graph: sparse.csr_array = sparse.csr_array(
            (np.ones(len(sources), dtype=np.int8), (self.targets, sources)),
            shape=(self.size, self.size),
        )
        steps = sparse.csgraph.dijkstra(
            graph, indices=np.flatnonzero(self.ends), unweighted=True, min_only=True
        )
        if len(self.choices) == 0:
            return np.full(self.size, STOP_ROW, dtype=np.int64)
        nearest = np.minimum.reduceat(steps[self.targets], self.first_entry[:-1])
        order = np.lexsort((nearest, self.nodes))
        first = np.searchsorted(self.nodes[order], np.arange(self.size)).clip(max=len(order) - 1)
        return np.where(self.ends, STOP_ROW, order[first])

    def is_proper(self, rows: Indices) -> bool:
        """Whether rows lead to an end for certain."""
        going = np.flatnonzero(rows != STOP_ROW)
        used = rows[going]
        counts = np.diff(self.first_entry)[used]
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        entries = np.repeat(self.first_entry[used] - offsets[:-1], counts) + np.arange(offsets[-1])
        graph: sparse.csr_array = sparse.csr_array(
            (
                np.ones(len(entries), dtype=np.int8),
                (self.targets[entries], np.repeat(going, counts)),
            ),
            shape=(self.size, self.size),
        )
        stops = np.flatnonzero(rows == STOP_ROW)
        steps = (
            sparse.csgraph.dijkstra(graph, indices=stops, unweighted=True, min_only=True)
            if len(stops)
            else np.array([np.inf])
        )
        return bool(np.isfinite(steps).all())


def _best_exact(condensed: _QuotientMdp, deadline: Deadline) -> tuple[Indices, Any]:
    """Policy iteration with fractions, from what floating point takes for the best: that costs few
    rounds, and no trust."""
    rows = condensed.proper_policy()
    try:
        rounded, _ = _improved(
            condensed, rows, condensed.gain.astype(np.float64), IMPROVEMENT, deadline
        )
        rows = rounded if condensed.is_proper(rounded) else rows
    except (IllConditioned, OverflowError):
        pass
    gain = condensed.gain.tolist()
    while True:
        deadline.check()
        policy: list[dict[int, Fraction]] = [
            condensed.exact_rows[row] if row != STOP_ROW else {} for row in rows.tolist()
        ]
        (values,) = exact_totals(
            policy,
            [[gain[row] if row != STOP_ROW else Fraction(0) for row in rows.tolist()]],
            deadline,
        )
        better = rows.copy()
        best = [
            max(value, Fraction(0)) if end else value
            for value, end in zip(values, condensed.ends.tolist(), strict=True)
        ]
        better[[value != old for value, old in zip(best, values, strict=True)]] = STOP_ROW
        for number, (node, row) in enumerate(
            zip(condensed.nodes.tolist(), condensed.exact_rows, strict=True)
        ):
            worth_value = gain[number] + sum(
                (probability * values[target] for target, probability in row.items()), Fraction(0)
            )
            if worth_value > best[node]:
                best[node], better[node] = worth_value, number
        if (better == rows).all():
            return rows, values[condensed.start]
        rows = better


def _best_rounded(condensed: _QuotientMdp, deadline: Deadline) -> tuple[Indices, Any]:
    """Policy iteration in floating point, and a bound on what any strategy attains."""
    gain = condensed.gain
    rows, found = _improved(condensed, condensed.proper_policy(), gain, IMPROVEMENT, deadline)
    # If every step gained a little more, the best values would lie above what each choice is worth,
    # and so prove a bound: enough more that rounding does not blur it.
    size = 1.0 + float(np.abs(found.values).max(initial=0.0)) + float(np.abs(gain).max(initial=0.0))
    margin = max(16 * rounding(condensed.matrix), MARGIN)
    _, above = _improved(condensed, rows, gain + margin * size, margin / 4, deadline)
    values = np.where(condensed.ends, np.maximum(above.values, 0.0), above.values)
    value = gain + condensed.matrix @ values
    room = rounding(condensed.matrix) * (np.abs(gain) + condensed.matrix @ np.abs(values))
    if not (value + room <= values[condensed.nodes]).all():
        raise IllConditioned
    return rows, float(values[condensed.start])


def _improved(
    condensed: _QuotientMdp, rows: Indices, gain: NumberArray, minimum: float, deadline: Deadline
) -> tuple[Indices, SolutionWithError]:
    """Better and better rows until none is better by at least a part of its value, with their
    values."""
    if not np.isfinite(gain).all():
        raise IllConditioned
    for _ in range(MAX_ROUNDS):
        deadline.check()
        going = np.flatnonzero(rows != STOP_ROW)
        picked: sparse.csr_array = sparse.csr_array(
            (np.ones(len(going)), (going, rows[going])),
            shape=(condensed.size, max(len(condensed.choices), 1)),
        )
        chain = (
            (picked @ condensed.matrix).tocsr()
            if len(condensed.choices)
            else sparse.csr_array((condensed.size, condensed.size))
        )
        (found,) = rounded_totals(chain, [picked @ gain if len(gain) else np.zeros(condensed.size)])
        values = found.values
        value = gain + condensed.matrix @ values
        threshold = values + minimum * (1.0 + np.abs(values))
        better = np.where(condensed.ends & (threshold < 0.0), STOP_ROW, rows)
        best = np.where(better == STOP_ROW, np.maximum(threshold, 0.0), threshold)
        order = np.lexsort((value, condensed.nodes))
        last = np.searchsorted(condensed.nodes[order], np.arange(condensed.size), side="right") - 1
        if len(order):
            candidate = order[last.clip(min=0)]
            has = condensed.nodes[candidate] == np.arange(condensed.size)
            better = np.where(has & (value[candidate] > best), candidate, better)
        if (better == rows).all():
            return rows, found
        rows = better
    raise IllConditioned
