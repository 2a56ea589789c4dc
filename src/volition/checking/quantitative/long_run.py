"""Certified bounds on long-run averages of gains per step in an MDP. The gain of a choice is what a
run earns by taking it once, such as a reward.

Every run eventually stays in an end component. All states of a maximal end component have the same
optimal average g. Let B be the Bellman operator. For every vector h, g lies between the minimum and
the maximum of B h - h (Puterman, "Markov Decision Processes", 1994, Sect. 8.5). Policy iteration
finds an h for which the two are almost equal; the bounds hold wherever h comes from.

It remains to choose the component in which a run stays. This is a problem of expected total gain:
from each component, an additional choice leads to a new final state. It stands for staying in the
component forever, and its gain is the average of the component. The optimal total gain is the
optimal long-run average, and :mod:`volition.checking.quantitative.certified_bounds` computes bounds
on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from volition.checking.mdp.end_components import (
    end_components,
    prob_1_some,
    scc_numbers,
    shortest_path_choices,
)
from volition.checking.mdp.mdp import Mdp, RewardArrays, Rewards
from volition.checking.quantitative.certified_bounds import (
    LEAST,
    MAX_FACTORED,
    ROUNDING,
    ROUNDS,
    Enclosure,
    Optimum,
    Solver,
    enclose_reward,
    enclose_total,
)
from volition.checking.quantitative.context import (
    METHOD_POLICY_ITERATION,
    QuantitativeContext,
    SolveSpec,
    StateValues,
)
from volition.checking.quantitative.reachability import prob_greater_0_some
from volition.kernel.arrays import Floats, Indices, Mask, offsets_of

__all__ = ["average_gain", "enclose_long_run"]

SETTLING = 100
"""Number of value-iteration steps that are used for two approximations: of the choices that are
good in the long run, and of the states that a Markov chain visits often."""

WIDE = 1e-6
"""Width of the bounds on an average, relative to the largest gain, above which they are considered
too wide."""


def average_gain(
    on: QuantitativeContext,
    gains: Floats,
    prop: str,
    *masks: Mask,
    spec: SolveSpec,
    error: float = 0.0,
) -> StateValues:
    """Return the optimal long-run average gain per step in each state.

    ``gains`` has the gain of each choice (what a run earns by taking it, such as a reward).
    ``error`` is a bound on the absolute error of the gains. ``prop`` is the same query in Storm's
    syntax; ``masks`` are the sets of states that it refers to.
    """
    if on.use_exact():
        return on.solve_with_storm(spec, prop, *masks)
    found = enclose_long_run(on.loaded.without_zero_transitions, gains, spec.optimum_or_max)
    if (
        found.upper[0] - found.lower[0] > WIDE * np.abs(gains).max()
        and on.mdp.largest_strong_component() > MAX_FACTORED
    ):
        # The equations are too large to solve directly; Storm may do better.
        return on.solve_with_storm(spec, prop, *masks)
    if error > 0:
        lower, upper = (
            np.nextafter(found.lower - error, -np.inf),
            np.nextafter(found.upper + error, np.inf),
        )
        found = replace(found, lower=lower, upper=upper)
    return StateValues.between(found, METHOD_POLICY_ITERATION)


def enclose_long_run(mdp: Mdp, gains: Floats, optimum: Optimum) -> Enclosure:
    """Return the optimal long-run average gain per step in each state of an MDP, with certified
    bounds. ``gains`` has the gain of each choice: what a run earns by taking it, such as a reward.
    """
    staying, component = end_components(mdp, np.ones(mdp.num_choices, dtype=np.bool_))
    inside = component >= 0
    number = np.full(mdp.num_states, -1, dtype=np.int64)
    number[inside] = np.unique(component[inside], return_inverse=True)[1]
    averages = _averages(mdp, staying, number, gains, optimum)
    everywhere = np.ones(mdp.num_states, dtype=np.bool_)
    bottom, top = float(averages.lower.min()), float(averages.upper.max())
    extreme, rest = (top, bottom) if optimum == "max" else (bottom, top)
    attained = prob_1_some(mdp, everywhere, averages.are_exactly(extreme)[number] & inside)
    missed = ~prob_greater_0_some(mdp, everywhere, ~averages.are_exactly(rest)[number] & inside)
    found = _EndingMdp(mdp, number, averages).enclosed(bottom, optimum)
    lower, upper = (np.clip(each, bottom, top) for each in (found.lower, found.upper))
    for states, value in ((missed, rest), (attained, extreme)):
        lower[states] = upper[states] = value
    return Enclosure(lower + (upper - lower) / 2, lower, upper, found.find_choices)


@dataclass(frozen=True)
class _Averages:
    """Bounds on the optimal long-run average of each end component. ``find_choices`` returns a
    choice for each state in an end component; these choices approximately attain the optimal
    average."""

    lower: Floats
    upper: Floats
    find_choices: Callable[[], Indices]

    def are_exactly(self, value: float) -> Mask:
        """Return a mask of the end components whose average is certainly ``value``."""
        exactly: Mask = (self.lower == value) & (self.upper == value)
        return exactly


def _averages(
    mdp: Mdp, staying: Mask, number: Indices, gains: Floats, optimum: Optimum
) -> _Averages:
    """Return the optimal long-run averages of all end components. Graph analysis decides some of
    them, policy iteration the others. ``staying`` marks the choices that stay in an end component.
    ``number`` is the number of the end component of each state, or -1 for none."""
    of_choice = number[mdp.choice_states]
    count = int(number.max()) + 1
    minimum, maximum = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(minimum, of_choice[staying], gains[staying])
    np.maximum.at(maximum, of_choice[staying], gains[staying])
    # If the best gain is possible in every step of an end component, it is the average.
    best = maximum if optimum == "max" else minimum
    best_choices, best_component = end_components(mdp, staying & (gains == best[of_choice]))
    attained = np.zeros(count, dtype=np.bool_)
    attained[number[best_component >= 0]] = True
    lower, upper = np.where(attained, best, minimum), np.where(attained, best, maximum)
    open_states = (number >= 0) & ~attained[number]
    policy = None
    if open_states.any():
        part = mdp.part(open_states, staying)
        kept = staying & open_states[mdp.choice_states]
        numbers, positions = np.unique(number[open_states], return_inverse=True)
        policy = _Policies(part, positions, gains[kept], optimum)
        below, above = policy.enclosed()
        lower[numbers], upper[numbers] = (
            np.fmax(lower[numbers], below),
            np.fmin(upper[numbers], above),
        )

    def choices() -> Indices:
        result = shortest_path_choices(mdp, staying, best_component >= 0)
        inner = shortest_path_choices(mdp, best_choices, best_component >= 0)
        result = np.where(inner >= 0, inner, result)
        if policy is not None:
            result[open_states] = np.flatnonzero(kept)[policy.choices]
        return result

    return _Averages(lower, upper, choices)


class _Policies:
    """Policy iteration that computes bounds on the optimal long-run averages of end components. It
    works on an MDP whose states all belong to one of these components."""

    def __init__(self, mdp: Mdp, component: Indices, gains: Floats, optimum: Optimum) -> None:
        self._mdp = mdp
        self._component = component
        self._gains = gains
        self._best = np.maximum if optimum == "max" else np.minimum
        self._count = int(component.max()) + 1
        self._terms = np.diff(mdp.first_transition) + 4.0
        bias = np.zeros(mdp.num_states)
        for _ in range(SETTLING):
            bias = (bias + self._best_of(self._rows(bias))) / 2
        rows = self._rows(bias)
        self.choices = self._picked(rows, self._best_of(rows))

    def enclosed(self) -> tuple[Floats, Floats]:
        """Return lower and upper bounds on the average of each end component. Bounds that are not
        found are infinite or NaN."""
        lower, upper = np.full(self._count, -np.inf), np.full(self._count, np.inf)
        policy = self.choices
        with np.errstate(all="ignore"):
            for round_ in range(ROUNDS):
                # With ``directly``, states outside the best recurrent class take a shortest path to
                # it. The first round needs this, because the first policy is arbitrary in these
                # states. A later round needs it if the policy takes so long to reach the class that
                # ``_bias`` fails.
                joined, roots = self._merge_recurrent_classes(policy, directly=round_ == 0)
                bias = self._bias(joined, roots)
                if bias is None and round_ > 0:
                    joined, roots = self._merge_recurrent_classes(policy, directly=True)
                    bias = self._bias(joined, roots)
                if bias is None:
                    break
                policy = joined
                rows, rounding = self._rows(bias), self._rounding(bias)
                below, above = (self._best_of(each) for each in (rows - rounding, rows + rounding))
                lower = np.maximum(
                    lower, self._over(np.minimum, np.nextafter(below - bias, -np.inf), np.inf)
                )
                upper = np.minimum(
                    upper, self._over(np.maximum, np.nextafter(above - bias, np.inf), -np.inf)
                )
                self.choices = policy
                best = self._best_of(rows)
                better = np.abs(best - rows[policy]) > 4 * rounding[policy]
                if not better.any():
                    break
                policy = np.where(better, self._picked(rows, best), policy)
        return lower, upper

    def _over(self, best: np.ufunc, values: Floats, start: float) -> Floats:
        """Return, for each end component, the minimum or maximum (``best``) of ``start`` and the
        values of its states."""
        result = np.full(self._count, start)
        best.at(result, self._component, values)
        return result

    def _picked(self, rows: Floats, best: Floats) -> Indices:
        """Return, for each state, its first choice whose value in ``rows`` is the optimum given in
        ``best``."""
        equal = np.flatnonzero(rows == best[self._mdp.choice_states])
        picked: Indices = equal[np.diff(self._mdp.choice_states[equal], prepend=-1) > 0]
        return picked

    def _best_of(self, rows: Floats) -> Floats:
        best: Floats = self._best.reduceat(rows, self._mdp.first_choice[:-1])
        return best

    def _rows(self, values: Floats) -> Floats:
        rows: Floats = self._gains + self._mdp.matrix @ values
        return rows

    def _rounding(self, values: Floats) -> Floats:
        """Return, for each choice, a bound on the rounding error of a difference: the Bellman
        backup of the choice minus the value of its state. The bound also holds for the backup
        alone."""
        vanishing = LEAST * max(1.0, float(np.abs(values).max()))
        sizes = (
            np.abs(self._gains)
            + self._mdp.matrix @ np.abs(values)
            + np.abs(values)[self._mdp.choice_states]
        )
        rounding: Floats = self._terms * (ROUNDING * sizes + vanishing)
        return rounding

    def _merge_recurrent_classes(
        self, policy: Indices, *, directly: bool
    ) -> tuple[Indices, Indices]:
        """Return a policy with a single recurrent class in each end component, and a state of each
        of these classes (its root, a state that is visited often).

        Of several recurrent classes of ``policy`` in a component, the one with the best average is
        kept. The other states follow ``policy`` if it leads to this class, and a shortest path
        otherwise. With ``directly``, they always follow a shortest path.
        """
        used = np.zeros(self._mdp.num_choices, dtype=np.bool_)
        used[policy] = True
        number = scc_numbers(self._mdp, used)
        chain = sparse.coo_array(self._mdp.matrix[policy])
        recurrent = np.ones(int(number.max()) + 1, dtype=np.bool_)
        recurrent[number[chain.row[number[chain.row] != number[chain.col]]]] = False
        roots = _frequent_states(chain.tocsr(), np.where(recurrent[number], number, -1))
        of_root = self._component[roots]
        if len(roots) > self._count:
            averages = self._averages_at(policy, roots)
            order = np.lexsort((-averages if self._best is np.maximum else averages, of_root))
        else:
            order = np.argsort(of_root)
        roots = roots[order[np.diff(of_root[order], prepend=-1) > 0]]
        kept = np.isin(number, number[roots])
        towards = shortest_path_choices(
            self._mdp, np.ones(self._mdp.num_choices, dtype=np.bool_), kept
        )
        same = (
            kept
            if directly
            else prob_greater_0_some(self._mdp.induced_chain(policy), np.ones_like(kept), kept)
        )
        return np.where(same, policy, towards), roots

    def _averages_at(self, policy: Indices, roots: Indices) -> Floats:
        """Return the average gain per step of recurrent classes under a policy. ``roots`` has one
        state of each class. An average is NaN if it cannot be computed."""
        solve = Solver(self._chain_until_roots(policy, roots))
        gains = self._gains[policy]
        earned, steps = (
            solve(gains - gains.min(), np.zeros(len(gains))),
            solve(np.ones(len(gains)), np.zeros(len(gains))),
        )
        if earned is None or steps is None:
            return np.full(len(roots), np.nan)
        averages: Floats = earned[roots] / steps[roots]
        return averages

    def _bias(self, policy: Indices, roots: Indices) -> Floats | None:
        """Return the bias of each state under a policy: how much more a run from this state earns
        than the long-run average, before it reaches a reference state.

        ``roots`` has one reference state for each end component. The bias is the expected sum of
        (gain of the step - average gain of the end component) over the steps until the run reaches
        the reference state of its component. Return None if it cannot be computed.
        """
        solve = Solver(self._chain_until_roots(policy, roots))
        gains = self._gains[policy]
        steps = solve(np.ones(len(gains)), np.zeros(len(gains)))
        earned = solve(gains - gains.min(), np.zeros(len(gains)))
        if steps is None or earned is None:
            return None
        root = np.empty(self._count, dtype=np.int64)
        root[self._component[roots]] = roots
        average = (earned[root] / steps[root])[self._component]
        bias: Floats = earned - average * steps
        # Correct the bias by solving the same equations for its residual. The residual is computed
        # from the gains minus the average, so it is small if the average is accurate.
        rest = gains - gains.min() - average + self._mdp.matrix[policy] @ bias - bias
        missing = solve(rest, np.zeros(len(gains)))
        if missing is not None:
            bias = bias + missing - (missing[root] / steps[root])[self._component] * steps
        return bias if np.isfinite(bias).all() else None

    def _chain_until_roots(self, policy: Indices, roots: Indices) -> sparse.csr_array:
        """Return the transition matrix of the Markov chain that a policy induces, without the
        transitions into the states ``roots``. So the chain ends when it would enter one of them."""
        others = np.ones(self._mdp.num_states)
        others[roots] = 0.0
        chain: sparse.csr_array = (self._mdp.matrix[policy] @ sparse.diags_array(others)).tocsr()
        chain.eliminate_zeros()
        return chain


def _frequent_states(chain: sparse.csr_array, part: Indices) -> Indices:
    """Return a frequently visited state of each recurrent class of a Markov chain. ``part`` is the
    class number of each state, or -1 for none."""
    share = (part >= 0).astype(np.float64)
    forward = chain.T.tocsr()
    for _ in range(SETTLING):
        # The lazy chain visits the states as often as the chain itself, and it is aperiodic.
        share = (share + forward @ share) / 2
    order = np.lexsort((-share, part))
    order = order[part[order] >= 0]
    often: Indices = order[np.diff(part[order], prepend=-1) > 0]
    return often


class _EndingMdp:
    """MDP with an additional final state, which serves to choose the end component in which a run
    stays.

    From each end component, an additional choice leads to the final state and earns the long-run
    average of the component. The optimal expected total in this MDP is the optimal long-run average
    in the original one.
    """

    def __init__(self, mdp: Mdp, number: Indices, averages: _Averages) -> None:
        self._mdp = mdp
        self._number = number
        self._averages = averages
        doors = np.flatnonzero(number >= 0)
        self._doors: Indices = doors[np.unique(number[doors], return_index=True)[1]]

    def enclosed(self, bottom: float, optimum: Optimum) -> Enclosure:
        """Return the optimal expected long-run average in each state, with bounds. ``bottom`` is
        the smallest average of an end component. It is subtracted from all averages during the
        computation, because gains must not be negative."""
        below = self._earned(
            np.nextafter(self._averages.lower - bottom, -np.inf),
            self._averages.lower > bottom,
            optimum,
        )
        above = self._earned(
            np.nextafter(self._averages.upper - bottom, np.inf),
            self._averages.upper > bottom,
            optimum,
        )
        lower, upper = (
            np.nextafter(below.lower[:-1] + bottom, -np.inf),
            np.nextafter(above.upper[:-1] + bottom, np.inf),
        )
        return Enclosure(lower, lower, upper, lambda: self._choices(below.find_choices()))

    def _earned(self, prices: Floats, priced: Mask, optimum: Optimum) -> Enclosure:
        earned = np.zeros(self._process.num_choices)
        earned[self._ends] = np.where(priced, np.maximum(prices, 0.0), 0.0)
        rewards = RewardArrays(np.zeros(self._process.num_states), earned)
        if optimum == "max":
            return enclose_total(self._process, rewards, "max")
        goal = np.zeros(self._process.num_states, dtype=np.bool_)
        goal[-1] = True
        return enclose_reward(self._process, rewards, goal, "min")

    @cached_property
    def _ends(self) -> Indices:
        """Numbers of the choices that lead to the final state, one per end component. Each is the
        last choice of its state."""
        ends: Indices = self._process.first_choice[self._doors + 1] - 1
        return ends

    @cached_property
    def _process(self) -> Mdp:
        mdp, doors, last = self._mdp, self._doors, self._mdp.num_states
        after = mdp.first_choice[doors + 1]
        more = np.zeros(mdp.num_states, dtype=np.int64)
        more[doors] = 1
        positions = mdp.first_transition[after]
        sizes = np.append(np.insert(np.diff(mdp.first_transition), after, 1), 1)
        return replace(
            mdp,
            first_choice=offsets_of(np.append(np.diff(mdp.first_choice) + more, 1)),
            first_transition=offsets_of(sizes),
            targets=np.append(np.insert(mdp.targets, positions, last), last).astype(np.uint32),
            weight_ids=np.append(
                np.insert(mdp.weight_ids, positions, len(mdp.weights)), len(mdp.weights)
            ).astype(np.uint32),
            weights=(*mdp.weights, 1),
            rewards=Rewards((), mdp.rewards.__getitem__),
            frontier=np.append(mdp.frontier, False),
            choice_origins=np.append(np.insert(np.arange(mdp.num_choices), after, -1), -1),
        )

    def _choices(self, found: Indices | None) -> Indices | None:
        """Return the choices of the original MDP for a strategy ``found`` in this MDP. In a
        component where going to the final state is optimal, they are the choices that attain the
        average of the component."""
        if found is None:
            return None
        ends = np.zeros(int(self._number.max()) + 1, dtype=np.bool_)
        ends[self._number[self._doors]] = found[self._doors] == self._ends
        stays = (self._number >= 0) & ends[self._number]
        return np.where(
            stays, self._averages.find_choices(), self._process.original_choices[found[:-1]]
        )
