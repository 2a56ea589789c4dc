"""Rewards of a CAN program. A step earns rewards by its rules and its action, a state by its
beliefs.

Archibald et al. (Sect. 3.4) assign rewards to rules, in particular to rules with an argument such
as ``select(7)``. Several rules may derive one step. A rule earns its reward once per step, even if
it occurs several times in the derivation of the step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import assert_never

from volition.kernel import RewardValue, SlotView
from volition.languages.can.conditions import Condition, Parameters, Valuation, holds, value
from volition.languages.can.rules import AGENT_RULES
from volition.languages.can.syntax import ExternalEvent, Reward, RuleTarget, StateTarget

__all__ = ["RewardTable", "expected"]


class RewardTable:
    """Rewards of a program. It computes the rewards that a step earns by its rules and its action,
    and those that a state earns by its beliefs."""

    def __init__(
        self, rewards: Sequence[Reward], events: Sequence[ExternalEvent], parameters: Parameters
    ) -> None:
        # The values of rewards are constant expressions, so they are evaluated in an empty state.
        constant = Valuation({}, parameters)
        self._by_step: list[tuple[str, frozenset[str], Fraction]] = []
        self._by_state: dict[str, list[tuple[Condition, Fraction]]] = {
            reward.name: [] for reward in rewards
        }
        self._parameters = parameters
        for reward in rewards:
            for item in reward.items:
                amount = value(item.amount, constant)
                match item.target:
                    case RuleTarget() as target:
                        self._by_step.append(
                            (reward.name, frozenset(_rule_names(target, events)), amount)
                        )
                    case StateTarget(condition):
                        self._by_state[reward.name].append((condition, amount))
                    case _:
                        assert_never(item.target)

    def step_reward(self, rules: tuple[str, ...], action: str | None) -> dict[str, Fraction]:
        """Return the rewards, by name, of a step that is derived by ``rules`` and executes
        ``action``."""
        if not self._by_step:
            return {}
        used = set(rules)  # a long derivation repeats a few rules
        used |= {rule.partition("(")[0] for rule in used} | ({action} if action else set())
        earned: dict[str, Fraction] = {}
        for name, targets, amount in self._by_step:
            if targets & used:
                earned[name] = earned.get(name, Fraction(0)) + amount
        return earned

    def state_rewards(self) -> Mapping[str, Callable[[SlotView], Fraction]]:
        """Return, for each reward, the function that computes the reward of a state. For a reward
        that only steps earn, the function returns 0; formulas can then refer to its name."""
        return {
            name: partial(self._state_reward, earned) for name, earned in self._by_state.items()
        }

    def _state_reward(self, earned: list[tuple[Condition, Fraction]], state: SlotView) -> Fraction:
        at = Valuation(state, self._parameters)
        return sum((amount for condition, amount in earned if holds(condition, at)), Fraction(0))


def expected(parts: Sequence[tuple[Fraction, Mapping[str, RewardValue]]]) -> dict[str, RewardValue]:
    """Return the expected rewards, by name, if one of several steps is taken at random. ``parts``
    are pairs of the probability of a step and its rewards."""
    rewards: dict[str, RewardValue] = {}
    for share, earned in parts:
        for name, amount in earned.items():
            rewards[name] = rewards.get(name, 0) + share * amount
    return rewards


def _rule_names(target: RuleTarget, events: Sequence[ExternalEvent]) -> list[str]:
    """Return the full names, such as ``A_step(2)``, of the rule for which a reward is earned. If
    the argument of the rule is the name of several external events, there is one name for each."""
    if target.argument is None:
        return [target.name]
    numbers = [
        str(event.number)
        for event in events
        if target.name in AGENT_RULES and event.name == target.argument
    ]
    return [f"{target.name}({argument})" for argument in numbers or [target.argument]]
