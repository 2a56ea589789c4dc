"""Optimal strategy for a weighted sum of expected totals, by policy iteration.

The totals are those of :mod:`volition.checking.quantitative.pareto.objectives`: expected total
gains, oriented so that larger is better. Gains may be negative, and only negative gains can recur
infinitely often. A total is therefore finite or minus infinity. Some totals are *required* to be
finite.

A strategy keeps the required totals finite if it almost surely reaches states in which it can stay
without further losses. End components without gains and losses are collapsed into one state each
(de Alfaro 1997, Sect. 3.4.2). Then a strategy that never stops has infinite losses, and policy
iteration from a proper strategy finds the optimal one (Bertsekas and Tsitsiklis, "An analysis of
stochastic shortest path problems", 1991).
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
"""Smallest improvement of a policy, relative to the values, that counts in floating point."""

MARGIN = 1e-13
"""Smallest gain, relative to the values, that is added to every step in floating point. The values
with this added gain are proven upper bounds, because the gain exceeds the rounding errors."""

MAX_ROUNDS = 1_000
STOP_ROW = -1
"""Value in a policy that means stopping: staying forever without gains and losses. All other values
are row numbers. A row is a choice of the quotient MDP."""


@dataclass(frozen=True)
class WeightedOptimum:
    """Optimal choices for a weighted sum of totals. No strategy has a weighted sum above
    ``limit``."""

    choices: Indices
    limit: Any


class FiniteStrategies:
    """Set of the strategies that keep the totals ``required`` finite, with a search for the best of
    them. :attr:`possible` says whether there are any."""

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
        self._allowed = self._choices_that_can_stop()
        alive = np.logical_or.reduceat(self._allowed, mdp.first_choice[:-1])
        self._alive: Mask = alive
        self.possible = bool(alive[0])

    def _choices_that_can_stop(self) -> Mask:
        """Return the choices that do not prevent a strategy from keeping the required totals
        finite. For this, the strategy must almost surely reach an end component without gains or
        losses in these totals, where it can stay forever. A choice is returned if the strategy can
        still do this after every outcome of the choice."""
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
        """Return the optimum for a weighted sum of totals among the strategies that keep the
        required totals finite. The weights must not be negative.

        A total of weight 0 may be infinite unless it is required to be finite. Raise
        :class:`IllConditioned` if floating point is not accurate enough.
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
        quotient = _QuotientMdp.of(
            mdp, self._alive, self._allowed & ~staying, number, self._zero_gain, gain
        )
        rows, limit = (_best_exact if self.exact else _best_rounded)(quotient, self._deadline)
        return WeightedOptimum(self._expand_rows(quotient, rows, staying), limit)

    def _expand_rows(self, quotient: _QuotientMdp, rows: Indices, staying: Mask) -> Indices:
        """Return a choice for each state of the original MDP that carries out a policy of the
        quotient MDP. ``rows`` has the choice of the policy in each node (a state or a collapsed end
        component).

        Inside a collapsed end component, the choices lead to the state to which the policy's choice
        belongs. If the policy stops there, they lead to a state where the strategy can stay.
        """
        mdp = self._mdp
        choices = mdp.first_choice[:-1].copy()
        leaving = rows != STOP_ROW
        taken = quotient.choices[rows[leaving]]
        goals = np.zeros(mdp.num_states, dtype=np.bool_)
        goals[mdp.choice_states[taken]] = True
        stopping = np.zeros(quotient.size, dtype=np.bool_)
        stopping[~leaving] = True
        at_rest = (
            self._alive & self._zero_gain & stopping[np.where(self._alive, quotient.node_of, 0)]
        )
        towards = shortest_path_choices(mdp, staying, goals | at_rest)
        choices = np.where(self._alive & (towards >= 0), towards, choices)
        resting = shortest_path_choices(mdp, self._quiet_choices, self._zero_gain)
        choices[at_rest] = resting[at_rest]
        choices[mdp.choice_states[taken]] = taken
        return choices


