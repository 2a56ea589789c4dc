"""Names in a CAN program and their roles: belief, numeric belief, event, action, parameter or
label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, assert_never

from volition.diagnostics import Diagnostics, Span
from volition.languages.can.conditions import (
    Arithmetic,
    BeliefAtom,
    BooleanLiteral,
    Comparison,
    Condition,
    Conjunction,
    Constant,
    Disjunction,
    EventPhase,
    Expression,
    Extremum,
    Negation,
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
"""Labels that every program has, unless a belief has the same name."""

RESERVED_LABELS = (*BUILT_IN_LABELS, "deadlock")
"""Labels that a program must not declare: the built-in labels of CAN, and the label ``deadlock`` of
all languages."""

Role = Literal["a belief", "a numeric belief", "an event", "an action", "a parameter", "a label"]


@dataclass(frozen=True, slots=True)
class Use:
    """Occurrence of a name in a program, with its role and its position."""

    name: str
    role: Role
    span: Span | None


class Vocabulary:
    """All names in a CAN program, by role."""

    def __init__(self, agent: AgentProgram) -> None:
        self._agent = agent
        self.uses = list(_uses(agent))
        self.parameters = {each.name: each for each in agent.parameters}
        self.actions = {each.name: each for each in agent.actions}
        self.labels = {each.name: each for each in agent.labels}

    @cached_property
    def beliefs(self) -> dict[str, Span | None]:
        """Belief atoms of the program in the order of first use, each with the position of that
        use."""
        return self._first_uses("a belief")

    @cached_property
    def quantities(self) -> dict[str, Span | None]:
        """Names of the numeric beliefs in the order of first use, each with the position of that
        use."""
        return self._first_uses("a numeric belief")

    @cached_property
    def events(self) -> frozenset[str]:
        """Names of the external events, and of the events that have a plan."""
        return frozenset(event.name for event in self._agent.events) | {
            plan.event for plan in self._agent.plans
        }

    @cached_property
    def possibly_true(self) -> frozenset[str]:
        """Belief atoms that are true in an initial belief base or are added by a plan, action or
        background change."""
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
        """Numeric beliefs to which a plan, action or background change assigns a value."""
        return frozenset(
            change.name for change in changes(self._agent) if isinstance(change, Assign)
        )

    def possible_truth_values(self, belief: str) -> tuple[bool, ...]:
        """Return the truth values that a belief atom may take in a run."""
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
        """Names that occur in the program outside of the initial belief bases."""
        return frozenset(use.name for use in _uses(replace(self._agent, bases=())))

    @cached_property
    def used_parameters(self) -> frozenset[str]:
        """Parameters that occur in an expression of the program."""
        agent = self._agent
        numbers: list[Expression | Condition | None] = [
            each.expression for base in agent.bases for each in base.beliefs
        ]
        numbers += [each.expression for each in agent.parameters]
        numbers += [outcome.probability for action in agent.actions for outcome in action.outcomes]
        numbers += [change.expression for change in changes(agent) if isinstance(change, Assign)]
        numbers += conditions(agent)
        numbers += [item.amount for reward in agent.rewards for item in reward.items]
        numbers += [item.weight for policy in agent.policies for item in policy.items]
        return frozenset(
            node.name
            for number in numbers
            if number
            for node in nodes(number)
            if isinstance(node, Parameter)
        )

    def check_roles(self, diagnostics: Diagnostics) -> None:
        """Report an error for each name that is used in two roles."""
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
    """Yield every occurrence of a name in a program, with its role. Declarations come first, so
    that an error about a name in two roles is reported at its use and not at its declaration."""
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
            case (
                BooleanLiteral()
                | Comparison()
                | EventPhase()
                | Negation()
                | Conjunction()
                | Disjunction()
                | Constant()
                | Parameter()
                | Arithmetic()
                | Extremum()
            ):
                pass
            case _:
                assert_never(each)
