"""Joint choices of a decision. A decision may be about several sets of alternatives at once, called
groups, such as the plans for each of several events. A joint choice takes one choice in each group.
This module computes its successor states with their probabilities, and its rewards."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from volition.kernel.system import Choice, System
from volition.runtime.selectors import DecisionRequest
from volition.runtime.successor import State, successor

__all__ = ["JointChoice", "options_of"]


@dataclass(frozen=True, slots=True)
class JointChoice:
    """Combination of choices that an agent takes together in one step, one from each set of
    alternatives (group). It has the index of the choice in each group, the successor states with
    their probabilities, and the rewards of the step."""

    chosen: Mapping[str, int]
    follows: Sequence[tuple[float, State]]
    earned: Mapping[str, float]


def options_of(system: System, decision: DecisionRequest) -> list[JointChoice]:
    """Return all combinations of choices that a decision allows, in program order. A combination
    takes one choice from each set of alternatives (group) of the decision."""
    groups = list(decision.choices_by_group)
    numbers = product(*(range(len(decision.choices_by_group[group])) for group in groups))
    return [_option(system, decision, dict(zip(groups, each, strict=True))) for each in numbers]


def _option(system: System, decision: DecisionRequest, chosen: Mapping[str, int]) -> JointChoice:
    taken = [decision.choices_by_group[group][number] for group, number in chosen.items()]
    if system.mode == "synchronous":
        # The components outside the decision move in the same step and have one choice each.
        taken += [
            choice
            for each in system.components
            if each.name not in chosen
            for choice in each.step(decision.state)
        ]
    follows: list[tuple[float, dict[str, Hashable]]] = [(1.0, {})]
    for choice in taken:
        follows = [
            (chance * float(weight), {**effect, **more})
            for chance, effect in follows
            for weight, more in choice.outcomes
        ]
    reacts = any(choice.triggers_reactions for choice in taken)
    states = [
        (chance, successor(system, decision.state, effect, reacts=reacts))
        for chance, effect in follows
    ]
    return JointChoice(chosen, states, _earned(system, decision.state, taken))


def _earned(system: System, state: State, taken: Sequence[Choice]) -> dict[str, float]:
    earned = {name: float(reward(state)) for name, reward in system.state_rewards.items()}
    for choice in taken:
        for name, amount in choice.rewards.items():
            earned[name] = earned.get(name, 0.0) + float(amount)
    return earned
