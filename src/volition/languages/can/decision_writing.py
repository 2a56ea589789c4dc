"""A strategy as a CAN program: rulings about portraits become the lines of a section ``//
Decisions``.

=============================  ==========================================================
what a ruling finds            the condition of the line
=============================  ==========================================================
a belief                       ``wrapped1``
a number among the beliefs     ``deadline1 >= 3``, ``deadline1 = 3``
an event that waits            ``waiting(product1)``
an intention                   ``active(product1)``, ``left(product1, "nil; move")``
=============================  ==========================================================
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
    agent: AgentProgram, rulings: Sequence[DecisionRule], stated: Sequence[tuple[str, str]]
) -> AgentProgram:
    """The agent with decisions instead of what was open, and with properties (formula, expected
    result) instead of its own.

    Raises :class:`InputError` where a ruling is about something that a condition cannot ask for.
    """
    events = _references(agent)
    decisions = [_decision(each, events) for each in rulings]
    # One line is enough to leave nothing open; it must be there even if the strategy has nothing to
    # say.
    if not decisions and agent.events:
        decisions = [ScheduleDecision(next(iter(events.values())), BooleanLiteral(True))]
    nowhere = Source("strategy", "").span(0, 0)
    return replace(
        agent,
        decisions=(*agent.decisions, *decisions),
        properties=tuple(UnparsedProperty(text, nowhere, expected) for text, expected in stated),
    )


def _references(agent: AgentProgram) -> dict[str, str]:
    """What people call an external event ▶ what a program calls it: its name, or its number where
    the name is not enough."""
    names = [event.name for event in agent.events]
    return {
        name if names.count(name) == 1 else f"{name} ({event.number})": name
        if names.count(name) == 1
        else str(event.number)
        for event, name in zip(agent.events, names, strict=True)
    }


def _decision(ruling: DecisionRule, events: Mapping[str, str]) -> Decision:
    condition = (
        reduce(Conjunction, [_condition(each, events) for each in ruling.predicates])
        if ruling.predicates
        else BooleanLiteral(True)
    )
    if ruling.action is not None:
        return ActionDecision(events.get(ruling.component), ruling.action, condition)
    if ruling.component not in events:
        hint = "remove the policies for events and intentions"
        raise InputError(
            [
                Diagnostic(
                    "CAN070",
                    f"cannot write decisions for '{ruling.component}', as a policy already selects "
                    "for it",
                    hint=hint,
                )
            ]
        )
    return ScheduleDecision(events[ruling.component], condition)


def _condition(predicate: ViewPredicate, events: Mapping[str, str]) -> Condition:
    query = _asked(predicate, events)
    if query is None:
        message = (
            f"the strategy depends on '{predicate.item}' ({predicate.section}), which CAN "
            "conditions cannot express"
        )
        raise InputError(
            [
                Diagnostic(
                    "CAN071",
                    message,
                    hint="ask for the strategy as a table, as JSON or as Python code",
                )
            ]
        )
    if predicate.positive:
        return query
    return (
        replace(query, relation="<")
        if isinstance(query, Comparison) and query.relation == ">="
        else Negation(query)
    )


def _asked(predicate: ViewPredicate, events: Mapping[str, str]) -> Condition | None:
    """The condition that holds where something is found; None if there is none."""
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
    return None
