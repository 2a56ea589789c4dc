"""Rewards: what a step earns by the rules and the action that it uses, and what a state earns by
what is believed in it.

Archibald et al. (Sect. 3.4) give rewards to rules, above all to parameterised ones such as
``select(7)``.  A step is derived by several rules; it earns each amount once, however often the
rule occurs in its derivation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from volition.kernel import RewardValue, SlotView
from volition.languages.can.conditions import Condition, Parameters, Valuation, holds, value
from volition.languages.can.rules import AGENT_RULES
from volition.languages.can.syntax import ExternalEvent, Reward, RuleTarget, StateTarget

__all__ = ["RewardTable", "expected"]


class RewardTable:
    """The rewards of a program, ready to be looked up."""

    def __init__(
        self, rewards: Sequence[Reward], events: Sequence[ExternalEvent], parameters: Parameters
    ) -> None:
        # An amount does not depend on the state, so that any state will do to compute it.
        constant = Valuation({}, parameters)
        self._by_step: list[tuple[str, frozenset[str], Fraction]] = []
        self._by_state: dict[str, list[tuple[Condition, Fraction]]] = {
            reward.name: [] for reward in rewards
        }
        self._parameters = parameters
        for reward in rewards:
            for earning in reward.earnings:
                amount = value(earning.amount, constant)
                match earning.target:
                    case RuleTarget() as target:
                        self._by_step.append(
                            (reward.name, frozenset(_rule_names(target, events)), amount)
                        )
                    case StateTarget(condition):
                        self._by_state[reward.name].append((condition, amount))

    def step_reward(self, rules: tuple[str, ...], action: str | None) -> dict[str, Fraction]:
        """What a step earns that is derived by ``rules`` and executes ``action``."""
        if not self._by_step:
            return {}
        used = set(rules)  # a derivation may be long, and most of it is the same few rules
        used |= {rule.partition("(")[0] for rule in used} | ({action} if action else set())
        earned: dict[str, Fraction] = {}
        for name, targets, amount in self._by_step:
            if targets & used:
                earned[name] = earned.get(name, Fraction(0)) + amount
        return earned

    def of_states(self) -> Mapping[str, Callable[[SlotView], Fraction]]:
        """The rewards that states earn: a traced function for each; a reward that only steps earn
        has one too, so that it is known."""
        return {
            name: partial(self._state_reward, earned) for name, earned in self._by_state.items()
        }

    def _state_reward(self, earned: list[tuple[Condition, Fraction]], state: SlotView) -> Fraction:
        at = Valuation(state, self._parameters)
        return sum((amount for condition, amount in earned if holds(condition, at)), Fraction(0))


def expected(parts: Sequence[tuple[Fraction, Mapping[str, RewardValue]]]) -> dict[str, RewardValue]:
    """What is earned on average where chance picks one of several steps, each with its
    probability."""
    rewards: dict[str, RewardValue] = {}
    for share, earned in parts:
        for name, amount in earned.items():
            rewards[name] = rewards.get(name, 0) + share * amount
    return rewards


def _rule_names(target: RuleTarget, events: Sequence[ExternalEvent]) -> list[str]:
    """How the target is written in the derivation of a step; an event that is named may have
    several numbers."""
    if target.argument is None:
        return [target.name]
    numbers = [
        str(event.number)
        for event in events
        if target.name in AGENT_RULES and event.name == target.argument
    ]
    return [f"{target.name}({argument})" for argument in numbers or [target.argument]]
