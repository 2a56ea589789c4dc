"""Evidence for an optimal value: the strategy that attains it, and a run of that strategy."""

from __future__ import annotations

import numpy as np

from volition.checking.quantitative.context import (
    QuantitativeContext,
    QuantitativeFormula,
    StateValues,
)
from volition.checking.quantitative.ltl_product import ltl_strategy
from volition.checking.quantitative.probabilities import is_reachability
from volition.checking.quantitative.reachability import prob_greater_0_some, run_of_strategy
from volition.checking.quantitative.step_bounded import step_bounded_strategy
from volition.checking.strategy import Strategy
from volition.checking.verdict import Run
from volition.kernel.arrays import Indices, Mask
from volition.logic.syntax import Probability

__all__ = ["optimal_strategy", "run_under_optimal_strategy"]

MAX_PRODUCT_SIZE = 2_000_000
"""Largest number of states times steps for which a step-counting strategy is computed."""


def optimal_strategy(
    on: QuantitativeContext, query: QuantitativeFormula, found: StateValues
) -> Strategy | None:
    """Return the strategy that attains the values ``found`` for a query. Its memory, if it needs
    one, is the number of steps left or the remaining obligations of an LTL formula.

    None if there is nothing to choose, if the strategy would need another kind of memory, or if the
    product of the MDP with the memory is too large.
    """
    if on.mdp.is_markov_chain:
        return None
    if found.step_bound is not None:
        return _step_counting_strategy(on, found, found.step_bound)
    if found.goal is not None or found.reward_states is not None:
        return (
            None
            if found.choices is None
            else Strategy(on.loaded.space, on.mdp, found.choices, _undecided_states(on, found))
        )
    if (
        isinstance(query, Probability)
        and query.relation is None
        and not is_reachability(query.path)
    ):
        return _ltl_strategy(on, query)
    return None


def run_under_optimal_strategy(on: QuantitativeContext, found: StateValues) -> Run | None:
    """Return a run under the strategy that attains the values ``found``. It reaches the goal if the
    strategy seeks the goal, and misses it if the strategy avoids the goal.

    Return None if the formula is not reachability without a step bound, or if no strategy is known.
    """
    if found.step_bound is not None or found.goal is None or found.through is None:
        return None
    choices: Indices | None = (
        np.arange(on.mdp.num_choices) if on.mdp.is_markov_chain else found.choices
    )
    if choices is None:
        return None
    return run_of_strategy(
        on.loaded.space, on.mdp, choices, found.through, found.goal, towards=found.seeks_goal
    )


def _undecided_states(on: QuantitativeContext, found: StateValues) -> Mask:
    """Return the states in which a choice matters. For a goal: it is neither reached nor missed,
    and some choices still lead to it. For a total reward: reward can still be earned."""
    if found.goal is None or found.through is None:
        assert found.reward_states is not None, "choices are about a goal, or about what is earned"
        return found.reward_states
    return found.through & ~found.goal & prob_greater_0_some(on.mdp, found.through, found.goal)


def _step_counting_strategy(
    on: QuantitativeContext, found: StateValues, steps: int
) -> Strategy | None:
    """Return the strategy for step-bounded reachability, which counts the steps; None if its
    product with the MDP is too large."""
    if found.goal is None or found.through is None or steps * on.mdp.num_states > MAX_PRODUCT_SIZE:
        return None
    return step_bounded_strategy(
        on.loaded, found.through, found.goal, steps, on.settings, seek=found.seeks_goal
    )


def _ltl_strategy(on: QuantitativeContext, query: Probability) -> Strategy | None:
    if on.partial_reason is not None:
        return None
    return ltl_strategy(on.loaded, on.states, query.path, on.settings, seek=query.optimum != "min")