@dataclass(frozen=True)
class _QuotientMdp:
    """Quotient of an MDP in which end components without gains and losses are collapsed: nodes ▶
    rows ▶ entries. At the nodes ``ends`` a strategy may stop.

    A node is a state or a collapsed component, a row is a choice of a node, and an entry is a
    transition. ``node_of`` is the node of each state, ``choices`` the original choice of each row,
    and ``nodes`` the node of each row. Rows are ordered by node.
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
        """Transition probabilities of the quotient as a sparse matrix of floats. Each choice has a
        row and each node has a column."""
        probabilities = np.array([float(weight) for weight in self.weights])[self.weight_ids]
        return sparse.csr_array(
            (probabilities, self.targets, self.first_entry), shape=(len(self.choices), self.size)
        )

    @cached_property
    def exact_rows(self) -> list[dict[int, Fraction]]:
        """Transition probabilities of the quotient as fractions: for each choice a dictionary from
        node to probability."""
        sources = np.repeat(np.arange(len(self.choices)), np.diff(self.first_entry))
        return exact_rows(sources, self.targets, self.weight_ids, self.weights, len(self.choices))

    def proper_policy(self) -> Indices:
        """Return a proper policy, which almost surely stops. In each node (a state or a collapsed
        end component) it takes the choice that leads closest to a node where a strategy may stop.
        """
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
        """Return whether a policy almost surely stops. ``rows`` has the choice of the policy in
        each node, or ``STOP_ROW``."""
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


def _best_exact(quotient: _QuotientMdp, deadline: Deadline) -> tuple[Indices, Any]:
    """Return the optimal policy and its value, by policy iteration with fractions. It starts from
    the floating-point optimum, which saves rounds and does not affect correctness."""
    rows = quotient.proper_policy()
    try:
        rounded, _ = _improve(
            quotient, rows, quotient.gain.astype(np.float64), IMPROVEMENT, deadline
        )
        rows = rounded if quotient.is_proper(rounded) else rows
    except (IllConditioned, OverflowError):
        pass
    gain = quotient.gain.tolist()
    while True:
        deadline.check()
        policy: list[dict[int, Fraction]] = [
            quotient.exact_rows[row] if row != STOP_ROW else {} for row in rows.tolist()
        ]
        (values,) = exact_totals(
            policy,
            [[gain[row] if row != STOP_ROW else Fraction(0) for row in rows.tolist()]],
            deadline,
        )
        better = rows.copy()
        best = [
            max(value, Fraction(0)) if end else value
            for value, end in zip(values, quotient.ends.tolist(), strict=True)
        ]
        better[[value != old for value, old in zip(best, values, strict=True)]] = STOP_ROW
        for number, (node, row) in enumerate(
            zip(quotient.nodes.tolist(), quotient.exact_rows, strict=True)
        ):
            row_value = gain[number] + sum(
                (probability * values[target] for target, probability in row.items()), Fraction(0)
            )
            if row_value > best[node]:
                best[node], better[node] = row_value, number
        if (better == rows).all():
            return rows, values[quotient.start]
        rows = better


def _best_rounded(quotient: _QuotientMdp, deadline: Deadline) -> tuple[Indices, Any]:
    """Return a policy that is optimal up to rounding, by policy iteration in floating point, and an
    upper bound on the value of all policies."""
    gain = quotient.gain
    rows, found = _improve(quotient, quotient.proper_policy(), gain, IMPROVEMENT, deadline)
    # Increase the gain of every step a little, by more than the rounding error. The optimal values
    # of the changed MDP then exceed every Bellman backup of the original one, which proves an upper
    # bound.
    size = 1.0 + float(np.abs(found.values).max(initial=0.0)) + float(np.abs(gain).max(initial=0.0))
    margin = max(16 * rounding(quotient.matrix), MARGIN)
    _, above = _improve(quotient, rows, gain + margin * size, margin / 4, deadline)
    values = np.where(quotient.ends, np.maximum(above.values, 0.0), above.values)
    value = gain + quotient.matrix @ values
    rounding_error = rounding(quotient.matrix) * (np.abs(gain) + quotient.matrix @ np.abs(values))
    if not (value + rounding_error <= values[quotient.nodes]).all():
        raise IllConditioned
    return rows, float(values[quotient.start])


def _improve(
    quotient: _QuotientMdp, rows: Indices, gain: NumberArray, minimum: float, deadline: Deadline
) -> tuple[Indices, SolutionWithError]:
    """Improve a policy in floating point until no other choice improves its value by more than the
    relative amount ``minimum``. Return the policy and its values."""
    if not np.isfinite(gain).all():
        raise IllConditioned
    for _ in range(MAX_ROUNDS):
        deadline.check()
        going = np.flatnonzero(rows != STOP_ROW)
        picked: sparse.csr_array = sparse.csr_array(
            (np.ones(len(going)), (going, rows[going])),
            shape=(quotient.size, max(len(quotient.choices), 1)),
        )
        chain = (
            (picked @ quotient.matrix).tocsr()
            if len(quotient.choices)
            else sparse.csr_array((quotient.size, quotient.size))
        )
        (found,) = rounded_totals(chain, [picked @ gain if len(gain) else np.zeros(quotient.size)])
        values = found.values
        value = gain + quotient.matrix @ values
        threshold = values + minimum * (1.0 + np.abs(values))
        better = np.where(quotient.ends & (threshold < 0.0), STOP_ROW, rows)
        best = np.where(better == STOP_ROW, np.maximum(threshold, 0.0), threshold)
        order = np.lexsort((value, quotient.nodes))
        last = np.searchsorted(quotient.nodes[order], np.arange(quotient.size), side="right") - 1
        if len(order):
            candidate = order[last.clip(min=0)]
            has = quotient.nodes[candidate] == np.arange(quotient.size)
            better = np.where(has & (value[candidate] > best), candidate, better)
        if (better == rows).all():
            return rows, found
        rows = better
    raise IllConditioned
