"""A strategy as a CAN program: rulings about portraits become the lines of a section ``// Decisions``.

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
from volition.languages.can.conditions import Belief, Comparison, Condition, Conjunction, Constant, Negation, Phase, Quantity, Truth
from volition.languages.can.syntax import Agent, Decision, StepDecision, TurnDecision
from volition.languages.model import Finding, Ruling, StatedProperty

__all__ = ["realisation"]


def realisation(agent: Agent, rulings: Sequence[Ruling], stated: Sequence[tuple[str, str]]) -> Agent:
    """The agent with decisions instead of what was open, and with properties (formula, expected result) instead of its own.

    Raises :class:`InputError` where a ruling is about something that a condition cannot ask for.
    """
    events = _references(agent)
    decisions = [_decision(each, events) for each in rulings]
    # One line is enough to leave nothing open; it must be there even if the strategy has nothing to say.
    if not decisions and agent.events:
        decisions = [TurnDecision(next(iter(events.values())), Truth(True))]
    nowhere = Source("strategy", "").span(0, 0)
    return replace(
        agent,
        decisions=(*agent.decisions, *decisions),
        properties=tuple(StatedProperty(text, nowhere, expected) for text, expected in stated),
    )


def _references(agent: Agent) -> dict[str, str]:
    """What people call an external event ▶ what a program calls it: its name, or its number where the name is not enough."""
    names = [event.name for event in agent.events]
    return {
        name if names.count(name) == 1 else f"{name} ({event.number})": name if names.count(name) == 1 else str(event.number)
        for event, name in zip(agent.events, names, strict=True)
    }


def _decision(ruling: Ruling, events: Mapping[str, str]) -> Decision:
    condition = reduce(Conjunction, [_condition(each, events) for each in ruling.findings]) if ruling.findings else Truth(True)
    if ruling.step is not None:
        return StepDecision(events.get(ruling.mover), ruling.step, condition)
    if ruling.mover not in events:
        hint = "remove the policies for events and intentions"
        raise InputError(
            [Diagnostic("CAN070", f"cannot write decisions for '{ruling.mover}', as a policy already selects for it", hint=hint)]
        )
    return TurnDecision(events[ruling.mover], condition)


def _condition(finding: Finding, events: Mapping[str, str]) -> Condition:
    asked = _asked(finding, events)
    if asked is None:
        message = f"the strategy depends on '{finding.item}' ({finding.section}), which CAN conditions cannot express"
        raise InputError([Diagnostic("CAN071", message, hint="ask for the strategy as a table, as JSON or as Python code")])
    if finding.found:
        return asked
    return replace(asked, relation="<") if isinstance(asked, Comparison) and asked.relation == ">=" else Negation(asked)


def _asked(finding: Finding, events: Mapping[str, str]) -> Condition | None:
    """The condition that holds where something is found; None if there is none."""
    match finding.section, finding.relation:
        case "beliefs", "there":
            return Belief(finding.item)
        case "beliefs", relation:
            number = Constant(Fraction(finding.value.replace(" ", "")))
            return Comparison("=" if relation == "is" else ">=", Quantity(finding.item), number)
        case "events", "there":
            return Phase("waiting", events[finding.item])
        case "intentions", "there":
            return Phase("active", events[finding.item])
        case "intentions", "is":
            return Phase("left", events[finding.item], finding.value)
    return None
