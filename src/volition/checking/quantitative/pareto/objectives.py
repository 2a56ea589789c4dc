"""Objectives of a multi-objective query, and the optimal strategy for given weights.

A strategy for several objectives must remember which goals it has reached or missed. In the product
of the MDP with this memory, every objective is an expected total. A probability is the expected
number of times (0 or 1) that its goal is reached for the first time. A reward is the total until
its goal is reached or unreachable. Optima of weighted sums of totals are attained by strategies
without further memory (Etessami, Kwiatkowska, Vardi and Yannakakis 2008).

A total may be infinite. For a minimised objective, such as a cost, that is the worst value, but it
may allow better values of the other objectives. A front is therefore computed for a given set of
objectives that must stay finite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from volition.checking.mdp.end_components import end_components
from volition.checking.mdp.mdp import Mdp
from volition.checking.mdp.memory_product import MemoryProduct, build_memory_product
from volition.checking.quantitative.context import UndecidedError
from volition.checking.quantitative.deadline import Deadline
from volition.checking.quantitative.pareto.linear_solver import IllConditioned, expected_totals
from volition.checking.quantitative.pareto.policy_iteration import FiniteStrategies
from volition.checking.quantitative.probabilities import UntilProblem, normalise_path
from volition.checking.quantitative.reachability import prob_greater_0_some
from volition.diagnostics import Diagnostic, InputError
from volition.kernel.arrays import Indices, Mask
from volition.logic.printing import as_typed, formula_text
from volition.logic.syntax import Finally, Formula, Probability, Reward, Total

__all__ = [
    "MISSED",
    "OPEN",
    "REACHED",
    "AttainedPoint",
    "Objective",
    "ObjectiveProduct",
    "read_objective",
]

OPEN, REACHED, MISSED = 0, 1, 2
STATUSES = 3

_TOO_LARGE = "a strategy gains or costs more than 1e308, too much for a trade-off"
_TOO_ROUGH = "floating point is not accurate enough for these values; use exact arithmetic"


@dataclass(frozen=True)
class Objective:
    """One objective on an MDP: the probability of reaching a goal, or the expected reward until the
    goal is reached.

    ``unreachable`` are the states from which the goal cannot be reached. ``reward`` is the name of
    the reward, or None for a probability. With ``opposite``, the objective is the probability of
    *not* reaching the goal. ``maximised`` refers to the objective itself: with ``opposite``, it is
    the probability of not reaching the goal that is maximised.
    """

    text: str
    maximised: bool
    goal: Mask
    unreachable: Mask
    reward: str | None = None
    opposite: bool = False

    @property
    def total_maximised(self) -> bool:
        """Whether the expected total that represents the objective is maximised. With ``opposite``,
        the total is the probability of reaching the goal. It is maximised if the objective, the
        probability of not reaching the goal, is minimised."""
        return self.maximised != self.opposite

    def value(self, total: Any) -> Any:
        """Return the value of the objective, given the expected total that represents it: the
        reward, or the probability of reaching the goal in a step (not in the initial state)."""
        if self.reward is None and self.goal[0]:
            total = total + 1  # the goal holds in the initial state
        return 1 - total if self.opposite else total


def read_objective(
    formula: Formula,
    maximised: bool,
    mdp: Mdp,
    states: Callable[[Formula], Mask],
    reward_name: Callable[[Reward], str],
) -> Objective:
    """Return the objective that a formula of ``multi(..)`` states. Raise :class:`InputError` if the
    formula is not supported as an objective.

    ``states`` returns the states that satisfy a state formula, ``reward_name`` the name of the
    reward of a formula.
    """
    everywhere = np.ones(mdp.num_states, dtype=np.bool_)
    match formula:
        case Probability():
            reduced = normalise_path(formula.path)
            if isinstance(reduced.prop, UntilProblem) and reduced.prop.bound is None:
                through, goal = states(reduced.prop.through), states(reduced.prop.goal)
                return Objective(
                    formula_text(formula),
                    maximised,
                    goal,
                    ~prob_greater_0_some(mdp, through, goal),
                    opposite=reduced.opposite,
                )
        case Reward(reward_path=Finally(bound=None) as path):
            goal = states(path.operand)
            return Objective(
                formula_text(formula),
                maximised,
                goal,
                ~prob_greater_0_some(mdp, everywhere, goal),
                reward_name(formula),
            )
        case Reward(reward_path=Total()):
            return Objective(
                formula_text(formula), maximised, ~everywhere, ~everywhere, reward_name(formula)
            )
        case _:
            pass
    hint = (
        "an objective is P [ F .. ], P [ .. U .. ], P [ G .. ], R [ F .. ] or R [ C ], without "
        "step bounds"
    )
    raise InputError(
        [
            Diagnostic(
                "CHK030",
                f"'{as_typed(formula)}' cannot be one of several objectives",
                formula.span,
                hint,
            )
        ]
    )


@dataclass(frozen=True)
class AttainedPoint:
    """Point that one strategy attains: ``values`` are the values of the objectives under this
    strategy. Each value has an absolute error of at most ``error``. ``choices`` is the strategy, as
    its choices in the product MDP.

    Most strategies are found by maximising a weighted sum of the objectives, in which minimised
    objectives are negated. For such a strategy, ``limit`` is an upper bound on this sum that no
    strategy exceeds. For any other strategy, ``limit`` is None.
    """

    values: tuple[Any, ...]
    choices: Indices
    error: float = 0.0
    limit: Any = None


class ObjectiveProduct:
    """Product of an MDP with the status of each objective (open, reached or missed), and optimal
    strategies in it.

    ``endless`` has the indices of the objectives that some strategy makes infinitely bad. Raise
    :class:`UndecidedError` if some strategy makes an objective infinitely good.
    """

    def __init__(
        self,
        mdp: Mdp,
        objectives: Sequence[Objective],
        *,
        exact: bool,
        precision: float,
        deadline: Deadline,
    ) -> None:
        self.objectives = tuple(objectives)
        self.exact = exact
        self._precision = precision
        self._deadline = deadline
        self.unfolding = _status_product(mdp, self.objectives, deadline)
        self.statuses = _decode_status(self.unfolding.memory, len(self.objectives))
        self._gains = [self._gain(mdp, i, each) for i, each in enumerate(self.objectives)]
        self.endless = self._diverging()
        self._finite: dict[tuple[int, ...], FiniteStrategies] = {}

    def best(self, weights: Sequence[Fraction], indices: Sequence[int]) -> AttainedPoint | None:
        """Return an optimal strategy for the weighted sum of the objectives ``indices``, among the
        strategies that keep them finite; None if there is none.

        The weights must not be negative and must sum to 1. The result only has the values of these
        objectives.
        """
        strategies = self._strategies(tuple(indices))
        if not strategies.possible:
            return None
        everywhere = [Fraction(0)] * len(self.objectives)
        for index, weight in zip(indices, weights, strict=True):
            everywhere[index] = weight
        try:
            best = strategies.best(everywhere)
            totals, error = self._totals(best.choices)
        except IllConditioned:
            raise UndecidedError(_TOO_ROUGH) from None
        except OverflowError:
            raise UndecidedError(_TOO_LARGE) from None
        if self.exact:
            assert _weighted(everywhere, totals) == best.limit, "the choices attain the optimum"
        values = self._values(totals)
        # Convert the limit on the sum of totals to a limit on the sum of values. Each value differs
        # from its total by a constant: the value for the total 0.
        at_nothing = self._oriented(self._values([0 * total for total in totals]))
        limit = Fraction(best.limit) + _weighted(everywhere, at_nothing)
        return AttainedPoint(
            tuple(values[position] for position in indices), best.choices, error, limit
        )

    def statuses_of(self, memory: int) -> list[int]:
        """Return the status of each objective (open, reached or missed) that a memory value of the
        product encodes."""
        statuses: list[int] = _decode_status(np.array([memory]), len(self.objectives))[0].tolist()
        return statuses

    def evaluate(self, choices: Indices) -> AttainedPoint:
        """Return the values of all objectives under a strategy, given by its choices in the product
        MDP."""
        try:
            totals, error = self._totals(choices)
            return AttainedPoint(self._values(totals), choices, error)
        except IllConditioned:
            raise UndecidedError(_TOO_ROUGH) from None
        except OverflowError:
            raise UndecidedError(_TOO_LARGE) from None

    def _strategies(self, indices: tuple[int, ...]) -> FiniteStrategies:
        if indices not in self._finite:
            self._finite[indices] = FiniteStrategies(
                self.unfolding.mdp, self._gains, indices, self._deadline
            )
        return self._finite[indices]

    def _totals(self, choices: Indices) -> tuple[list[Any], float]:
        """Return the expected total of each objective under a strategy, oriented so that larger is
        better, and a bound on their absolute error."""
        totals, error = expected_totals(self.unfolding.mdp, choices, self._gains, self._deadline)
        size = max(
            (abs(float(total)) for total in totals if np.isfinite(float(total))), default=0.0
        )
        if error > self._precision * max(1.0, size):
            raise IllConditioned
        return totals, error

    def _oriented(self, values: Sequence[Any]) -> list[Any]:
        return [
            value if each.maximised else -value
            for each, value in zip(self.objectives, values, strict=True)
        ]

    def _values(self, totals: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(
            each.value(total if each.total_maximised else -total)
            for each, total in zip(self.objectives, totals, strict=True)
        )

    def _diverging(self) -> tuple[int, ...]:
        recurrent, _ = end_components(
            self.unfolding.mdp, np.ones(self.unfolding.mdp.num_choices, dtype=np.bool_)
        )
        endless = []
        for index, (objective, gain) in enumerate(zip(self.objectives, self._gains, strict=True)):
            recurring_gains = gain[recurrent]
            if (recurring_gains > 0).any():
                both = " and lose" if (recurring_gains < 0).any() else ""
                direction = "maximised" if objective.maximised else "minimised"
                raise UndecidedError(
                    f"a strategy can gain{both} infinitely often in '{objective.text}', which is "
                    f"to be {direction}: it has no optimal value"
                )
            if (recurring_gains < 0).any():
                endless.append(index)
        return tuple(endless)

    def _gain(self, mdp: Mdp, index: int, objective: Objective) -> npt.NDArray[Any]:
        """Return what each choice of the product MDP adds to the expected total of an objective,
        negated if the total is minimised. It is 0 in states in which the goal of the objective has
        been reached or missed already."""
        counted = self._counted(mdp, index, objective)
        return counted if objective.total_maximised else -counted

    def _counted(self, mdp: Mdp, index: int, objective: Objective) -> npt.NDArray[Any]:
        unfolded = self.unfolding.mdp
        still_open = self.statuses[:, index] == OPEN
        open_choice = still_open[unfolded.choice_states]
        if objective.reward is not None:
            earned = mdp.rewards[objective.reward]
            counts = open_choice & (unfolded.original_choices >= 0)
            amounts = earned.of_choices + earned.of_states[mdp.choice_states]
            if self.exact:
                amounts = (
                    earned.exactly().of_choices + earned.exactly().of_states[mdp.choice_states]
                )
            counted: npt.NDArray[Any] = np.where(
                counts, amounts[self.unfolding.choices], 0 * amounts[self.unfolding.choices]
            )
            return counted
        reaching = open_choice[unfolded.transition_choices] & (
            self.statuses[unfolded.targets, index] == REACHED
        )
        return _gains(unfolded, reaching, self.exact)


def _weighted(weights: Sequence[Fraction], numbers: Sequence[Any]) -> Fraction:
    return sum(
        (
            weight * Fraction(number)
            for weight, number in zip(weights, numbers, strict=True)
            if weight
        ),
        Fraction(0),
    )


def _gains(mdp: Mdp, reaching: Mask, exact: bool) -> npt.NDArray[Any]:
    """Return, for each choice, the total probability of its transitions that are marked in
    ``reaching``, as fractions if ``exact``."""
    numbers = [Fraction(weight) if exact else float(weight) for weight in mdp.weights]
    weights = np.array(numbers, dtype=object if exact else np.float64)[mdp.weight_ids]
    sums: npt.NDArray[Any] = np.add.reduceat(
        np.where(reaching, weights, 0 * weights), mdp.first_transition[:-1]
    )
    return sums


def _status_product(mdp: Mdp, objectives: Sequence[Objective], deadline: Deadline) -> MemoryProduct:
    """Return the product of an MDP with a memory that has the status of each objective, one base-3
    digit each."""

    def update(memory: Indices, _: Indices, targets: Indices) -> Indices:
        deadline.check()
        return _next_status(memory, targets, objectives)

    def settled(states: Indices, memory: Indices) -> Mask:
        del states  # only the memory matters: every objective is reached or missed
        result: Mask = (_decode_status(memory, len(objectives)) != OPEN).all(axis=1)
        return result

    start = _next_status(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), objectives)
    return build_memory_product(mdp, start, update, settled=settled)


def _next_status(memory: Indices, states: Indices, objectives: Sequence[Objective]) -> Indices:
    """Return the memory (status of each objective) after entering states, given the memory
    before."""
    digits = _decode_status(memory, len(objectives))
    for index, objective in enumerate(objectives):
        still = digits[:, index] == OPEN
        digits[still & objective.goal[states], index] = REACHED
        digits[still & objective.unreachable[states], index] = MISSED
    return _number(digits)


def _decode_status(memory: Indices, count: int) -> Indices:
    powers = STATUSES ** np.arange(count)
    digits: Indices = (memory[:, None] // powers) % STATUSES
    return digits


def _number(digits: Indices) -> Indices:
    number: Indices = digits @ (STATUSES ** np.arange(digits.shape[1]))
    return number
