"""Strategies that are as good and shorter to tell: of equally good choices those that let more
situations share a row.

A choice is as good as another one in its state if it is worth the same, one step ahead.  Taking
just any such choices may never come to the goal.  Where a strategy must come there, only choices
count that leave, perhaps, a part of the process in which one could go round for ever, or that come
nearer to the goal: then every strategy made of them attains the value (Baier and Katoen,
"Principles of Model Checking", 2008, Sect. 10.6).  With a bound on the steps there is no going
round.  The value of the new strategy is computed again all the same; if it is another one, because
of rounding, the engine's strategy stays.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from volition.checking.check import Answer
from volition.checking.mdp.end_components import distances_to, scc_numbers
from volition.checking.mdp.mdp import Mdp, RewardArrays
from volition.checking.quantitative.check import (
    all_values,
    check_quantitative,
    optimal_strategy_for,
)
from volition.checking.quantitative.context import LoadedMdp
from volition.checking.quantitative.probabilities import (
    UntilProblem,
    is_reachability,
    normalise_path,
)
from volition.checking.quantitative.reachability import prob_greater_0_some
from volition.checking.quantitative.rewards import reward_name
from volition.checking.storm.client import EngineError, StormModel
from volition.checking.strategy import Strategy, StrategyEntry
from volition.checking.task import CheckTask
from volition.kernel.arrays import Indices, Mask
from volition.languages.protocols import Model
from volition.logic.syntax import Finally, Formula, Probability, Reward
from volition.reporting.strategies.decision_points import (
    DecisionPoint,
    build_decision_tables,
    decision_point_at,
    decision_tables,
)
from volition.reporting.strategies.decision_tree import MEMORY, table_rows

__all__ = ["with_minimised_strategy"]

TOLERANCE = 1e-9
"""Choices whose worth was rounded are equally good within this relative error."""

MAX_SITUATIONS = 2_000
"""With more states in which something could be chosen nothing shorter is looked for."""

ROUNDS = 4
"""How often the shortest strategy so far is made shorter in the states that it reaches."""


def with_minimised_strategy(answer: Answer, task: CheckTask) -> Answer:
    """The answer with a strategy that attains the same value in fewer rows, or in rows with fewer
    findings, if one is found.

    Raises :class:`EngineError` where the strategy itself is not found in time.
    """
    if answer.exploration.space.stopped is not None:
        return answer
    if _counts_steps(task.formula):
        counting = optimal_strategy_for(task, answer.exploration.mdp_model)
        shorter = (
            None
            if counting is None
            else _minimise_step_bounded(task, counting).memoryless_if_possible
        )
        return replace(answer, verdict=answer.verdict.with_strategy(shorter))
    if answer.verdict.strategy is None or not _is_unbounded_reachability(task.formula):
        return answer
    try:
        shorter = _minimise(answer, task)
    except EngineError:
        return answer  # the strategy is known, only not in its shortest form
    return (
        answer
        if shorter is None
        else replace(answer, verdict=answer.verdict.with_strategy(shorter))
    )


def _counts_steps(formula: Formula) -> bool:
    """Whether the question is about a goal within some steps."""
    return (
        isinstance(formula, Probability)
        and is_reachability(formula.path)
        and not _is_unbounded_reachability(formula)
    )


def _is_unbounded_reachability(formula: Formula) -> bool:
    """Whether the question is about a goal without a bound on the steps."""
    if isinstance(formula, Probability):
        prop = normalise_path(formula.path).prop
        return isinstance(prop, UntilProblem) and prop.bound is None
    return isinstance(formula, Reward) and isinstance(formula.reward_path, Finally)


def _minimise(answer: Answer, task: CheckTask) -> Strategy | None:
    ground = _optimal_choices(task, answer.exploration.mdp_model)
    choices = None if ground is None else _TableSearch(ground, task.model).shortest()
    if ground is None or choices is None:
        return None
    attained = check_quantitative(
        task, LoadedMdp(answer.exploration.space, ground.mdp.induced_chain(choices))
    ).value
    return (
        replace(ground.strategy, choices=choices)
        if _is_same(attained, answer.verdict.value)
        else None
    )


def _minimise_step_bounded(task: CheckTask, strategy: Strategy) -> Strategy:
    """The same for a strategy that counts its steps, where it is known what its pairs of state and
    memory are worth."""
    mdp, values, settings = strategy.mdp, strategy.values, task.settings
    assert values is not None, "a strategy that counts its steps comes with its values"
    good = _optimal_mask(mdp, values, None) & strategy.decision_states[mdp.choice_states]
    good[strategy.choices] = True
    choices = _TableSearch(_OptimalChoices(strategy, good), task.model).shortest()
    if choices is None:
        return strategy
    chain = StormModel(mdp.induced_chain(choices), exact=values.dtype == np.object_)
    won = chain.label((values == 1) & ~strategy.decision_states)
    try:
        attained = chain.check(
            f"P=? [F {won}]",
            everywhere=False,
            precision=settings.precision,
            seconds=settings.seconds,
        ).values[0]
    except EngineError:
        return strategy  # which is known, only not in its shortest form
    return replace(strategy, choices=choices) if _is_same(attained, values[0]) else strategy


def _is_same(left: Any, right: Any) -> bool:
    return left is not None and bool(
        left == right or math.isclose(left, right, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    )


# --- which choices are equally good ---------------------------------------------------------------


@dataclass(frozen=True)
class _OptimalChoices:
    """A strategy, and the choices of its process that are equally good where something is still
    open."""

    strategy: Strategy
    good: Mask

    @property
    def mdp(self) -> Mdp:
        return self.strategy.mdp


def _optimal_choices(task: CheckTask, loaded: LoadedMdp) -> _OptimalChoices | None:
    """The ground of a question about a goal without a bound on the steps; None for other
    questions."""
    found, formula = all_values(task, loaded), task.formula
    if (
        found.choices is None
        or found.goal is None
        or found.through is None
        or found.step_bound is not None
    ):
        return None
    mdp = loaded.mdp
    earned = None if not isinstance(formula, Reward) else mdp.rewards[reward_name(mdp, formula)]
    if earned is not None and not np.isfinite(float(found.values[0])):
        return None
    open_states = found.through & ~found.goal & prob_greater_0_some(mdp, found.through, found.goal)
    good = _optimal_mask(mdp, found.values, earned) & open_states[mdp.choice_states]
    good[found.choices] = True
    if found.seeks_goal:
        # Where the goal is reached, or out of reach, nothing matters any more.
        good &= _progressing_choices(mdp, good, found.goal) | ~open_states[mdp.choice_states]
    choices = _restrict_to_optimal(mdp, found.choices, good)
    return (
        None
        if choices is None
        else _OptimalChoices(Strategy(loaded.space, mdp, choices, open_states), good)
    )


def _optimal_mask(mdp: Mdp, values: npt.NDArray[Any], earned: RewardArrays | None) -> Mask:
    """The choices that are worth what their state is worth."""
    value = mdp.expected_next(values)
    if earned is not None:
        value = value + earned.of_states[mdp.choice_states] + earned.of_choices
    requested = values[mdp.choice_states]
    if values.dtype == np.object_:
        return np.asarray(value == requested, dtype=np.bool_)
    return np.asarray(np.isclose(value, requested, rtol=TOLERANCE, atol=TOLERANCE), dtype=np.bool_)


def _progressing_choices(mdp: Mdp, good: Mask, goal: Mask) -> Mask:
    """Those of the choices that may leave their strongly connected component, or come nearer to the
    goal."""
    number, steps = scc_numbers(mdp, good), distances_to(mdp, good, goal)
    sources = mdp.choice_states[mdp.transition_choices]
    onward = (number[mdp.targets] != number[sources]) | (steps[mdp.targets] < steps[sources])
    coming: Mask = good & np.logical_or.reduceat(onward, mdp.first_transition[:-1])
    return coming


def _restrict_to_optimal(mdp: Mdp, choices: Indices, good: Mask) -> Indices | None:
    """The engine's choices, and where they are not among the good ones the first that is; None if a
    state has none."""
    if not np.logical_or.reduceat(good, mdp.first_choice[:-1]).all():
        return None
    first = np.minimum.reduceat(
        np.where(good, np.arange(mdp.num_choices), mdp.num_choices), mdp.first_choice[:-1]
    )
    return np.where(good[choices], choices, first)


# --- the shortest table ---------------------------------------------------------------------------


Length = tuple[bool, int, int]
"""Whether something must be remembered, and the number of rows and of findings."""


class _TableSearch:
    """Strategies of equally good choices, and how long their tables are."""

    def __init__(self, ground: _OptimalChoices, model: Model) -> None:
        self._ground = ground
        self._model = model
        self._space = ground.strategy.space

    def shortest(self) -> Indices | None:
        """The choices with the shortest table, if it is shorter than that of the engine's
        choices."""
        ground = self._ground
        everywhere = self._reached(ground.good)
        if everywhere.sum() > MAX_SITUATIONS:
            return None
        best, minimum = None, self._length(ground.strategy.choices)
        trial = self._chosen(everywhere, ground.strategy.choices)
        for _ in range(ROUNDS):
            length = self._length(trial)
            if length >= minimum:
                break
            best, minimum = trial, length
            trial = self._chosen(self._reached_by(trial), trial)
        return best

    def _chosen(self, states: Mask, choices: Indices) -> Indices:
        """The choices that a short table for these states takes, and the given ones in other
        states."""
        mdp = self._ground.mdp
        result = choices.copy()
        cases = list(self._cases(states, choices, self._ground.good))
        _, decided = build_decision_tables(self._model, self._space, [point for _, point in cases])
        for (state, _), decision_point in zip(cases, decided, strict=True):
            result[state] = (
                mdp.first_choice[state]
                + decision_point.choice_numbers[decision_point.component, decision_point.action]
                - self._space.first_choice[decision_point.state]
            )
        return result

    def _length(self, choices: Indices) -> Length:
        """How long the table of a strategy is."""
        cases = self._cases(
            self._reached_by(choices),
            choices,
            np.zeros(self._ground.mdp.num_choices, dtype=np.bool_),
        )
        decided = [each for _, each in cases]
        found = [
            row
            for decision in decision_tables(self._model, self._space, decided)
            for row in table_rows(decision.tree)
        ]
        predicates = [predicate for row in found for predicate in row.tests]
        return (
            any(feature_test.section == MEMORY for feature_test in predicates),
            len(found),
            len(predicates),
        )

    def _cases(
        self, states: Mask, choices: Indices, good: Mask
    ) -> Iterator[tuple[int, DecisionPoint]]:
        """The occasions in situations in which there are several choices."""
        strategy, mdp = self._ground.strategy, self._ground.mdp
        several = np.diff(mdp.first_choice) > 1
        for number in np.flatnonzero(states & several).tolist():
            first, end = int(mdp.first_choice[number]), int(mdp.first_choice[number + 1])
            equal = mdp.original_choices[first:end][good[first:end]].tolist()
            memory = None if strategy.product is None else int(strategy.product.memory[number])
            at = StrategyEntry(
                int(strategy.states[number]), memory, int(mdp.original_choices[choices[number]])
            )
            yield number, decision_point_at(self._model, self._space, at, strategy.memory, equal)

    def _reached_by(self, choices: Indices) -> Mask:
        kept = np.zeros(self._ground.mdp.num_choices, dtype=np.bool_)
        kept[choices] = True
        return self._reached(kept)

    def _reached(self, choices: Mask) -> Mask:
        """The open states that are reached by these choices through open states."""
        mdp, open_states = self._ground.mdp, self._ground.strategy.decision_states
        return mdp.restricted_to(choices).with_absorbing(~open_states).reachable() & open_states
