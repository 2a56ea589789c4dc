"""The evidence for a value: the strategy that attains it, where its choices matter, and a run that it takes."""

from __future__ import annotations

import numpy as np

from volition.checking.numbers.computation import Asked, Computation, Quantity
from volition.checking.numbers.ltl import strategy_on_paths
from volition.checking.numbers.probabilities import is_about_a_goal
from volition.checking.numbers.reachability import can_reach, run_under
from volition.checking.numbers.step_bounded import strategy_within
from volition.checking.strategy import Strategy
from volition.checking.verdict import Run
from volition.kernel.arrays import Indices, Mask
from volition.logic.syntax import Probability

__all__ = ["extreme_run", "extreme_strategy"]

MOST_UNFOLDED = 2_000_000
"""States times steps up to which a strategy that counts its steps is computed."""


def extreme_strategy(on: Computation, asked: Asked, found: Quantity) -> Strategy | None:
    """The strategy behind a value; it may remember the steps that are left, or what of a formula about whole runs is still due.

    None where nothing is left to choose, or where it would need another memory, or where the process with its memory is too large.
    """
    if on.mdp.deterministic:
        return None
    if found.within is not None:
        return _within(on, found, found.within)
    if found.goal is not None or found.earning is not None:
        return None if found.choices is None else Strategy(on.loaded.space, on.mdp, found.choices, _open_states(on, found))
    if isinstance(asked, Probability) and asked.relation is None and not is_about_a_goal(asked.path):
        return _on_paths(on, asked)
    return None


def extreme_run(on: Computation, found: Quantity) -> Run | None:
    """A run that the strategy takes to the goal, or past it; None where the strategy is not about a goal without a bound on the steps."""
    if found.within is not None or found.goal is None or found.through is None:
        return None
    choices: Indices | None = np.arange(on.mdp.num_choices) if on.mdp.deterministic else found.choices
    if choices is None:
        return None
    return run_under(on.loaded.space, on.mdp, choices, found.through, found.goal, towards=found.towards)


def _open_states(on: Computation, found: Quantity) -> Mask:
    """Settled where the goal is reached, where it was missed, and where no choices whatsoever lead to it any more."""
    if found.goal is None or found.through is None:
        assert found.earning is not None, "choices are about a goal, or about what is earned"
        return found.earning
    return found.through & ~found.goal & can_reach(on.mdp, found.through, found.goal)


def _within(on: Computation, found: Quantity, steps: int) -> Strategy | None:
    """The strategy for a goal within so many steps, as one that counts them."""
    if found.goal is None or found.through is None or steps * on.mdp.num_states > MOST_UNFOLDED:
        return None
    return strategy_within(on.loaded, found.through, found.goal, steps, on.settings, seek=found.towards)


def _on_paths(on: Computation, asked: Probability) -> Strategy | None:
    if on.why_partial is not None:
        return None
    return strategy_on_paths(on.loaded, on.states, asked.path, on.settings, seek=asked.optimum != "min")
