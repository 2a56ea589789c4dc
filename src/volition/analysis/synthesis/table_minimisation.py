"""Minimisation of the decision tables of optimal strategies: among equally good choices, take those
that let more states share a row.

A choice is optimal in its state if its one-step lookahead has the value of the state. An arbitrary
combination of optimal choices may never reach the goal. If a strategy must reach the goal, only
optimal choices are allowed that may leave their strongly connected component or come nearer to the
goal. Then every combination attains the value (Baier and Katoen, "Principles of Model Checking",
2008, Sect. 10.6). With a step bound this is not needed, because a run cannot cycle forever.

The value of the new strategy is still computed. If it differs because of rounding, the strategy of
the engine is kept.
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
"""Relative error within which choices with rounded values count as equally good."""

MAX_SITUATIONS = 2_000
"""Maximum number of states for which decision tables are minimised. States count if optimal choices
can reach them and the outcome is still open in them."""

ROUNDS = 4
"""Maximum number of rounds of the search for a shorter table. Each round minimises the best
strategy found up to then once more, for the states that it reaches."""


def with_minimised_strategy(answer: Answer, task: CheckTask) -> Answer:
    """Return the answer with a strategy that attains the same value and whose decision tables have
    fewer rows, or fewer tests in the rows, if one is found.

    Raise :class:`EngineError` if a strategy with a step counter cannot be computed in time.
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
        return answer  # keep the known strategy, which is not the shortest
    return (
        answer
        if shorter is None
        else replace(answer, verdict=answer.verdict.with_strategy(shorter))
    )


def _counts_steps(formula: Formula) -> bool:
    """Return whether the formula is a reachability probability with a step bound, so that an
    optimal strategy counts the steps left."""
    return (
        isinstance(formula, Probability)
        and is_reachability(formula.path)
        and not _is_unbounded_reachability(formula)
    )


def _is_unbounded_reachability(formula: Formula) -> bool:
    """Return whether the formula is a reachability property or reward without a step bound."""
    if isinstance(formula, Probability):
        prop = normalise_path(formula.path).prop
        return isinstance(prop, UntilProblem) and prop.bound is None
    return isinstance(formula, Reward) and isinstance(formula.reward_path, Finally)


def _minimise(answer: Answer, task: CheckTask) -> Strategy | None:
    optimal = _optimal_choices(task, answer.exploration.mdp_model)
    choices = None if optimal is None else _TableSearch(optimal, task.model).shortest()
    if optimal is None or choices is None:
        return None
    attained = check_quantitative(
        task, LoadedMdp(answer.exploration.space, optimal.mdp.induced_chain(choices))
    ).value
    return (
        replace(optimal.strategy, choices=choices)
        if _is_same(attained, answer.verdict.value)
        else None
    )


def _minimise_step_bounded(task: CheckTask, strategy: Strategy) -> Strategy:
    """Return a strategy with the same value and shorter decision tables, for a strategy whose
    memory is the number of remaining steps. Return the given strategy if none is found.

    A choice is optimal if its one-step lookahead equals the value of its pair of state and memory.
    The given strategy contains these values.
    """
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
        return strategy  # keep the known strategy, which is not the shortest
    return replace(strategy, choices=choices) if _is_same(attained, values[0]) else strategy


