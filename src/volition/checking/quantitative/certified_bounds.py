"""Bounds on floating point values that hold for certain: what an engine computed is checked by us
before it is told.

The optimal values x of a process are the one solution of x = B x, where B is "one step, then the
best choice", once states are left out whose values the graph decides, and parts in which one can
stay for ever without a gain are taken for one state each (Haddad and Monmege, "Interval iteration
algorithm for MDPs and IMDPs", 2018).  Then every l with l <= B l is a lower bound, and every u with
B u <= u an upper one.  B is computed in floating point together with the largest error it may have,
that of the rounded probabilities included, so these comparisons prove the bounds, wherever l and u
come from.  They are made from a solution and from what its errors can add up to; where the process
is so badly conditioned that no such pair is found, there are no bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from volition.checking.mdp.end_components import (
    end_components,
    prob_1_some,
    prob_greater_0_all,
    shortest_path_choices,
)
from volition.checking.mdp.mdp import Mdp, RewardArrays
from volition.checking.quantitative.reachability import prob_greater_0_some
from volition.kernel import _native
from volition.kernel.arrays import Floats, Indices, Mask

__all__ = [
    "LEAST",
    "MAX_FACTORED",
    "ROUNDING",
    "ROUNDS",
    "Enclosure",
    "Optimum",
    "Solver",
    "enclose_reach",
    "enclose_reward",
    "enclose_total",
]

Optimum = Literal["min", "max"]

ROUNDING = 2.0**-52
"""Twice the rounding of one operation, so that products of such errors are covered too (Higham,
Accuracy and Stability, Sect. 3.1)."""

LEAST = float(np.finfo(np.float64).smallest_normal)
ROUNDS = 200
"""How often a strategy is improved.  More are hardly ever needed, and without the best one the
bounds are only wider, or none."""

MAX_FACTORED = 50_000
"""States on a common cycle up to which linear equations are solved directly."""

SWEEPS, FEW_SWEEPS = 2_000, 200
"""Sweeps over all states by which they are solved otherwise, and after which they are rather solved
directly where that is possible."""

SETTLED, ABOUT = 1e-15, 1e-3
"""By which part of them numbers may still change: values, and what errors add up to."""


@dataclass(frozen=True)
class Enclosure:
    """A value for each state, and numbers between which the true one lies for certain;
    ``find_choices`` gives choices that about attain it.

    There are none where there is only one strategy, or where no bounds were found.
    """

    values: Floats
    lower: Floats
    upper: Floats
    find_choices: Callable[[], Indices | None] = field(default=lambda: None, repr=False)


def enclose_reach(mdp: Mdp, through: Mask, goal: Mask, optimum: Optimum) -> Enclosure:
    """Bounds on the probability of ``through U goal``; between 0 and 1 where no better ones are
    found."""
    if optimum == "max":
        possible, certain = prob_greater_0_some(mdp, through, goal), prob_1_some(mdp, through, goal)
    else:
        possible = prob_greater_0_all(mdp, through, goal)
        certain = ~prob_greater_0_some(mdp, ~goal, ~possible)
    undecided = possible & ~certain
    into_certain = np.where(certain[mdp.targets], mdp.probabilities, 0.0)
    gains = np.add.reduceat(into_certain, mdp.first_transition[:-1])
    equations = _BellmanEquations(mdp, undecided, undecided[mdp.choice_states], gains, optimum)
    found = equations.enclosed()
    known = certain.astype(np.float64)
    if found is None:
        return Enclosure(np.where(undecided, 0.5, known), known, np.where(undecided, 1.0, known))
    values, lower, upper = (np.clip(np.where(undecided, each, known), 0.0, 1.0) for each in found)

    def decided() -> tuple[Mask, Mask]:
        """Who wants to miss the goal must stay where that is possible; who wants to reach it for
        certain, where that is, and go there."""
        return _staying_in(mdp, ~possible) | _staying_in(mdp, certain), goal

    return Enclosure(values, lower, upper, equations.choices(elsewhere=decided))


def enclose_reward(mdp: Mdp, rewards: RewardArrays, goal: Mask, optimum: Optimum) -> Enclosure:
    """Bounds on what is earned until the goal is reached, where nothing earned is negative;
    infinite where it may be missed."""
    everywhere = np.ones(mdp.num_states, dtype=np.bool_)
    finite = (
        prob_1_some(mdp, everywhere, goal)
        if optimum == "min"
        else ~prob_greater_0_some(mdp, ~goal, ~prob_greater_0_all(mdp, everywhere, goal))
    )

    def for_ever() -> tuple[Mask, Mask]:
        """Where the goal can be missed, it is; elsewhere one goes there."""
        missing = ~prob_greater_0_all(mdp, everywhere, goal)
        return np.where(
            missing[mdp.choice_states], _staying_in(mdp, missing), ~finite[mdp.choice_states]
        ), missing

    return _enclose_earned(mdp, _gains(mdp, rewards), finite & ~goal, finite, optimum, for_ever)


def enclose_total(mdp: Mdp, rewards: RewardArrays, optimum: Optimum) -> Enclosure:
    """Bounds on what is earned in a whole run, where nothing earned is negative."""
    everywhere = np.ones(mdp.num_states, dtype=np.bool_)
    gains = _gains(mdp, rewards)
    if optimum == "min":
        # Sooner or later one must be able to stay somewhere without earning any more.
        finite = prob_1_some(mdp, everywhere, end_components(mdp, gains == 0)[1] >= 0)
        return _enclose_earned(
            mdp,
            gains,
            finite,
            finite,
            optimum,
            lambda: (~finite[mdp.choice_states], ~finite),
            may_stay=True,
        )
    staying, component = end_components(mdp, np.ones(mdp.num_choices, dtype=np.bool_))
    again = np.zeros(mdp.num_states, dtype=np.bool_)
    again[mdp.choice_states[staying & (gains > 0)]] = True
    finite = ~prob_greater_0_some(mdp, everywhere, again)

    def for_ever() -> tuple[Mask, Mask]:
        """One goes to where something can be gained again and again, stays around there, and gains
        it."""
        in_cycle = np.isin(component, np.unique(component[again]))
        useful = np.where(in_cycle[mdp.choice_states], staying, ~finite[mdp.choice_states])
        return np.where(again[mdp.choice_states], staying & (gains > 0), useful), again

    return _enclose_earned(mdp, gains, finite, finite, optimum, for_ever, may_stay=True)


def _gains(mdp: Mdp, rewards: RewardArrays) -> Floats:
    return np.asarray(rewards.of_states, dtype=np.float64)[mdp.choice_states] + np.asarray(
        rewards.of_choices, dtype=np.float64
    )


def _enclose_earned(
    mdp: Mdp,
    gains: Floats,
    undecided: Mask,
    finite: Mask,
    optimum: Optimum,
    for_ever: Callable[[], tuple[Mask, Mask]],
    *,
    may_stay: bool = False,
) -> Enclosure:
    """``for_ever`` says how to earn without end where that is possible: by which choices, and
    towards which states."""
    sensible = undecided[mdp.choice_states] & ~mdp.choices_into(~finite)
    equations = _BellmanEquations(mdp, undecided, sensible, gains, optimum, may_stay=may_stay)
    found = equations.enclosed()
    if found is None:
        known = np.where(finite, 0.0, np.inf)
        maximum = np.where(undecided, np.inf, known)
        return Enclosure(maximum, known, maximum)
    values, lower, upper = (np.maximum(each, 0.0) for each in found)
    if not finite.all():
        for each in (values, lower, upper):
            each[~finite] = np.inf
    return Enclosure(values, lower, upper, equations.choices(elsewhere=for_ever))


def _staying_in(mdp: Mdp, states: Mask) -> Mask:
    """The choices in some states that do not lead out of them."""
    return states[mdp.choice_states] & ~mdp.choices_into(~states)


class _BellmanEquations:
    """x = the best over the rows of each part of (gain + sum of p * x), where what leads out of
    ``undecided`` counts nothing but its gain.

    A part is a state, states among which one can go around for ever without a gain (with
    ``may_stay`` one may do so), and the states from which there is nothing but a certain step into
    it, without a gain: all of them are worth the same.  Gains are not negative.
    """

    def __init__(
        self,
        mdp: Mdp,
        undecided: Mask,
        choices: Mask,
        gains: Floats,
        optimum: Optimum,
        *,
        may_stay: bool = False,
    ) -> None:
        self._mdp = mdp
        self._best = np.maximum if optimum == "max" else np.minimum
        self._policy: Indices | None = None
        staying, component = end_components(mdp, choices & (gains == 0))
        self._staying = staying
        graph = mdp.first_choice, mdp.first_transition, mdp.targets
        made = _native.equations_of(
            *graph, mdp.probabilities, gains, undecided, choices, staying, component, may_stay
        )
        (
            self._part,
            self._following,
            ends,
            first_entry,
            columns,
            weights,
            self._gains,
            self._choice_of_row,
            self._leaving,
        ) = made
        self.size = len(ends) - 1
        self._first_row, self._rows_of = ends[:-1], np.diff(ends)
        self._matrix = sparse.csr_array(
            (weights, columns, first_entry), shape=(len(self._gains), self.size)
        )
        self._near = np.zeros(self.size)
        # A term for each transition, and some for the gain, which may be a sum too.
        self._terms = np.where(
            self._choice_of_row < 0, 1.0, np.diff(mdp.first_transition)[self._choice_of_row] + 4.0
        )

    def enclosed(self) -> tuple[Floats, Floats, Floats] | None:
        """The values of all states and their bounds (nothing outside of the undecided ones), or
        None if no bounds are found."""
        if self.size == 0:
            nothing = np.zeros(len(self._part))
            return nothing, nothing, nothing
        if not self._rows_of.all():
            return None
        with np.errstate(all="ignore"):
            for values in self._candidates():
                found = None if values is None else self._certified(values)
                if found is not None:
                    return found
        return None

    def _candidates(self) -> Iterator[Floats | None]:
        """Values about which bounds may be found, the cheapest first.

        Sweeps are enough where no cycle goes on for long.  Policy iteration starts near the values,
        which seldom fails and is short, or else from a strategy that comes to an end.
        """
        ends = np.append(self._first_row, len(self._gains))
        minimise = self._best is np.minimum
        self._near, settled = _sweep(
            ends, self._matrix, self._gains, self._near, SETTLED, FEW_SWEEPS, minimise=minimise
        )
        rows = self._rows(self._near)
        self._policy = self._picked(rows, self._best_of(rows))
        if settled:
            yield self._near
        yield self._solved(self._policy)
        yield self._solved(self._proper_policy())

    def _certified(self, values: Floats) -> tuple[Floats, Floats, Floats] | None:
        for thorough in (
            False,
            True,
        ):  # which takes its time, and is needed where long ways differ by little
            errors = self._errors(values, thorough=thorough)
            if errors is None:
                return None
            for factor in (2.0, 8.0, 64.0):
                lower, upper = values - factor * errors, values + factor * errors
                if self._certifies(lower, upper):
                    return (
                        self._everywhere(values),
                        self._everywhere(lower),
                        self._everywhere(upper),
                    )
        return None

    def _everywhere(self, values: Floats) -> Floats:
        everywhere: Floats = np.append(values, 0.0)[
            self._part
        ]  # the last one is for states in no part
        return everywhere

    def _certifies(self, lower: Floats, upper: Floats) -> bool:
        """Whether the true values lie between these for certain."""
        below, above = (
            self._best_of(self._rows(lower) - self._rounding(lower)),
            self._best_of(self._rows(upper) + self._rounding(upper)),
        )
        return bool(np.all(below >= lower) and np.all(above <= upper))

    def choices(self, elsewhere: Callable[[], tuple[Mask, Mask]]) -> Callable[[], Indices | None]:
        """Finds the choices by which the values are about attained; outside of the undecided states
        of ``elsewhere``, towards some states.

        What is found later keeps no equations in memory.
        """
        mdp, staying, following = self._mdp, self._staying, self._following
        if mdp.is_markov_chain or (self.size > 0 and self._policy is None):
            return lambda: None
        rows = (
            np.zeros(0, dtype=np.int64)
            if self._policy is None
            else self._choice_of_row[self._policy]
        )
        leaving = rows[rows >= 0]

        def find() -> Indices:
            taken = shortest_path_choices(mdp, *elsewhere())
            result = np.where(taken >= 0, taken, mdp.first_choice[:-1])
            doors = np.zeros(mdp.num_states, dtype=np.bool_)
            doors[mdp.choice_states[leaving]] = True
            # In a part of several states one goes to the state by which it is left.
            inside = shortest_path_choices(mdp, staying, doors)
            result = np.where(inside >= 0, inside, result)
            result[mdp.choice_states[leaving]] = leaving
            result[mdp.choice_states[following]] = following
            return result

        return find

    # --- one step back ----------------------------------------------------------------------------

    def _rows(self, values: Floats) -> Floats:
        result: Floats = self._gains + self._matrix @ values
        return result

    def _rounding(self, values: Floats) -> Floats:
        """How far off each row may be; a probability that is less than the least float counts as
        that one."""
        vanishing = LEAST * max(1.0, float(np.abs(values).max()))
        result: Floats = self._terms * (
            ROUNDING * (self._gains + self._matrix @ np.abs(values)) + vanishing
        )
        return result

    def _chain(self, policy: Indices) -> sparse.csr_array:
        """One row of each part."""
        return self._matrix if len(policy) == len(self._gains) else self._matrix[policy]

    def _best_of(self, rows: Floats) -> Floats:
        best: Floats = self._best.reduceat(rows, self._first_row)
        return best

    def _picked(self, rows: Floats, best: Floats) -> Indices:
        """The first row of each part that is as good as the best one."""
        equal = np.flatnonzero(rows == np.repeat(best, self._rows_of))
        parts = self._row_parts[equal]
        picked: Indices = equal[np.diff(parts, prepend=-1) > 0]
        return picked

    @cached_property
    def _row_parts(self) -> Indices:
        return np.repeat(np.arange(self.size), self._rows_of)

    # --- where bounds come from, which need not be right ------------------------------------------

    def _proper_policy(self) -> Indices:
        """A row of each part that leads nearer to where nothing is open any more: a strategy that
        comes to an end."""
        graph = sparse.csr_array(
            (np.ones(len(self._row_parts)), (self._row_parts, np.arange(len(self._row_parts))))
        )
        forward = sparse.csr_array(graph @ self._matrix)
        last = np.unique(self._row_parts[self._leaving])
        away = sparse.csgraph.dijkstra(
            forward.T.tocsr(), indices=last, unweighted=True, min_only=True
        )
        entries = np.repeat(np.arange(self._matrix.shape[0]), np.diff(self._matrix.indptr))
        nearest = np.full(self._matrix.shape[0], np.inf)
        np.minimum.at(nearest, entries, away[self._matrix.indices])
        nearest = np.where(self._leaving, -1.0, nearest)
        return self._picked(nearest, np.minimum.reduceat(nearest, self._first_row))

    def _solved(self, policy: Indices) -> Floats | None:
        """The values by policy iteration."""
        for _ in range(ROUNDS):
            self._policy = policy
            values = self._refined(policy)
            if values is None:
                return None
            rows = self._rows(values)
            best = self._best_of(rows)
            if not np.isfinite(best).all():
                return None
            better = np.abs(best - rows[policy]) > 64 * self._rounding(values)[policy]
            if not better.any():
                return values
            policy = np.where(better, self._picked(rows, best), policy)
        return values

    def _errors(self, values: Floats, *, thorough: bool) -> Floats | None:
        """What the errors of single rows add up to, along the worst of the choices that are about
        as good as the best.

        Not the worst to the last digit: to one part in a hundred, or, if ``thorough``, to what a
        single row adds.
        """
        rows, rounding = self._rows(values), self._rounding(values)
        best = self._best_of(rows)
        worse_by = np.abs(rows - np.repeat(best, self._rows_of))
        nearly = worse_by <= 1e-6 * (np.abs(np.repeat(best, self._rows_of)) + LEAST)
        added = rounding + np.repeat(np.abs(best - values), self._rows_of)
        # A row that is worse than the best one makes up for errors; a part of that, as bounds are
        # up to 64 times the errors apart.
        single = np.where(nearly, added - worse_by / 64, -np.inf)
        minimum = np.minimum.reduceat(np.where(nearly, added, np.inf), self._first_row)
        policy = self._picked(rows, best)
        for _ in range(ROUNDS):
            errors = Solver(self._chain(policy))(
                single[policy], single[policy], SETTLED if thorough else ABOUT
            )
            if errors is None:
                return None
            later = single + self._matrix @ errors
            worst = np.maximum.reduceat(later, self._first_row)
            if not np.isfinite(worst).all() or errors.min() < 0:
                return None
            # Whatever is worse by less than half of what a row adds is covered by twice the errors,
            # however long they add up.
            worse = worst - later[policy] > (0.25 * minimum if thorough else 0.01 * later[policy])
            if not worse.any():
                return errors
            policy = np.where(worse, self._picked(later, worst), policy)
        return errors

    def _refined(self, policy: Indices) -> Floats | None:
        """The values of a policy, and the error that is left added to them."""
        chain, gains = self._chain(policy), self._gains[policy]
        solve = Solver(chain)
        values = solve(gains, self._near)
        if values is None:
            return None
        rest = gains + chain @ values - values
        missing = solve(rest, rest, ABOUT)
        self._near = values
        return None if missing is None else values + missing


class Solver:
    """The linear equations of a Markov chain, solved by sweeps, or directly where these take long
    and no cycle is too large."""

    def __init__(self, chain: sparse.csr_array) -> None:
        self._chain = chain

    def __call__(
        self, constants: Floats, start: Floats, tolerance: float = SETTLED
    ) -> Floats | None:
        """The solution; None if there is no clear one."""
        rows = np.arange(len(constants) + 1)
        if "_directly" not in self.__dict__:
            start, settled = _sweep(rows, self._chain, constants, start, tolerance, FEW_SWEEPS)
            if settled:
                return start
        if self._directly is not None:
            return self._directly(constants)
        return _sweep(rows, self._chain, constants, start, tolerance, SWEEPS)[0]

    @cached_property
    def _directly(self) -> Callable[[Floats], Floats | None] | None:
        """The chain's equations as factors, its components numbered so that they can be solved one
        after the other."""
        _, number = sparse.csgraph.connected_components(
            self._chain, directed=True, connection="strong"
        )
        largest = int(np.bincount(number).max())
        if largest > MAX_FACTORED:
            return None
        order = np.argsort(number, kind="stable")
        equations = (sparse.eye_array(len(number), format="csr") - self._chain)[order][:, order]
        natural = largest <= 100
        try:
            factors = splu(
                equations.tocsc(),
                permc_spec="NATURAL" if natural else "COLAMD",
                diag_pivot_thresh=0.0,
                options={"SymmetricMode": natural},
            )
        except (RuntimeError, MemoryError):
            return lambda _: None

        def solve(constants: Floats) -> Floats:
            result = np.empty(len(constants))
            result[order] = factors.solve(constants[order])
            return result

        return solve


def _sweep(
    first_row: Indices,
    matrix: sparse.csr_array,
    gains: Floats,
    values: Floats,
    tolerance: float,
    maximum: int,
    *,
    minimise: bool = False,
) -> tuple[Floats, bool]:
    """Values after some sweeps over the rows of a matrix, and whether the last changed them by less
    than a part of them."""
    columns = matrix.indices.astype(np.uint32)
    return _native.sweep(
        first_row,
        matrix.indptr.astype(np.int64),
        columns,
        matrix.data,
        gains,
        values,
        least=minimise,
        tolerance=tolerance,
        most_sweeps=maximum,
    )
