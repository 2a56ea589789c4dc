"""Syntax tree of an AgentSpeak(F) program (Bordini et al., Fig. 1), with the additions that its
case study uses.

Internal actions that compare or compute have the same node as the equivalent operator:
``.gte(T,N)`` and ``T >= N`` are both :class:`Compare`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

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
"""Prefix of the names that each ``_`` of a trigger gets in the bindings of an intended means. A
program cannot contain such names."""
GOAL_PREFIXES: dict[TriggerKind, str] = {"belief": "", "achieve": "!", "test": "?"}


# --- contexts -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BeliefCondition(SyntaxNode):
    atom: Structure


@dataclass(frozen=True, slots=True)
class NegatedBeliefCondition(SyntaxNode):
    """``not (at)``. With an unbound variable, it means that no instance is believed."""

    atom: Structure


@dataclass(frozen=True, slots=True)
class Compare(SyntaxNode):
    """``.gte(X,Y)``, ``X >= Y``, ``X == Y`` and similar comparisons, in a context or a body."""

    relation: Relation
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Compute(SyntaxNode):
    """``.plus(X,Y,Z)`` and similar computations, in a context or a body."""

    function: Literal["+", "-", "*"]
    left: Term
    right: Term
    result: Term


@dataclass(frozen=True, slots=True)
class Unify(SyntaxNode):
    """``X = t``: unification of both sides, which binds free variables; in a context or a body."""

    left: Term
    right: Term


Condition = BeliefCondition | NegatedBeliefCondition | Compare | Unify | Compute

# --- bodies ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act(SyntaxNode):
    """Basic action on the environment."""

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
    """``-at``: removal of the first matching belief. It does not bind variables."""

    atom: Structure


@dataclass(frozen=True, slots=True)
class Send(SyntaxNode):
    receiver: Term
    force: Force
    content: Structure


@dataclass(frozen=True, slots=True)
class Broadcast(SyntaxNode):
    """``.broadcast(tell, at)``: message to every other agent."""

    force: Force
    content: Structure


@dataclass(frozen=True, slots=True)
class Print(SyntaxNode):
    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class RandomItem(SyntaxNode):
    """``.random([a,b,c], X)``: nondeterministic choice of X from the items."""

    items: Term
    result: Term


@dataclass(frozen=True, slots=True)
class RandomNumber(SyntaxNode):
    """``.random(1, 6, X)``: nondeterministic choice of X from a range of numbers, both ends
    included."""

    first: Term
    last: Term
    result: Term


Atomic = Act | Achieve | Test | AddBelief | RemoveBelief
Formula = Atomic | Send | Broadcast | Print | Compare | Unify | Compute | RandomItem | RandomNumber


def terms_of(node: Condition | Formula) -> tuple[Term, ...]:
    """Return the terms in a condition or formula, from left to right."""
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
    return (node.atom,)


# --- plans and programs ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trigger(SyntaxNode):
    """Triggering event: the addition or deletion of a belief or goal."""

    sign: Sign
    kind: TriggerKind
    atom: Structure

    @property
    def is_goal(self) -> bool:
        """Whether this is the addition of an achievement goal, which is what agents intend (Sect.
        4.2)."""
        return (self.sign, self.kind) == ("+", "achieve")

    @property
    def pattern(self) -> Structure:
        """Pattern that events are unified with.

        An intended means must keep the event that triggered it, because desires and intentions
        refer to it (Sect. 4.1). Therefore each ``_`` in the pattern of a goal gets its own name,
        and the bindings of the means contain the whole event. Other events are not needed later.
        """
        return name_anonymous(self.atom, EVENT_VARIABLE) if self.is_goal else self.atom

    def __str__(self) -> str:
        return f"{self.sign}{GOAL_PREFIXES[self.kind]}{self.atom}"


@dataclass(frozen=True, slots=True)
class Plan(SyntaxNode):
    """``te : ct <- h.`` The name is its label, or ``p`` and its number in the program, counted from
    1."""

    name: str
    trigger: Trigger
    context: tuple[Condition, ...]
    body: tuple[Formula, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the variables, in the order of their first occurrence."""
        return tuple(dict.fromkeys(name for term in self.terms for name in variables(term)))

    @property
    def terms(self) -> Iterator[Term]:
        """Terms in the plan, from left to right."""
        yield self.trigger.atom
        for part in (*self.context, *self.body):
            yield from terms_of(part)


@dataclass(frozen=True)
class AgentProgram:
    """Initial beliefs, initial goals and plans of a program, in the order of the text."""

    source: Source
    beliefs: tuple[tuple[Structure, Span], ...]
    goals: tuple[tuple[Structure, Span], ...]
    plans: tuple[Plan, ...]