def _is_same(left: Any, right: Any) -> bool:
    return left is not None and bool(
        left == right or math.isclose(left, right, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    )


# --- optimal choices ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _OptimalChoices:
    """Optimal strategy, together with a mask (``good``) of all optimal choices of its MDP in the
    states where the outcome is still open."""

    strategy: Strategy
    good: Mask

    @property
    def mdp(self) -> Mdp:
        return self.strategy.mdp


def _optimal_choices(task: CheckTask, loaded: LoadedMdp) -> _OptimalChoices | None:
    """Return the optimal choices for an unbounded reachability property, or None for other
    properties."""
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
        # In states where the goal is reached or unreachable, every choice is allowed.
        good &= _progressing_choices(mdp, good, found.goal) | ~open_states[mdp.choice_states]
    choices = _optimal_choice_per_state(mdp, found.choices, good)
    return (
        None
        if choices is None
        else _OptimalChoices(Strategy(loaded.space, mdp, choices, open_states), good)
    )


def _optimal_mask(mdp: Mdp, values: npt.NDArray[Any], earned: RewardArrays | None) -> Mask:
    """Return a mask of the choices whose one-step lookahead equals the value of their state.
    ``earned`` are the rewards of states and choices, if the value is a reward."""
    value = mdp.expected_next(values)
    if earned is not None:
        value = value + earned.of_states[mdp.choice_states] + earned.of_choices
    requested = values[mdp.choice_states]
    if values.dtype == np.object_:
        return np.asarray(value == requested, dtype=np.bool_)
    return np.asarray(np.isclose(value, requested, rtol=TOLERANCE, atol=TOLERANCE), dtype=np.bool_)


def _progressing_choices(mdp: Mdp, good: Mask, goal: Mask) -> Mask:
    """Return a mask of those choices in ``good`` that may leave their strongly connected component
    or come nearer to the goal."""
    number, steps = scc_numbers(mdp, good), distances_to(mdp, good, goal)
    sources = mdp.choice_states[mdp.transition_choices]
    onward = (number[mdp.targets] != number[sources]) | (steps[mdp.targets] < steps[sources])
    coming: Mask = good & np.logical_or.reduceat(onward, mdp.first_transition[:-1])
    return coming


def _optimal_choice_per_state(mdp: Mdp, choices: Indices, good: Mask) -> Indices | None:
    """Return one choice in ``good`` for each state: the choice of the engine (``choices``) if it is
    in ``good``, otherwise the first one that is. Return None if a state has no choice in ``good``.
    """
    if not np.logical_or.reduceat(good, mdp.first_choice[:-1]).all():
        return None
    first = np.minimum.reduceat(
        np.where(good, np.arange(mdp.num_choices), mdp.num_choices), mdp.first_choice[:-1]
    )
    return np.where(good[choices], choices, first)


# --- search for the shortest tables ---------------------------------------------------------------


Length = tuple[bool, int, int]
"""Size of the decision tables of a strategy, compared in this order: whether they need memory, the
number of rows, and the number of tests."""


class _TableSearch:
    """Search for the strategy with the shortest decision tables among combinations of optimal
    choices."""

    def __init__(self, optimal: _OptimalChoices, model: Model) -> None:
        self._optimal = optimal
        self._model = model
        self._space = optimal.strategy.space

    def shortest(self) -> Indices | None:
        """Return the choice of each state for the shortest decision tables found, or None if they
        are not shorter than those of the engine's choices."""
        optimal = self._optimal
        everywhere = self._reached(optimal.good)
        if everywhere.sum() > MAX_SITUATIONS:
            return None
        best, minimum = None, self._length(optimal.strategy.choices)
        trial = self._chosen(everywhere, optimal.strategy.choices)
        for _ in range(ROUNDS):
            length = self._length(trial)
            if length >= minimum:
                break
            best, minimum = trial, length
            trial = self._chosen(self._reached_by(trial), trial)
        return best

    def _chosen(self, states: Mask, choices: Indices) -> Indices:
        """Return a choice for each state: in ``states`` optimal choices that give short decision
        tables, in other states the given ``choices``."""
        mdp = self._optimal.mdp
        result = choices.copy()
        cases = list(self._cases(states, choices, self._optimal.good))
        _, decided = build_decision_tables(self._model, self._space, [point for _, point in cases])
        for (state, _), decision_point in zip(cases, decided, strict=True):
            result[state] = (
                mdp.first_choice[state]
                + decision_point.choice_numbers[decision_point.component, decision_point.action]
                - self._space.first_choice[decision_point.state]
            )
        return result

    def _length(self, choices: Indices) -> Length:
        """Return the size of the decision tables of the strategy that takes these choices."""
        cases = self._cases(
            self._reached_by(choices),
            choices,
            np.zeros(self._optimal.mdp.num_choices, dtype=np.bool_),
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
        """Yield the decision point of each of the given states in which there are several choices.
        Each result is a pair of the number of the state and the decision point.

        ``choices`` has the choice that the strategy takes in each state. ``good`` marks the choices
        that are as good. The decision point lists both, so that a decision table may use any of
        them.
        """
        strategy, mdp = self._optimal.strategy, self._optimal.mdp
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
        allowed = np.zeros(self._optimal.mdp.num_choices, dtype=np.bool_)
        allowed[choices] = True
        return self._reached(allowed)

    def _reached(self, choices: Mask) -> Mask:
        """Return the states with an open outcome that can be reached from the initial state by
        these choices. A run stops at a state whose outcome is settled."""
        mdp, open_states = self._optimal.mdp, self._optimal.strategy.decision_states
        return mdp.restricted_to(choices).with_absorbing(~open_states).reachable() & open_states
