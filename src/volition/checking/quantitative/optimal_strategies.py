"""The evidence for a value: the strategy that attains it, where its choices matter, and a run that
it takes."""

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
"""States times steps up to which a strategy that counts its steps is computed."""


def optimal_strategy(
    on: QuantitativeContext, query: QuantitativeFormula, found: StateValues
) -> Strategy | None:
    """The strategy behind a value; it may remember the steps that are left, or what of a formula
    about whole runs is still due.

    None where nothing is left to choose, or where it would need another memory, or where the
    process with its memory is too large.
    """
    if on.mdp.is_markov_chain:
        return None
    if found.step_bound is not None:
        return _within(on, found, found.step_bound)
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
        return _on_paths(on, query)
    return None


def run_under_optimal_strategy(on: QuantitativeContext, found: StateValues) -> Run | None:
    """A run that the strategy takes to the goal, or past it; None where the strategy is not about a
    goal without a bound on the steps."""
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
    """Settled where the goal is reached, where it was missed, and where no choices whatsoever lead
    to it any more."""
    if found.goal is None or found.through is None:
        assert found.reward_states is not None, "choices are about a goal, or about what is earned"
        return found.reward_states
    return found.through & ~found.goal & prob_greater_0_some(on.mdp, found.through, found.goal)


def _within(on: QuantitativeContext, found: StateValues, steps: int) -> Strategy | None:
    """The strategy for a goal within so many steps, as one that counts them."""
    if found.goal is None or found.through is None or steps * on.mdp.num_states > MAX_PRODUCT_SIZE:
        return None
    return step_bounded_strategy(
        on.loaded, found.through, found.goal, steps, on.settings, seek=found.seeks_goal
    )


def _on_paths(on: QuantitativeContext, query: Probability) -> Strategy | None:
    if on.partial_reason is not None:
        return None
    return ltl_strategy(on.loaded, on.states, query.path, on.settings, seek=query.optimum != "min")
