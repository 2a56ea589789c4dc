"""The tree of an AgentSpeak(F) program (Bordini et al., Fig. 1), with what its case study uses
beyond Fig. 1.

Internal actions that compare or compute are one kind of node each, whichever spelling a program
uses: ``.gte(T,N)`` and ``T >= N`` are both :class:`Compare`.
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
"""What the ``_`` of a trigger are called, with a number, in the bindings of an intended means; no
program can write such a name."""
GOAL_PREFIXES: dict[TriggerKind, str] = {"belief": "", "achieve": "!", "test": "?"}


# --- contexts -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BeliefCondition(SyntaxNode):
    atom: Structure


@dataclass(frozen=True, slots=True)
class NegatedBeliefCondition(SyntaxNode):
    """``not (at)``; a variable without a value in it means that no instance is believed."""

    atom: Structure


@dataclass(frozen=True, slots=True)
class Compare(SyntaxNode):
    """``.gte(X,Y)``, ``X >= Y``, ``X == Y`` and their like; in a context and in a body."""

    relation: Relation
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Compute(SyntaxNode):
    """``.plus(X,Y,Z)`` and its like; in a context and in a body."""

    function: Literal["+", "-", "*"]
    left: Term
    right: Term
    result: Term


@dataclass(frozen=True, slots=True)
class Unify(SyntaxNode):
    """``X = t``: both become the same, so that variables without a value get one; in a context and
    in a body."""

    left: Term
    right: Term


Condition = BeliefCondition | NegatedBeliefCondition | Compare | Unify | Compute

# --- bodies ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act(SyntaxNode):
    """A basic action on the environment."""

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
    """Removes the first belief that matches, and gives no values to variables."""

    atom: Structure


@dataclass(frozen=True, slots=True)
class Send(SyntaxNode):
    receiver: Term
    force: Force
    content: Structure


@dataclass(frozen=True, slots=True)
class Broadcast(SyntaxNode):
    """``.broadcast(tell, at)``: the same message to every other agent."""

    force: Force
    content: Structure


@dataclass(frozen=True, slots=True)
class Print(SyntaxNode):
    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class RandomItem(SyntaxNode):
    """``.random([a,b,c], X)``: X is one of the items, and nobody knows which."""

    items: Term
    result: Term


@dataclass(frozen=True, slots=True)
class RandomNumber(SyntaxNode):
    """``.random(1, 6, X)``: X is a number from the first to the last, and nobody knows which."""

    first: Term
    last: Term
    result: Term


Atomic = Act | Achieve | Test | AddBelief | RemoveBelief
Formula = Atomic | Send | Broadcast | Print | Compare | Unify | Compute | RandomItem | RandomNumber


def terms_of(node: Condition | Formula) -> tuple[Term, ...]:
    """The terms in a condition or formula, from left to right."""
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
    """A triggering event: the addition or deletion of a belief or goal."""

    sign: Sign
    kind: TriggerKind
    atom: Structure

    @property
    def is_goal(self) -> bool:
        """Whether it is the addition of an achievement goal: what agents intend (Sect. 4.2)."""
        return (self.sign, self.kind) == ("+", "achieve")

    @property
    def pattern(self) -> Structure:
        """What events are matched with, and what they are known by afterwards.

        An intended means keeps the event that triggered it, for the sake of desires and intentions
        (Sect. 4.1): in the pattern of a goal each ``_`` has a name of its own, so that the means'
        bindings hold the whole event.  Other events are never asked for again.
        """
        return name_anonymous(self.atom, EVENT_VARIABLE) if self.is_goal else self.atom

    def __str__(self) -> str:
        return f"{self.sign}{GOAL_PREFIXES[self.kind]}{self.atom}"


@dataclass(frozen=True, slots=True)
class Plan(SyntaxNode):
    """``te : ct <- h.``  The name is its label, or ``p`` and its number in the program, counted
    from 1."""

    name: str
    trigger: Trigger
    context: tuple[Condition, ...]
    body: tuple[Formula, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of its variables, in the order in which they appear."""
        return tuple(dict.fromkeys(name for term in self.terms for name in variables(term)))

    @property
    def terms(self) -> Iterator[Term]:
        """The terms in it, from left to right."""
        yield self.trigger.atom
        for part in (*self.context, *self.body):
            yield from terms_of(part)


@dataclass(frozen=True)
class AgentProgram:
    """Initial beliefs, initial goals and plans, in their order."""

    source: Source
    beliefs: tuple[tuple[Structure, Span], ...]
    goals: tuple[tuple[Structure, Span], ...]
    plans: tuple[Plan, ...]
