"""Several objectives under one strategy: what each of them counts, and the best compromise for given weights.

A strategy for several objectives must remember which goals it has reached or missed.  The process is unfolded with that memory;
then every objective is a total: a probability is the expected number of times (one or none) that its goal is reached for
the first time, a reward is what is earned until its goal is reached or out of reach.  Optima of weighted sums of totals are
attained by strategies without further memory (Etessami, Kwiatkowska, Vardi and Yannakakis 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from volition.checking.extremes import can_reach
from volition.checking.mdp import Indices, Mask, Mdp, RewardArrays
from volition.checking.process import Process
from volition.checking.quantities import Settings
from volition.checking.reductions import Reach, reduce_path
from volition.checking.storm import StormModel
from volition.checking.unfolding import Unfolding, unfold
from volition.diagnostics import Diagnostic, InputError
from volition.logic.printing import show
from volition.logic.syntax import Finally, Formula, Probability, Reward, Total

__all__ = ["MISSED", "OPEN", "REACHED", "Compromise", "Objective", "Objectives", "read_objective"]

OPEN, REACHED, MISSED = 0, 1, 2
STATUSES = 3


@dataclass(frozen=True)
class Objective:
    """One objective on a process: a goal to be reached, states in which it can be no more, and what is counted until then.

    ``reward`` is the name of the reward that is counted, None for the probability to reach the goal.  ``opposite`` says that the
    objective is the probability *not* to reach it.  ``maximised`` speaks of the objective, not of the goal.
    """

    text: str
    maximised: bool
    goal: Mask
    hopeless: Mask
    reward: str | None = None
    opposite: bool = False

    @property
    def total_maximised(self) -> bool:
        """Whether the total that stands for the objective is to be large."""
        return self.maximised != self.opposite

    def value(self, total: Any) -> Any:
        """The objective's value, from what was counted."""
        if self.reward is None and self.goal[0]:
            total = total + 1  # reached at the start, without a step
        return 1 - total if self.opposite else total


def read_objective(
    formula: Formula, maximised: bool, mdp: Mdp, states: Callable[[Formula], Mask], reward_name: Callable[[Reward], str]
) -> Objective:
    """The objective that a formula stands for; raises :class:`InputError` if it has no such form."""
    everywhere = np.ones(mdp.num_states, dtype=np.bool_)
    match formula:
        case Probability():
            reduced = reduce_path(formula.path)
            if isinstance(reduced.question, Reach) and reduced.question.bound is None:
                through, goal = states(reduced.question.through), states(reduced.question.goal)
                return Objective(show(formula), maximised, goal, ~can_reach(mdp, through, goal), opposite=reduced.opposite)
        case Reward(of=Finally(bound=None) as path):
            goal = states(path.operand)
            return Objective(show(formula), maximised, goal, ~can_reach(mdp, everywhere, goal), reward_name(formula))
        case Reward(of=Total()):
            return Objective(show(formula), maximised, ~everywhere, ~everywhere, reward_name(formula))
    hint = "an objective is P [ F .. ], P [ .. U .. ], P [ G .. ], R [ F .. ] or R [ C ], without step bounds"
    raise InputError([Diagnostic("CHK030", f"'{show(formula)}' cannot be one of several objectives", formula.span, hint)])


@dataclass(frozen=True)
class Compromise:
    """What one strategy attains: a value for each objective, by ``choices`` in the unfolding."""

    values: tuple[Any, ...]
    choices: Indices


