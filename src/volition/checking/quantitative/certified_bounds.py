"""Certified bounds on floating-point values of an MDP: every value is verified before it is
reported.

The optimal values x of an MDP are the unique solution of x = B x, where B is the Bellman operator.
For uniqueness, states whose value follows from the graph are left out, and each end component
without gain is collapsed into one state (Haddad and Monmege, "Interval iteration algorithm for MDPs
and IMDPs", 2018). The gain of a choice is what it adds to the value in one step: its reward, or its
probability of reaching the goal. Then every l with l <= B l is a lower bound, and every u with B u
<= u an upper bound.

B is computed in floating point together with a bound on its error, including the rounding of the
probabilities. The comparisons therefore prove the bounds, wherever l and u come from. This module
takes for l and u a computed solution minus and plus an estimate of its accumulated errors. If the
MDP is so badly conditioned that no such pair is found, the result has no bounds.
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
"""Twice the relative rounding error of one floating-point operation. The factor 2 also covers
products of rounding errors (Higham, Accuracy and Stability, Sect. 3.1)."""

LEAST = float(np.finfo(np.float64).smallest_normal)
ROUNDS = 200
"""Maximum number of policy improvements in policy iteration. More are rarely needed. If the optimal
policy is not found, the bounds are wider, or there are none."""

MAX_FACTORED = 50_000
"""Number of states of a strongly connected component up to which its linear equations are solved
directly, by LU factors."""

SWEEPS, FEW_SWEEPS = 2_000, 200
"""Maximum number of Gauss-Seidel sweeps: ``SWEEPS`` if the equations cannot be solved directly,
``FEW_SWEEPS`` if they can."""

SETTLED, ABOUT = 1e-15, 1e-3
"""Relative change below which Gauss-Seidel sweeps stop: ``SETTLED`` for values, ``ABOUT`` for
accumulated errors."""


@dataclass(frozen=True)
class Enclosure:
    """Value of each state of an MDP with certified lower and upper bounds.

    ``find_choices`` returns the choice of each state for a strategy that approximately attains the
    values. It returns None if there is only one strategy or if no bounds were found.
    """

    values: Floats
    lower: Floats
    upper: Floats
    find_choices: Callable[[], Indices | None] = field(default=lambda: None, repr=False)


def enclose_reach(mdp: Mdp, through: Mask, goal: Mask, optimum: Optimum) -> Enclosure:
    """Return the optimal probability of ``through U goal`` in each state, with certified bounds.
    The bounds are 0 and 1 if no better ones are found."""
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
        """Return the choices that a strategy may use in states of value 0 and 1, and the states to
        which it should go by these choices: those of the goal.

        In states of value 0, the choices lead only to states of value 0, so the goal is missed. In
        states of value 1, they lead only to states of value 1. Going towards the goal by these
        choices reaches it almost surely.
        """
        return _staying_in(mdp, ~possible) | _staying_in(mdp, certain), goal

    return Enclosure(values, lower, upper, equations.choices(elsewhere=decided))


def enclose_reward(mdp: Mdp, rewards: RewardArrays, goal: Mask, optimum: Optimum) -> Enclosure:
    """Return the optimal expected reward until ``goal`` is reached in each state, with certified
    bounds. It is infinite if the goal may be missed. Rewards must not be negative."""
    everywhere = np.ones(mdp.num_states, dtype=np.bool_)
    finite = (
        prob_1_some(mdp, everywhere, goal)
        if optimum == "min"
        else ~prob_greater_0_some(mdp, ~goal, ~prob_greater_0_all(mdp, everywhere, goal))
    )

    def infinite_reward_choices() -> tuple[Mask, Mask]:
        """Return the choices by which a strategy obtains infinite reward, and the states to which
        it should go by these choices. They are the states in which the strategy can avoid the goal.
        The choices in these states avoid the goal."""
        missing = ~prob_greater_0_all(mdp, everywhere, goal)
        return np.where(
            missing[mdp.choice_states], _staying_in(mdp, missing), ~finite[mdp.choice_states]
        ), missing

    return _enclose_expected_reward(
        mdp, _gains(mdp, rewards), finite & ~goal, finite, optimum, infinite_reward_choices
    )


def enclose_total(mdp: Mdp, rewards: RewardArrays, optimum: Optimum) -> Enclosure:
    """Return the optimal expected total reward of a run from each state, with certified bounds.
    Rewards must not be negative."""
    everywhere = np.ones(mdp.num_states, dtype=np.bool_)
    gains = _gains(mdp, rewards)
    if optimum == "min":
        # The total is finite if the strategy can almost surely reach an end component without
        # reward.
        finite = prob_1_some(mdp, everywhere, end_components(mdp, gains == 0)[1] >= 0)
        return _enclose_expected_reward(
            mdp,
            gains,
            finite,
            finite,
            optimum,
            lambda: (~finite[mdp.choice_states], ~finite),
            may_stay=True,
        )
    staying, component = end_components(mdp, np.ones(mdp.num_choices, dtype=np.bool_))
    recurring = np.zeros(mdp.num_states, dtype=np.bool_)
    recurring[mdp.choice_states[staying & (gains > 0)]] = True
    finite = ~prob_greater_0_some(mdp, everywhere, recurring)

    def infinite_reward_choices() -> tuple[Mask, Mask]:
        """Return the choices by which a strategy obtains infinite reward, and the states to which
        it should go by these choices. They are the states in which the strategy can earn a reward
        and return. The choices in these states earn a reward and stay in the end component."""
        in_cycle = np.isin(component, np.unique(component[recurring]))
        useful = np.where(in_cycle[mdp.choice_states], staying, ~finite[mdp.choice_states])
        return np.where(recurring[mdp.choice_states], staying & (gains > 0), useful), recurring

    return _enclose_expected_reward(
        mdp, gains, finite, finite, optimum, infinite_reward_choices, may_stay=True
    )


def _gains(mdp: Mdp, rewards: RewardArrays) -> Floats:
    return np.asarray(rewards.of_states, dtype=np.float64)[mdp.choice_states] + np.asarray(
        rewards.of_choices, dtype=np.float64
    )


def _enclose_expected_reward(
    mdp: Mdp,
    gains: Floats,
    undecided: Mask,
    finite: Mask,
    optimum: Optimum,
    infinite_reward_choices: Callable[[], tuple[Mask, Mask]],
    *,
    may_stay: bool = False,
) -> Enclosure:
    """Return the optimal expected reward in each state, with certified bounds.

    ``finite`` is a mask of the states in which the reward is finite; in all other states the reward
    is infinite. ``undecided`` is a mask of those states in ``finite`` for which equations must be
    solved. In the other states of ``finite``, such as goal states, the reward is 0.

    ``infinite_reward_choices`` is for the states with infinite reward. It returns the choices by
    which a strategy obtains infinite reward, and the states to which it should go by these choices.
    With ``may_stay``, a strategy may stay forever in an end component whose choices earn no reward.
    """
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
    return Enclosure(values, lower, upper, equations.choices(elsewhere=infinite_reward_choices))


def _staying_in(mdp: Mdp, states: Mask) -> Mask:
    """Return the choices of these states that do not lead out of these states."""
    return states[mdp.choice_states] & ~mdp.choices_into(~states)


class _BellmanEquations:
    """Bellman equations for the values of the ``undecided`` states of an MDP, with one unknown for
    each block of states.

    A block is a set of states that have the same value. There are two kinds:

    - a single state;
    - an end component whose choices have no gain (they add nothing to the value). With
      ``may_stay``, a strategy may stay in it forever.

    A state outside these end components joins the block of its successor if its only choice leads
    there with probability 1 and without gain.

    A row of a block is a choice of one of its states that is not inside a collapsed end component.
    With ``may_stay``, staying in the block is a row too. The value of a block is the optimum over
    its rows of (gain + sum of p * x), where p is the probability of moving to a block and x the
    value of that block. Transitions to states that are not undecided contribute only to the gain.
    Gains must not be negative.
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
        made = _native.build_bellman_equations(
            *graph, mdp.probabilities, gains, undecided, choices, staying, component, may_stay
        )
        (
            self._block_of_state,
            self._forwarding_choices,
            ends,
            first_entry,
            columns,
            weights,
            self._gains,
            self._choice_of_row,
            self._exits,
        ) = made
        self.size = len(ends) - 1
        self._first_row, self._rows_of = ends[:-1], np.diff(ends)
        self._matrix = sparse.csr_array(
            (weights, columns, first_entry), shape=(len(self._gains), self.size)
        )
        self._near = np.zeros(self.size)
        # Number of terms in the sum that is computed for each row (a choice of a block): one for
        # each transition, and four more for the gain, which may be a sum too.
        self._terms = np.where(
            self._choice_of_row < 0, 1.0, np.diff(mdp.first_transition)[self._choice_of_row] + 4.0
        )

    def enclosed(self) -> tuple[Floats, Floats, Floats] | None:
        """Return the values of all states, their lower bounds and their upper bounds; None if no
        bounds are found. States that are not undecided get 0."""
        if self.size == 0:
            nothing = np.zeros(len(self._block_of_state))
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
        """Yield approximate solutions of the equations around which bounds may be found, the
        cheapest first; None for an attempt that fails. The attempts are:

        1. Gauss-Seidel sweeps. They converge if runs do not stay in cycles for long.
        2. Policy iteration from the policy that is optimal for the values of the sweeps. It takes
           few rounds and rarely fails.
        3. Policy iteration from a proper policy.
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
        # The thorough error estimate is slow. It is needed if policies with long runs have almost
        # equal values.
        for thorough in (False, True):
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
        # States that belong to no block have the block number -1, which selects the appended value
        # 0.
        everywhere: Floats = np.append(values, 0.0)[self._block_of_state]
        return everywhere

    def _certifies(self, lower: Floats, upper: Floats) -> bool:
        """Return whether the true solution of the equations provably lies between ``lower`` and
        ``upper``."""
        below, above = (
            self._best_of(self._rows(lower) - self._rounding(lower)),
            self._best_of(self._rows(upper) + self._rounding(upper)),
        )
        return bool(np.all(below >= lower) and np.all(above <= upper))

    def choices(self, elsewhere: Callable[[], tuple[Mask, Mask]]) -> Callable[[], Indices | None]:
        """Return a function that computes a strategy: one choice for each state, such that the
        values are approximately attained.

        ``elsewhere`` is for states that are not undecided. It returns the choices that the strategy
        may use in these states, and the states to which it should go by these choices. The returned
        function does not keep the equations in memory.
        """
        mdp, staying, following = self._mdp, self._staying, self._forwarding_choices
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
            # In a block of several states, go to the state from which the block is left.
            inside = shortest_path_choices(mdp, staying, doors)
            result = np.where(inside >= 0, inside, result)
            result[mdp.choice_states[leaving]] = leaving
            result[mdp.choice_states[following]] = following
            return result

        return find

    # --- evaluation of the Bellman operator -------------------------------------------------------

    def _rows(self, values: Floats) -> Floats:
        result: Floats = self._gains + self._matrix @ values
        return result

    def _rounding(self, values: Floats) -> Floats:
        """Return, for each row (a choice of a block of states), a bound on the rounding error of
        its value computed from ``values``. The bound also covers that probabilities below the
        smallest normal float are replaced by that float."""
        vanishing = LEAST * max(1.0, float(np.abs(values).max()))
        result: Floats = self._terms * (
            ROUNDING * (self._gains + self._matrix @ np.abs(values)) + vanishing
        )
        return result

    def _chain(self, policy: Indices) -> sparse.csr_array:
        """Return the transition matrix of the Markov chain that a policy induces on the blocks."""
        return self._matrix if len(policy) == len(self._gains) else self._matrix[policy]

    def _best_of(self, rows: Floats) -> Floats:
        best: Floats = self._best.reduceat(rows, self._first_row)
        return best

    def _picked(self, rows: Floats, best: Floats) -> Indices:
        """Return, for each block of states, the first of its rows (choices) whose value in ``rows``
        equals the optimum of the block in ``best``."""
        equal = np.flatnonzero(rows == np.repeat(best, self._rows_of))
        blocks = self._row_blocks[equal]
        picked: Indices = equal[np.diff(blocks, prepend=-1) > 0]
        return picked

    @cached_property
    def _row_blocks(self) -> Indices:
        return np.repeat(np.arange(self.size), self._rows_of)

    # --- candidates for bounds, which need not be correct -----------------------------------------

    def _proper_policy(self) -> Indices:
        """Return a proper policy, which almost surely leaves the undecided states. In each block of
        states it takes the row (choice) that leads closest to leaving them."""
        graph = sparse.csr_array(
            (np.ones(len(self._row_blocks)), (self._row_blocks, np.arange(len(self._row_blocks))))
        )
        forward = sparse.csr_array(graph @ self._matrix)
        last = np.unique(self._row_blocks[self._exits])
        away = sparse.csgraph.dijkstra(
            forward.T.tocsr(), indices=last, unweighted=True, min_only=True
        )
        entries = np.repeat(np.arange(self._matrix.shape[0]), np.diff(self._matrix.indptr))
        nearest = np.full(self._matrix.shape[0], np.inf)
        np.minimum.at(nearest, entries, away[self._matrix.indices])
        nearest = np.where(self._exits, -1.0, nearest)
        return self._picked(nearest, np.minimum.reduceat(nearest, self._first_row))

    def _solved(self, policy: Indices) -> Floats | None:
        """Return an approximate solution of the equations by policy iteration that starts from
        ``policy``; None if that fails."""
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
        """Return an estimate of the error of ``values`` in each block of states; None if the
        estimate fails.

        A row is a choice of a block. Computing the value of a row has a small error, and these
        errors accumulate along the runs of a policy. The estimate is the largest accumulated error
        of a policy whose rows are all nearly optimal. This policy is found by policy iteration,
        which stops when the error grows by less than one percent. With ``thorough``, the iteration
        stops only when the error grows by less than a fraction of the error of a single row.
        """
        rows, rounding = self._rows(values), self._rounding(values)
        best = self._best_of(rows)
        worse_by = np.abs(rows - np.repeat(best, self._rows_of))
        nearly = worse_by <= 1e-6 * (np.abs(np.repeat(best, self._rows_of)) + LEAST)
        added = rounding + np.repeat(np.abs(best - values), self._rows_of)
        # A row (choice) that is worse than the best one tolerates an error as large as the
        # difference of their values. Subtract only 1/64 of the difference, because the bounds are
        # up to 64 times the errors away from the values.
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
            # Ignore small increases of the error. The bounds use at least twice the errors, and
            # this covers an increase of up to half the error of a row (choice) in every step,
            # however many steps follow.
            worse = worst - later[policy] > (0.25 * minimum if thorough else 0.01 * later[policy])
            if not worse.any():
                return errors
            policy = np.where(worse, self._picked(later, worst), policy)
        return errors

    def _refined(self, policy: Indices) -> Floats | None:
        """Return the values of a policy after one step of iterative refinement; None if its
        equations are numerically singular."""
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
    """Solver for the linear equations of a Markov chain, ``x = constants + chain x``. It uses
    Gauss-Seidel sweeps, or a direct solution if sweeps take long and no strongly connected
    component is too large."""

    def __init__(self, chain: sparse.csr_array) -> None:
        self._chain = chain

    def __call__(
        self, constants: Floats, start: Floats, tolerance: float = SETTLED
    ) -> Floats | None:
        """Return the solution for these constants; None if the equations are numerically singular.
        Sweeps begin at ``start``."""
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
        """Function that solves the equations by LU factors; None if a strongly connected component
        is too large. States are ordered by component, so that the components are solved one after
        the other."""
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
    """Return the values after at most ``maximum`` Gauss-Seidel sweeps over the rows of a matrix,
    and whether the last sweep changed them by less than the relative ``tolerance``."""
    columns = matrix.indices.astype(np.uint32)
    return _native.solve_gauss_seidel(
        first_row,
        matrix.indptr.astype(np.int64),
        columns,
        matrix.data,
        gains,
        values,
        minimise=minimise,
        tolerance=tolerance,
        max_sweeps=maximum,
    )
