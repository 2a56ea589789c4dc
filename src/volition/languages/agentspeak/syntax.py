"""Syntax tree of an AgentSpeak(F) program (Bordini et al., Fig. 1), with the additions that its
case study uses.

Internal actions that compare or compute have the same node as the equivalent operator:
``.gte(T,N)`` and ``T >= N`` are both :class:`Compare`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, assert_never

from volition.diagnostics import Source, Span
from volition.languages.common.syntax_node import SyntaxNode
from volition.languages.world.terms import Structure, Term, name_anonymous, variables

__all__ = [
    "EVENT_VARIABLE",
    "FORCES",
    "Achieve",
    "Act",
    "AddBelief",
    "AgentProgram",
    "Atomic",
    "BeliefCondition",
    "Broadcast",
    "Compare",
    "Compute",
    "Condition",
    "Force",
    "Formula",
    "NegatedBeliefCondition",
    "Plan",
    "Print",
    "RandomItem",
    "RandomNumber",
    "Relation",
    "RemoveBelief",
    "Send",
    "Sign",
    "Test",
    "Trigger",
    "TriggerKind",
    "Unify",
    "terms_of",
]

Force = Literal["tell", "untell", "achieve"]
FORCES: tuple[Force, ...] = ("tell", "untell", "achieve")
Relation = Literal["=", "!=", "<", "<=", ">", ">="]
Sign = Literal["+", "-"]
TriggerKind = Literal["belief", "achieve", "test"]
EVENT_VARIABLE = "!"
"""Prefix of the variables that :meth:`Trigger.pattern` puts in place of each ``_`` in a goal. Their
values are then stored in the plan instance. A program cannot contain such names."""
GOAL_PREFIXES: dict[TriggerKind, str] = {"belief": "", "achieve": "!", "test": "?"}


# --- conditions of contexts -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BeliefCondition(SyntaxNode):
    atom: Structure


@dataclass(frozen=True, slots=True)
class NegatedBeliefCondition(SyntaxNode):
    """Condition ``not (at)`` of a context. If the atom has a variable without a value, it means
    that no atom of this form is believed."""

    atom: Structure


@dataclass(frozen=True, slots=True)
class Compare(SyntaxNode):
    """Comparison such as ``.gte(X,Y)``, ``X >= Y`` or ``X == Y``, in a context or a body."""

    relation: Relation
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Compute(SyntaxNode):
    """Computation such as ``.plus(X,Y,Z)``, in a context or a body."""

    function: Literal["+", "-", "*"]
    left: Term
    right: Term
    result: Term


@dataclass(frozen=True, slots=True)
class Unify(SyntaxNode):
    """Unification ``X = t`` of both sides, which binds free variables, in a context or a body."""

    left: Term
    right: Term


Condition = BeliefCondition | NegatedBeliefCondition | Compare | Unify | Compute

# --- formulas of plan bodies ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act(SyntaxNode):
    """Formula of a plan body that executes a basic action on the environment."""

    atom: Structure


@dataclass(frozen=True, slots=True)
class Achieve(SyntaxNode):
    atom: Structure


@dataclass(frozen=True, slots=True)
class Test(SyntaxNode):
    atom: Structure


@dataclass(frozen=True, slots=True)
class AddBelief(SyntaxNode):
    atom: Structure


@dataclass(frozen=True, slots=True)
class RemoveBelief(SyntaxNode):
    """Formula ``-at`` of a plan body: removal of the first matching belief. It does not bind
    variables."""

    atom: Structure


@dataclass(frozen=True, slots=True)
class Send(SyntaxNode):
    receiver: Term
    force: Force
    content: Structure


@dataclass(frozen=True, slots=True)
class Broadcast(SyntaxNode):
    """Internal action ``.broadcast(tell, at)``: message to every other agent."""

    force: Force
    content: Structure


@dataclass(frozen=True, slots=True)
class Print(SyntaxNode):
    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class RandomItem(SyntaxNode):
    """Internal action ``.random([a,b,c], X)``: nondeterministic choice of X from the items of a
    list."""

    items: Term
    result: Term


@dataclass(frozen=True, slots=True)
class RandomNumber(SyntaxNode):
    """Internal action ``.random(1, 6, X)``: nondeterministic choice of X from a range of numbers,
    both ends included."""

    first: Term
    last: Term
    result: Term


Atomic = Act | Achieve | Test | AddBelief | RemoveBelief
Formula = Atomic | Send | Broadcast | Print | Compare | Unify | Compute | RandomItem | RandomNumber


def terms_of(node: Condition | Formula) -> tuple[Term, ...]:
    """Return the terms in a condition of a context or a formula of a plan body, from left to
    right."""
    match node:
        case Send(receiver, _, content):
            return (receiver, content)
        case Broadcast(_, content):
            return (content,)
        case Print(items):
            return items
        case Compare(_, left, right) | Unify(left, right):
            return (left, right)
        case Compute(_, left, right, result):
            return (left, right, result)
        case RandomItem(items, result):
            return (items, result)
        case RandomNumber(first, last, result):
            return (first, last, result)
        case (
            BeliefCondition()
            | NegatedBeliefCondition()
            | Act()
            | Achieve()
            | Test()
            | AddBelief()
            | RemoveBelief()
        ):
            pass
        case _:
            assert_never(node)
    return (node.atom,)


# --- plans and programs ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trigger(SyntaxNode):
    """Triggering event of a plan: the addition or deletion of a belief or goal."""

    sign: Sign
    kind: TriggerKind
    atom: Structure

    @property
    def is_goal(self) -> bool:
        """Whether the triggering event is the addition of an achievement goal. Only these goals are
        intended (Bordini et al., Sect. 4.2)."""
        return (self.sign, self.kind) == ("+", "achieve")

    @property
    def pattern(self) -> Structure:
        """Atom with which an event is unified to find out whether the plan is relevant.

        In the pattern of a goal, each ``_`` is replaced by a variable with its own name. The values
        of these variables are stored in the plan instance, so that it keeps the whole goal: desires
        and intentions refer to the goal (Bordini et al., Sect. 4.1). Events that are not goals are
        not needed later.
        """
        return name_anonymous(self.atom, EVENT_VARIABLE) if self.is_goal else self.atom

    def __str__(self) -> str:
        return f"{self.sign}{GOAL_PREFIXES[self.kind]}{self.atom}"


@dataclass(frozen=True, slots=True)
class Plan(SyntaxNode):
    """Plan ``te : ct <- h.`` with a triggering event, a context and a body. Its name is its label,
    or ``p`` and its number in the program, counted from 1."""

    name: str
    trigger: Trigger
    context: tuple[Condition, ...]
    body: tuple[Formula, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the plan's variables, in the order of their first occurrence."""
        return tuple(dict.fromkeys(name for term in self.terms for name in variables(term)))

    @property
    def terms(self) -> Iterator[Term]:
        """Terms in the plan, from left to right."""
        yield self.trigger.atom
        for part in (*self.context, *self.body):
            yield from terms_of(part)


@dataclass(frozen=True)
class AgentProgram:
    """Initial beliefs, initial goals and plans of an ``.asl`` program, in the order of the text."""

    source: Source
    beliefs: tuple[tuple[Structure, Span], ...]
    goals: tuple[tuple[Structure, Span], ...]
    plans: tuple[Plan, ...]