class Objectives:
    """A process unfolded for some objectives, and the best compromises between them."""

    def __init__(self, process: Process, objectives: Sequence[Objective], settings: Settings) -> None:
        self.objectives = tuple(objectives)
        self.exact = process.exactly(settings.exact)
        self._settings = settings
        self.unfolding = _remembering(process.mdp, self.objectives)
        self.statuses = _digits(self.unfolding.memory, len(self.objectives))
        rewards = {f"o{i}": self._total(process.mdp, i, each) for i, each in enumerate(self.objectives)}
        self.unfolding = replace(self.unfolding, mdp=self.unfolding.mdp.with_rewards(rewards))
        self._storm = StormModel(self.unfolding.mdp, exact=self.exact)
        totals = [f'R{{"o{i}"}}{"max" if each.total_maximised else "min"}=? [C]' for i, each in enumerate(self.objectives)]
        self._question = f"multi({', '.join(totals)})"

    def best(self, weights: Sequence[Fraction]) -> Compromise:
        """A strategy that is best for the weighted sum of the objectives; weights are not negative and sum to 1."""
        if self.unfolding.mdp.deterministic:
            return self.attained(np.arange(self.unfolding.mdp.num_choices))
        totals, choices = self._storm.ask(
            "compromise", self._question, tuple(weights), precision=self._settings.precision, seconds=self._settings.seconds
        )
        if not self.exact:  # totals of a rounded optimisation are those of a bound, not of the strategy
            return self.attained(choices)
        return Compromise(self._values(totals), choices)

    def statuses_of(self, memory: int) -> list[int]:
        """What a memory of the unfolding means: open, reached or missed for each objective."""
        statuses: list[int] = _digits(np.array([memory]), len(self.objectives))[0].tolist()
        return statuses

    def attained(self, choices: Indices) -> Compromise:
        """What a strategy attains, given by its choices in the unfolding."""
        chain = StormModel(self.unfolding.mdp.under(choices), exact=self.exact)
        precision, seconds = self._settings.precision, self._settings.seconds
        questions = (f'R{{"o{i}"}}=? [C]' for i in range(len(self.objectives)))
        totals = [chain.check(question, precision=precision, seconds=seconds).values[0] for question in questions]
        return Compromise(self._values(totals), choices)

    def _values(self, totals: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(each.value(total) for each, total in zip(self.objectives, totals, strict=True))

    def _total(self, mdp: Mdp, index: int, objective: Objective) -> RewardArrays:
        """What an objective counts, on the unfolding: only while it is open."""
        unfolded = self.unfolding.mdp
        still_open = self.statuses[:, index] == OPEN
        open_choice = still_open[unfolded.choice_states]
        if objective.reward is not None:
            earned = mdp.rewards[objective.reward]
            moving = unfolded.original_choices >= 0
            of_choices = np.where(open_choice & moving, earned.of_choices[self.unfolding.choices], 0)
            return RewardArrays(np.where(still_open, earned.of_states[self.unfolding.states], 0), of_choices)
        reaching = open_choice[unfolded.transition_choices] & (self.statuses[unfolded.targets, index] == REACHED)
        gains = _gains(unfolded, reaching, self.exact)
        return RewardArrays(np.zeros(unfolded.num_states, dtype=gains.dtype), gains)


def _gains(mdp: Mdp, reaching: Mask, exact: bool) -> npt.NDArray[Any]:
    """For each choice the probability of its transitions that are marked, as a sum that stays exact if asked."""
    numbers = [Fraction(weight) if exact else float(weight) for weight in mdp.weights]
    weights = np.array(numbers, dtype=object if exact else np.float64)[mdp.weight_ids]
    sums: npt.NDArray[Any] = np.add.reduceat(np.where(reaching, weights, 0), mdp.first_transition[:-1])
    return sums


def _remembering(mdp: Mdp, objectives: Sequence[Objective]) -> Unfolding:
    """The process with the status of each objective as its memory, one digit each."""

    def update(memory: Indices, _: Indices, targets: Indices) -> Indices:
        return _advanced(memory, targets, objectives)

    def settled(states: Indices, memory: Indices) -> Mask:
        del states  # whatever the state, once every objective is reached or missed
        result: Mask = (_digits(memory, len(objectives)) != OPEN).all(axis=1)
        return result

    start = _advanced(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), objectives)
    return unfold(mdp, start, update, settled=settled)


def _advanced(memory: Indices, states: Indices, objectives: Sequence[Objective]) -> Indices:
    """The memory once states are entered."""
    digits = _digits(memory, len(objectives))
    for index, objective in enumerate(objectives):
        still = digits[:, index] == OPEN
        digits[still & objective.goal[states], index] = REACHED
        digits[still & objective.hopeless[states], index] = MISSED
    return _number(digits)


def _digits(memory: Indices, count: int) -> Indices:
    powers = STATUSES ** np.arange(count)
    digits: Indices = (memory[:, None] // powers) % STATUSES
    return digits


def _number(digits: Indices) -> Indices:
    number: Indices = digits @ (STATUSES ** np.arange(digits.shape[1]))
    return number
