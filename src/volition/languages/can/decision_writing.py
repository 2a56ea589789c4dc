"""Conversion of a strategy to a CAN program. Each rule of the strategy becomes a line of the
section ``// Decisions``; the predicates of the rule become its condition:

| predicate of a rule | condition of the line |
|---|---|
| a belief | ``wrapped1`` |
| a numeric belief | ``deadline1 >= 3``, ``deadline1 = 3`` |
| a pending event | ``waiting(product1)`` |
| an intention | ``active(product1)``, ``left(product1, "nil; move")`` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from volition.diagnostics import Diagnostic, InputError, Source
from volition.languages.can.conditions import (
    BeliefAtom,
    BooleanLiteral,
    Comparison,
    Condition,
    Conjunction,
    Constant,
    EventPhase,
    Negation,
    NumericBelief,
)
from volition.languages.can.syntax import ActionDecision, AgentProgram, Decision, ScheduleDecision
from volition.languages.protocols import DecisionRule, UnparsedProperty, ViewPredicate

__all__ = ["with_decisions"]


def with_decisions(
    agent: AgentProgram, rules: Sequence[DecisionRule], stated: Sequence[tuple[str, str]]
) -> AgentProgram:
    """Return the agent with decisions that resolve its choices as the strategy ``rules`` does, and
    with the properties ``stated`` (pairs of a formula and its expected result) instead of its own.

    Raises :class:`InputError` if a predicate of a rule cannot be written as a condition.
    """
    events = _references(agent)
    decisions = [_decision(each, events) for each in rules]
    # A program with at least one decision has no nondeterministic choices. So a strategy without
    # rules still needs one decision, whose content does not matter.
    if not decisions and agent.events:
        decisions = [ScheduleDecision(next(iter(events.values())), BooleanLiteral(True))]
    nowhere = Source("strategy", "").span(0, 0)
    return replace(
        agent,
        decisions=(*agent.decisions, *decisions),
        properties=tuple(UnparsedProperty(text, nowhere, expected) for text, expected in stated),
    )


def _references(agent: AgentProgram) -> dict[str, str]:
    """Return the text by which a decision refers to each external event, by the event's display
    name. The text is the event's name, or its number if several events have the name."""
    names = [event.name for event in agent.events]
    return {
        name if names.count(name) == 1 else f"{name} ({event.number})": name
        if names.count(name) == 1
        else str(event.number)
        for event, name in zip(agent.events, names, strict=True)
    }


def _decision(rule: DecisionRule, events: Mapping[str, str]) -> Decision:
    condition = (
        reduce(Conjunction, [_condition(each, events) for each in rule.predicates])
        if rule.predicates
        else BooleanLiteral(True)
    )
    if rule.action is not None:
        return ActionDecision(events.get(rule.component), rule.action, condition)
    if rule.component not in events:
        hint = "remove the policies for events and intentions"
        raise InputError(
            [
                Diagnostic(
                    "CAN070",
                    "the strategy cannot be written as decisions of the program, because a policy "
                    "already selects events or intentions",
                    hint=hint,
                )
            ]
        )
    return ScheduleDecision(events[rule.component], condition)


def _condition(predicate: ViewPredicate, events: Mapping[str, str]) -> Condition:
    condition = _positive_condition(predicate, events)
    if condition is None:
        message = (
            f"the strategy depends on '{predicate.item}' ({predicate.section}), which CAN "
            "conditions cannot express"
        )
        raise InputError(
            [
                Diagnostic(
                    "CAN071",
                    message,
                    hint="write the strategy as a table, as JSON or as Python code",
                )
            ]
        )
    if predicate.positive:
        return condition
    return (
        replace(condition, relation="<")
        if isinstance(condition, Comparison) and condition.relation == ">="
        else Negation(condition)
    )


def _positive_condition(predicate: ViewPredicate, events: Mapping[str, str]) -> Condition | None:
    """Return a CAN condition for a predicate on state views. A negation of the predicate is
    ignored. Return None if CAN has no such condition."""
    match predicate.section, predicate.relation:
        case "beliefs", "there":
            return BeliefAtom(predicate.item)
        case "beliefs", relation:
            number = Constant(Fraction(predicate.value.replace(" ", "")))
            return Comparison(
                "=" if relation == "is" else ">=", NumericBelief(predicate.item), number
            )
        case "events", "there":
            return EventPhase("waiting", events[predicate.item])
        case "intentions", "there":
            return EventPhase("active", events[predicate.item])
        case "intentions", "is":
            return EventPhase("left", events[predicate.item], predicate.value)
        case _:
            pass
    return None
