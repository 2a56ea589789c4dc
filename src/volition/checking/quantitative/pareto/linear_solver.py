"""Expected total gain of a strategy (the sum of what its choices earn), from linear equations that
are solved exactly or with proven error bounds.

Both solvers (:func:`exact_totals` and :func:`rounded_totals`) work on a Markov chain that almost
surely stops. A row of its matrix has the probabilities of moving from one state to the others; what
is missing to 1 is the probability of stopping.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse import linalg

from volition.checking.mdp.end_components import bottom_scc_states
from volition.checking.mdp.mdp import Mdp
from volition.checking.quantitative.deadline import Deadline
from volition.kernel.arrays import Floats, Indices, NumberArray

__all__ = [
    "IllConditioned",
    "SolutionWithError",
    "exact_rows",
    "exact_totals",
    "expected_totals",
    "rounded_totals",
    "rounding",
]

Row = dict[int, Fraction]


class IllConditioned(Exception):
    """Raised if linear equations cannot be solved reliably in floating point."""


@dataclass(frozen=True)
class SolutionWithError:
    """Floating-point solution of linear equations; each value has an absolute error of at most
    ``error``."""

    values: Floats
    error: Floats


def expected_totals(
    mdp: Mdp, choices: Indices, gains: Sequence[NumberArray], deadline: Deadline
) -> tuple[list[Any], float]:
    """Return the expected total gains from state 0 under a strategy, one for each objective, and a
    bound on their absolute error.

    ``choices`` is the choice of the strategy in each state. ``gains`` has, for each objective, the
    gains of all choices; fractions stay exact. A total is infinite if a run may gain infinitely
    often; the gains that recur must have the same sign.
    """
    chain = mdp.induced_chain(choices)
    reached = chain.reachable()
    recurrent = bottom_scc_states(chain) & reached
    passed = reached & ~recurrent
    solved = _solved(chain, passed, [gain[choices] for gain in gains], deadline)
    totals: list[Any] = []
    error = 0.0
    for gain, found in zip(gains, solved, strict=True):
        recurring_gains = gain[choices][recurrent]
        if (recurring_gains != 0).any():
            totals.append(np.inf if recurring_gains.max() > 0 else -np.inf)
        elif not passed[0]:
            totals.append(Fraction(0) if gain.dtype == np.object_ else 0.0)
        elif isinstance(found, SolutionWithError):
            totals.append(float(found.values[0]))
            error = max(error, float(found.error[0]))
        else:
            totals.append(found[0])
    return totals, error


def _solved(
    chain: Mdp, passed: npt.NDArray[np.bool_], gains: Sequence[NumberArray], deadline: Deadline
) -> list[Any]:
    """Return, for each vector of gains, the expected total gains from the states in ``passed``, in
    the order of their numbers. ``passed`` are states that the chain almost surely leaves forever.
    Gains in other states are not counted."""
    positions = np.cumsum(passed) - 1
    if not passed.any():
        return [[] for _ in gains]
    if all(gain.dtype == np.object_ for gain in gains):
        kept = passed[chain.choice_states[chain.transition_choices]] & passed[chain.targets]
        sources, targets = (
            positions[each[kept]]
            for each in (chain.choice_states[chain.transition_choices], chain.targets)
        )
        rows = exact_rows(
            sources, targets, chain.weight_ids[kept], chain.weights, int(passed.sum())
        )
        return exact_totals(rows, [gain[passed].tolist() for gain in gains], deadline)
    inside = chain.matrix[passed][:, passed]
    return list(rounded_totals(inside, [gain[passed].astype(np.float64) for gain in gains]))


def exact_rows(
    sources: Indices,
    targets: Indices,
    weight_ids: npt.NDArray[Any],
    weights: Sequence[Any],
    count: int,
) -> list[Row]:
    """Return transition probabilities as ``count`` rows of fractions. Each row is a dictionary from
    target to probability."""
    exact = [Fraction(weight) for weight in weights]
    rows: list[Row] = [{} for _ in range(count)]
    for source, target, weight in zip(
        sources.tolist(), targets.tolist(), weight_ids.tolist(), strict=True
    ):
        row = rows[source]
        row[target] = row[target] + exact[weight] if target in row else exact[weight]
    return rows


def exact_totals(
    rows: Sequence[Row], constants: Sequence[Sequence[Any]], deadline: Deadline
) -> list[list[Any]]:
    """Return the exact solutions of ``x = constant + rows x``, one for each vector of constants.

    States are eliminated in the postorder of a depth-first search, so that a state outside cycles
    only depends on states that are solved already.
    """
    order = _postorder(rows)
    position = {state: number for number, state in enumerate(order)}
    eliminated: list[tuple[Row, list[Any]]] = []  # each in terms of states later in the order
    for number, state in enumerate(order):
        if number % 64 == 0:
            deadline.check()
        row = {position[target]: probability for target, probability in rows[state].items()}
        sums = [each[state] for each in constants]
        earlier = [each for each in row if each < number]
        heapify(earlier)
        while earlier:
            other = heappop(earlier)
            share = row.pop(other, None)
            if share is None:
                continue
            its_row, its_sums = eliminated[other]
            for target, probability in its_row.items():
                if target in row:
                    row[target] += share * probability
                else:
                    row[target] = share * probability
                    if target < number:
                        heappush(earlier, target)
            sums = [mine + share * its for mine, its in zip(sums, its_sums, strict=True)]
        going = 1 - row.pop(number, Fraction(0))
        if going != 1:
            row = {target: probability / going for target, probability in row.items()}
            sums = [mine / going for mine in sums]
        eliminated.append((row, sums))
    solved: list[list[Any]] = [[]] * len(order)
    for number in range(len(order) - 1, -1, -1):
        row, sums = eliminated[number]
        for target, probability in row.items():
            sums = [
                mine + probability * its for mine, its in zip(sums, solved[target], strict=True)
            ]
        solved[number] = sums
    return [
        [solved[position[state]][index] for state in range(len(rows))]
        for index in range(len(constants))
    ]


def _postorder(rows: Sequence[Row]) -> list[int]:
    order: list[int] = []
    seen = [False] * len(rows)
    for root in range(len(rows)):
        if seen[root]:
            continue
        seen[root] = True
        stack = [(root, iter(rows[root]))]
        while stack:
            state, targets = stack[-1]
            for target in targets:
                if not seen[target]:
                    seen[target] = True
                    stack.append((target, iter(rows[target])))
                    break
            else:
                order.append(state)
                stack.pop()
    return order


def rounding(matrix: sparse.csr_array) -> float:
    """Return a bound on the relative error of ``gain + matrix x`` in floating point, including the
    rounding of its inputs (Higham, Accuracy and Stability, Sect. 3.1)."""
    terms = int(np.diff(matrix.indptr).max(initial=0))
    return 2 * (terms + 6) * 2.0**-53


def rounded_totals(matrix: sparse.csr_array, gains: Sequence[Floats]) -> list[SolutionWithError]:
    """Return the floating-point solutions of ``x = gain + matrix x``, one for each vector ``gain``
    in ``gains``. Each solution has error bounds that account for rounding and conditioning.

    The bounds need a vector t such that every element of t - matrix t is at least 1/2. The inverse
    of 1 - matrix has no negative entries. Therefore the error of x in a state is at most 2t in this
    state, times the largest absolute residual of x in any state. The function uses the computed
    solution of t = 1 + matrix t. Raise :class:`IllConditioned` if this t does not have the property
    above.
    """
    size = matrix.shape[0]
    if size == 0:
        return [SolutionWithError(np.zeros(0), np.zeros(0)) for _ in gains]
    # Order states by strongly connected component and, within a component, by descending number.
    # This keeps fill-in small.
    _, part = sparse.csgraph.connected_components(matrix, directed=True, connection="strong")
    order = np.lexsort((-np.arange(size), part))
    matrix = matrix[order][:, order].tocsr()
    try:
        solver = linalg.splu(
            (sparse.eye_array(size, format="csc") - matrix).tocsc(),
            permc_spec="NATURAL",
            diag_pivot_thresh=0.0,
        )
    except RuntimeError:
        raise IllConditioned from None
    unit_error = rounding(matrix)
    times = np.abs(solver.solve(np.ones(size)))
    if (
        not np.isfinite(times).all()
        or not (times - matrix @ times - unit_error * (times + matrix @ times) >= 0.5).all()
    ):
        raise IllConditioned
    found = []
    position = np.empty(size, dtype=np.int64)
    position[order] = np.arange(size)
    for ordered in (gain[order] for gain in gains):
        values = solver.solve(ordered)
        residual = np.abs(ordered + matrix @ values - values) + unit_error * (
            np.abs(ordered) + matrix @ np.abs(values) + np.abs(values)
        )
        found.append(SolutionWithError(values[position], 2 * times[position] * residual.max()))
    return found
