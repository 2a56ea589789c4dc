"""Value of each choice for a query: the value if the choice is taken now and all later choices are
optimal.

In a state with several choices, a choice is worse than the best one by the difference of their
values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, assert_never

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
    SteadyState,
    StepBound,
    Total,
)

__all__ = ["ChoiceValues", "choice_values"]


@dataclass(frozen=True, eq=False)
class ChoiceValues:
    """Value of a query in each state of a space, and the value of each choice.

    A step bound in the query is counted from the state or choice whose value is given.
    ``of_choices`` is None if the values of choices cannot be computed from the values of another
    query in the next states, as for LTL formulas and ``X``. ``optimal_choices`` is the choice of
    each state by which a memoryless strategy attains the value; None if there is no such strategy,
    or if each state has only one choice.
    """

    of_states: NumberArray
    of_choices: NumberArray | None
    optimal_choices: Indices | None
    method: str


def choice_values(task: CheckTask, loaded: LoadedMdp) -> ChoiceValues:
    """Return the value of the query of a task in each state and for each choice.

    Raise :class:`InputError` for an invalid query, or :class:`EngineError` if the values cannot be
    computed.
    """
    on = computation_for(task, loaded)
    query = task.formula
    assert isinstance(query, QuantitativeFormula), "only quantitative formulas have values"
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
    """Return the states in which the goal of a query is already reached or missed, whatever is
    chosen; None if the query has no goal."""
    if found.goal is None or found.through is None:
        return None
    return found.goal | ~found.through


def _successor_query(query: QuantitativeFormula) -> Any:
    """Return the query whose values in the next states give the value of a choice: the expected
    value over the successors of the choice. It is ``query`` itself or, with a step bound, ``query``
    with one step less. None if there is no such query."""
    match query:
        case Probability(path=path):
            if isinstance(normalise_path(path).prop, LtlProblem | NextProblem):
                return None
            match getattr(path, "bound", None):
                case None | StepBound(lower=0, upper=None):
                    return query
                case StepBound(lower=0, upper=int(steps)) if steps > 0:
                    return replace(query, path=replace(path, bound=StepBound(0, steps - 1)))  # type: ignore[arg-type]
                case _:
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
        case Reward() | SteadyState():
            pass
        case _:
            assert_never(query)
    return query
