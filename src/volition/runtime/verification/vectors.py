"""Computation of the value of a query in every state of an explored model: one vector or, for a
query with a step bound, one vector for each number of remaining steps."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never, cast

import numpy as np

from volition.checking.explored_model import Exploration
from volition.checking.mdp.mdp import Mdp
from volition.checking.quantitative.check import all_values, computation_for
from volition.checking.quantitative.context import (
    LoadedMdp,
    Optimum,
    QuantitativeContext,
    opposite_optimum,
)
from volition.checking.quantitative.probabilities import UntilProblem, normalise_path
from volition.checking.quantitative.rewards import reward_name
from volition.checking.storm.client import EngineError
from volition.checking.task import CheckTask
from volition.diagnostics import Diagnostic, InputError
from volition.kernel.arrays import Floats, Indices, Mask, NumberArray
from volition.logic.printing import as_typed
from volition.logic.syntax import Cumulative, Probability, Reward
from volition.runtime.verification.section import ContinuationPolicy, Query, step_bound

__all__ = ["mdp_for", "vector"]

RELATIVE_TOLERANCE = 1e-6
"""The largest relative distance between the lower and the upper bound of a value at which the value
is precise enough to choose by it."""


def mdp_for(explored: Exploration, later: ContinuationPolicy) -> LoadedMdp:
    """Return the MDP of an explored model, or its Markov chain under uniform choices if ``later``
    is ``uniform``."""
    return (
        LoadedMdp(explored.space, Mdp.from_space(explored.space).uniform_chain())
        if later == "uniform"
        else explored.mdp_model
    )


def vector(
    explored: Exploration,
    loaded: LoadedMdp,
    query: Query,
    later: ContinuationPolicy,
    states: Indices,
    *,
    by_steps_left: bool = False,
) -> Floats:
    """Return the values of a query in the given states. With ``by_steps_left``, the result for a
    query with a step bound has one row for each number of remaining steps, starting at 0."""
    optimum = opposite_optimum(query.best) if later == "worst" else query.best
    task = CheckTask(explored.model, replace(query.formula, optimum=optimum))
    steps = step_bound(query)
    if steps is not None and by_steps_left:
        return _by_steps(
            computation_for(task, loaded), query, cast(Optimum, optimum), steps, states
        )
    return _precise_values(task, loaded)[states].astype(np.float64)


def _precise_values(task: CheckTask, loaded: LoadedMdp) -> NumberArray:
    """Return the value of a formula in every state. It is computed with exact fractions if floating
    point does not give lower and upper bounds that are close together."""
    found = all_values(task, loaded)
    if found.values.dtype == np.object_ or (
        found.lower is not None and found.upper is not None and _are_close(found.lower, found.upper)
    ):
        return found.values
    try:
        return all_values(replace(task, settings=replace(task.settings, exact=True)), loaded).values
    except EngineError as error:
        message = (
            f"the values of '{as_typed(task.formula)}' cannot be computed precisely enough: {error}"
        )
        raise InputError(
            [Diagnostic("RUN215", message, task.formula.span, hint="use another query")]
        ) from None


def _are_close(lower: Floats, upper: Floats) -> bool:
    with np.errstate(invalid="ignore"):  # infinite on both sides is certain
        apart = np.where(lower == upper, 0.0, upper - lower)
    return bool((apart <= RELATIVE_TOLERANCE * np.maximum(1.0, np.abs(lower))).all())


def _by_steps(
    on: QuantitativeContext, query: Query, optimum: Optimum, steps: int, states: Indices
) -> Floats:
    """Return the values of a query with a step bound in the given states, with a row for each
    number of remaining steps. The rows are the steps of value iteration; the best choice depends on
    the number of remaining steps."""
    match query.formula:
        case Reward(reward_path=Cumulative()) as queried:
            rewards = on.mdp.rewards[reward_name(on.mdp, queried)]
            gains = rewards.of_states[on.mdp.choice_states] + rewards.of_choices
            return _step_values(
                on.mdp, np.zeros(on.mdp.num_states), optimum, steps, states, gains=gains
            )
        case Probability(path=path):
            reduced = normalise_path(path)
            assert isinstance(reduced.prop, UntilProblem), "the reader rejects other queries"
            through, goal = on.states(reduced.prop.through), on.states(reduced.prop.goal)
            sought = cast(Optimum, opposite_optimum(optimum)) if reduced.opposite else optimum
            reached = _step_values(
                on.mdp, goal.astype(np.float64), sought, steps, states, moving=through & ~goal
            )
            return 1 - reached if reduced.opposite else reached
        case Reward():
            pass
        case _:
            assert_never(query.formula)
    raise AssertionError(query)


def _step_values(
    mdp: Mdp,
    last: Floats,
    optimum: Optimum,
    steps: int,
    states: Indices,
    *,
    moving: Mask | None = None,
    gains: Floats | None = None,
) -> Floats:
    by_steps_left = np.empty((steps + 1, len(states)))
    values = last
    by_steps_left[0] = values[states]
    for left in range(1, steps + 1):
        earlier = mdp.bellman_backup(values, optimum, gains=gains)
        values = earlier if moving is None else np.where(moving, earlier, values)
        by_steps_left[left] = values[states]
    return by_steps_left
