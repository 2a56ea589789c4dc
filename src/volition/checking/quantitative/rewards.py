"""Expected rewards: reachability, cumulative, instantaneous, total and long-run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

import numpy as np

from volition.checking.mdp.mdp import Mdp, RewardArrays
from volition.checking.quantitative.certified_bounds import enclose_reward, enclose_total
from volition.checking.quantitative.context import (
    METHOD_POLICY_ITERATION,
    QuantitativeContext,
    SolveSpec,
    StateValues,
    UndecidedError,
)
from volition.checking.quantitative.long_run import average_gain
from volition.checking.quantitative.reachability import prob_greater_0_some
from volition.checking.quantitative.value_iteration import bounded_reward
from volition.diagnostics import Diagnostic, InputError, did_you_mean
from volition.logic.syntax import Cumulative, Finally, Instantaneous, LongRun, Reward, Total

__all__ = ["expected_reward", "reward_among", "reward_name"]


def expected_reward(on: QuantitativeContext, query: Reward, spec: SolveSpec) -> StateValues:
    """Return the optimal expected reward that a formula queries, in the states and with the optimum
    that ``spec`` specifies."""
    name = reward_name(on.mdp, query)
    rewards = on.mdp.rewards[name]
    if on.partial_reason is not None and (
        not rewards.never_negative or isinstance(query.reward_path, Instantaneous | LongRun)
    ):
        raise UndecidedError(f"this reward needs the whole state space ({on.partial_reason})")
    head = f'R{{{{"{name}"}}}}{{best}}=?'
    if isinstance(query.reward_path, LongRun):
        gains, error = rewards.of_each_choice(on.mdp.choice_states)
        found = average_gain(on, gains, f"{head} [LRA]", spec=spec, error=error)
        # The error of the rewards has widened the bounds. If no reward is negative, the average is
        # not negative either, so raise negative lower bounds to 0.
        return (
            found
            if found.lower is None or not rewards.never_negative
            else replace(found, lower=np.maximum(found.lower, 0.0))
        )
    return _summed(on, query, query.reward_path, head, rewards, spec).off_by(rewards.error)


def _summed(
    on: QuantitativeContext,
    query: Reward,
    earned: Finally | Cumulative | Instantaneous | Total,
    head: str,
    rewards: RewardArrays,
    spec: SolveSpec,
) -> StateValues:
    """Return the optimal expected reward of a query that is not a long-run average. The
    floating-point rewards are treated as exact. ``head`` is the beginning of the query in Storm's
    syntax."""
    exact = on.use_exact() or not rewards.never_negative
    match earned:
        case Finally(bound=None):
            # Unexplored states count as goal states. The rewards collected before them count,
            # whatever happens later.
            goal = on.states(earned.operand, optimistic=True)
            if exact:
                found = on.solve_with_storm(spec, f"{head} [F {{0}}]", goal)
            else:
                found = StateValues.between(
                    enclose_reward(
                        on.loaded.without_zero_transitions, rewards, goal, spec.optimum_or_max
                    ),
                    METHOD_POLICY_ITERATION,
                )
            return replace(
                found,
                through=np.ones_like(goal),
                goal=goal,
                seeks_goal=bool(found.values[0] != np.inf),
            )
        case Finally():
            raise InputError(
                [Diagnostic("CHK014", "a reachability reward cannot have a step bound", query.span)]
            )
        case Cumulative():
            return bounded_reward(
                on, f"{head} [C<={earned.steps}]", earned.steps, rewards, spec, on_the_way=True
            )
        case Instantaneous():
            if not rewards.of_states.any():
                nothing = np.zeros(on.mdp.num_states)
                return StateValues(
                    nothing,
                    nothing,
                    nothing,
                    "",
                    notes=(
                        f"only choices earn '{reward_name(on.mdp, query)}', so it is 0 in every "
                        "state",
                    ),
                )
            return bounded_reward(
                on, f"{head} [I={earned.step}]", earned.step, rewards, spec, on_the_way=False
            )
        case Total():
            gains = rewards.of_states != 0
            gains[on.mdp.choice_states[rewards.of_choices != 0]] = True
            earning = prob_greater_0_some(on.mdp, np.ones_like(gains), gains)
            if exact:
                return replace(on.solve_with_storm(spec, f"{head} [C]"), reward_states=earning)
            return replace(
                StateValues.between(
                    enclose_total(on.loaded.without_zero_transitions, rewards, spec.optimum_or_max),
                    METHOD_POLICY_ITERATION,
                ),
                reward_states=earning,
            )
        case _:
            assert_never(earned)


def reward_name(mdp: Mdp, query: Reward) -> str:
    """Return the name of the reward that a formula refers to. Raise :class:`InputError` if it is
    ambiguous or not a reward of the MDP."""
    return reward_among(list(mdp.rewards), query)


def reward_among(names: Sequence[str], query: Reward) -> str:
    """Return the name of the reward that a formula refers to, given the names of the program's
    rewards. Raise :class:`InputError` if it is ambiguous or not among them."""
    if not names:
        message = "this formula is about a reward, but the program declares no rewards"
        raise InputError([Diagnostic("CHK015", message, query.span)])
    if query.name is None:
        if len(names) == 1:
            return names[0]
        hint = f'name one of {", ".join(names)}, as in R{{"{names[0]}"}}'
        message = "this formula does not name its reward, and the program has more than one reward"
        raise InputError([Diagnostic("CHK016", message, query.span, hint)])
    if query.name not in names:
        hint = did_you_mean(query.name, names) or f"the program has {', '.join(names)}"
        raise InputError([Diagnostic("CHK017", f"unknown reward '{query.name}'", query.span, hint)])
    return query.name
