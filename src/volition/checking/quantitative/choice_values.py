"""What each choice is worth for a query: the value if it is taken now, and the best (or the worst)
is chosen ever after.

In a state where several things can be done the difference between these numbers is what the
decision costs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from volition.checking.quantitative.check import computation_for, compute_values
from volition.checking.quantitative.context import (
    LoadedMdp,
    QuantitativeContext,
    QuantitativeFormula,
    StateValues,
)
from volition.checking.quantitative.probabilities import LtlProblem, NextProblem, normalise_path
from volition.checking.quantitative.rewards import reward_name
from volition.checking.task import CheckTask
from volition.kernel.arrays import Indices, Mask, NumberArray
from volition.logic.syntax import (
    Cumulative,
    Finally,
    Instantaneous,
    Probability,
    Reward,
    StepBound,
    Total,
)

__all__ = ["ChoiceValues", "choice_values"]


@dataclass(frozen=True, eq=False)
class ChoiceValues:
    """The value of a query in each state, and with each choice of the space.

    A bound on the steps counts from the state that is looked at.  ``of_choices`` is None where the
    value of a choice depends on more than the state (formulas about whole runs, ``X``).  ``best``
    is the choice of each state that a strategy without memory takes to attain the value; None where
    there is no such strategy, or nothing to choose.
    """

    of_states: NumberArray
    of_choices: NumberArray | None
    optimal_choices: Indices | None
    method: str


def choice_values(task: CheckTask, loaded: LoadedMdp) -> ChoiceValues:
    """The values of a query; raises :class:`InputError`, or :class:`EngineError` where there are
    none."""
    on = computation_for(task, loaded)
    query = task.formula
    assert isinstance(query, QuantitativeFormula), "only queries have numbers"
    found = compute_values(on, query)
    return ChoiceValues(
        found.values,
        _of_choices(on, query, found),
        None if on.mdp.is_markov_chain else found.choices,
        found.method,
    )


def _of_choices(
    on: QuantitativeContext, query: QuantitativeFormula, found: StateValues
) -> NumberArray | None:
    later = _successor_query(query)
    if later is None:
        return None
    following = found if later == query else compute_values(on, later)
    value = on.mdp.expected_next(following.values)
    if isinstance(query, Reward) and isinstance(query.reward_path, Finally | Cumulative | Total):
        rewards = on.mdp.rewards[reward_name(on.mdp, query)]
        if value.dtype == np.object_:
            rewards = rewards.exactly()
        value = value + rewards.of_choices + rewards.of_states[on.mdp.choice_states]
    settled = _decided_states(found)
    return (
        value
        if settled is None
        else np.where(settled[on.mdp.choice_states], found.values[on.mdp.choice_states], value)
    )


def _decided_states(found: StateValues) -> Mask | None:
    """Where the question is answered, whatever is chosen: the goal is reached, or missed."""
    if found.goal is None or found.through is None:
        return None
    return found.goal | ~found.through


def _successor_query(query: QuantitativeFormula) -> Any:
    """What is asked of the states after the first step, so that its mean is worth as much as the
    step; None where that is no query."""
    match query:
        case Probability(path=path):
            if isinstance(normalise_path(path).prop, LtlProblem | NextProblem):
                return None
            match getattr(path, "bound", None):
                case None | StepBound(lower=0, upper=None):
                    return query
                case StepBound(lower=0, upper=int(steps)) if steps > 0:
                    return replace(query, path=replace(path, bound=StepBound(0, steps - 1)))  # type: ignore[arg-type]
            return None
        case Reward(reward_path=Cumulative() as earned):
            return (
                replace(query, reward_path=replace(earned, steps=earned.steps - 1))
                if earned.steps > 0
                else None
            )
        case Reward(reward_path=Instantaneous() as earned):
            return (
                replace(query, reward_path=replace(earned, step=earned.step - 1))
                if earned.step > 0
                else None
            )
    return query
