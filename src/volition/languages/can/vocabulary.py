"""The names of a program and what each of them is: belief, numeric belief, event, action, parameter
or label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from volition.diagnostics import Diagnostics, Span
from volition.languages.can.conditions import (
    BeliefAtom,
    Condition,
    Expression,
    NumericBelief,
    Parameter,
    nodes,
)
from volition.languages.can.syntax import (
    AddBelief,
    AgentProgram,
    Assign,
    EventGoal,
    RemoveBelief,
    changes,
    conditions,
    parts,
)

__all__ = ["BUILT_IN_LABELS", "RESERVED_LABELS", "Role", "Use", "Vocabulary"]

BUILT_IN_LABELS = ("empty", "failure", "no_failure")
"""Labels that every program has, unless a belief has the name."""

RESERVED_LABELS = (*BUILT_IN_LABELS, "deadlock")
"""The same, with the one that every language has."""

Role = Literal["a belief", "a numeric belief", "an event", "an action", "a parameter", "a label"]


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a name is used, and as what."""

    name: str
    role: Role
    span: Span | None


class Vocabulary:
    """Everything that a program calls by a name."""

    def __init__(self, agent: AgentProgram) -> None:
        self._agent = agent
        self.uses = list(_uses(agent))
        self.parameters = {each.name: each for each in agent.parameters}
        self.actions = {each.name: each for each in agent.actions}
        self.labels = {each.name: each for each in agent.labels}

    @cached_property
    def beliefs(self) -> dict[str, Span | None]:
        """The belief atoms, in the order of their first use, with its place."""
        return self._first_uses("a belief")

    @cached_property
    def quantities(self) -> dict[str, Span | None]:
        """The numeric beliefs, in the order of their first use, with its place."""
        return self._first_uses("a numeric belief")

    @cached_property
    def events(self) -> frozenset[str]:
        """Events that come from outside or have a plan."""
        return frozenset(event.name for event in self._agent.events) | {
            plan.event for plan in self._agent.plans
        }

    @cached_property
    def possibly_true(self) -> frozenset[str]:
        """The belief atoms that are initially true in some belief base, or that something adds."""
        initial = {
            each.name
            for base in self._agent.bases
            for each in base.beliefs
            if each.expression is None
        }
        return frozenset(
            initial
            | {change.name for change in changes(self._agent) if isinstance(change, AddBelief)}
        )

    @cached_property
    def assigned(self) -> frozenset[str]:
        """The numeric beliefs that something changes."""
        return frozenset(
            change.name for change in changes(self._agent) if isinstance(change, Assign)
        )

    def possible_truth_values(self, belief: str) -> tuple[bool, ...]:
        """The truth values that a belief atom may have."""
        if belief not in self.possibly_true:
            return (False,)
        return (True,) if belief in self._never_false else (True, False)

    @cached_property
    def _never_false(self) -> frozenset[str]:
        initial = [frozenset(each.name for each in base.beliefs) for base in self._agent.bases]
        forgotten = {
            change.name for change in changes(self._agent) if isinstance(change, RemoveBelief)
        }
        return frozenset.intersection(*initial) - forgotten

    @cached_property
    def names_used(self) -> frozenset[str]:
        """The names that occur elsewhere than among the initial beliefs."""
        return frozenset(use.name for use in _uses(replace(self._agent, bases=())))

    @cached_property
    def used_parameters(self) -> frozenset[str]:
        """The parameters that occur in some number."""
        agent = self._agent
        numbers: list[Expression | Condition | None] = [
            each.expression for base in agent.bases for each in base.beliefs
        ]
        numbers += [each.expression for each in agent.parameters]
        numbers += [outcome.probability for action in agent.actions for outcome in action.outcomes]
        numbers += [change.expression for change in changes(agent) if isinstance(change, Assign)]
        numbers += conditions(agent)
        numbers += [earning.amount for reward in agent.rewards for earning in reward.earnings]
        numbers += [item.weight for policy in agent.policies for item in policy.items]
        return frozenset(
            node.name
            for number in numbers
            if number
            for node in nodes(number)
            if isinstance(node, Parameter)
        )

    def check_roles(self, diagnostics: Diagnostics) -> None:
        """A name means one thing.  Reports each name that is used as two."""
        first: dict[str, Use] = {}
        reported: set[str] = set()
        for use in self.uses:
            known = first.setdefault(use.name, use)
            if known.role == use.role or use.name in reported:
                continue
            reported.add(use.name)
            where = f" in line {known.span.line}" if known.span else ""
            hint = (
                "compare a numeric belief with a number"
                if {known.role, use.role} == {"a belief", "a numeric belief"}
                else None
            )
            diagnostics.error(
                "CAN020",
                f"'{use.name}' is used as {use.role} here and as {known.role}{where}",
                use.span,
                hint=hint,
            )

    def _first_uses(self, role: Role) -> dict[str, Span | None]:
        first: dict[str, Span | None] = {}
        for use in self.uses:
            if use.role == role:
                first.setdefault(use.name, use.span)
        return first


def _uses(agent: AgentProgram) -> Iterator[Use]:
    """Every use of a name, declarations first, so that a conflict is reported where a name is
    misused."""
    yield from (
        Use(parameter.name, "a parameter", parameter.span) for parameter in agent.parameters
    )
    yield from (Use(action.name, "an action", action.span) for action in agent.actions)
    for belief in (belief for base in agent.bases for belief in base.beliefs):
        yield Use(
            belief.name,
            "a belief" if belief.expression is None else "a numeric belief",
            belief.span,
        )
    yield from (Use(event.name, "an event", event.span) for event in agent.events)
    yield from (Use(plan.event, "an event", plan.span) for plan in agent.plans)
    yield from (Use(label.name, "a label", label.span) for label in agent.labels)
    for change in changes(agent):
        yield Use(
            change.name,
            "a numeric belief" if isinstance(change, Assign) else "a belief",
            change.span,
        )
        if isinstance(change, Assign):
            yield from _in(change.expression)
    for condition in conditions(agent):
        yield from _in(condition)
    for part in (part for plan in agent.plans for part in parts(plan.body)):
        if isinstance(part, EventGoal):
            yield Use(part.name, "an event", part.span)


def _in(node: Condition | Expression) -> Iterator[Use]:
    for each in nodes(node):
        match each:
            case BeliefAtom(name):
                yield Use(name, "a belief", each.span)
            case NumericBelief(name):
                yield Use(name, "a numeric belief", each.span)
