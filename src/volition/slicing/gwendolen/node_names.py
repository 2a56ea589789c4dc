"""Names of graph nodes and their matching (Sect. 2.2).

The paper is propositional and requires equal names. Here names match if their terms unify after
renaming apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    Deed,
    DropGoal,
    Lock,
    ReasoningRule,
    RemoveBelief,
    Send,
    Trigger,
    Unlock,
    WaitFor,
)
from volition.languages.world.terms import Structure, Term, rename, show, unifiable
from volition.slicing.reachability import reachable

__all__ = [
    "BeliefSupport",
    "NodeName",
    "acts_as",
    "goal_as_belief",
    "name_of_deed",
    "name_of_trigger",
]

Kind = Literal["belief", "goal", "received", "action", "wait", "lock", "send", "skip"]
_GOAL_BELIEF_PREFIX = "goal_"
"""Prefix of the belief ``goal_g``, which holds while g is pursued. In the transformed program it
replaces the goal in tests (Sect. 3.1)."""


@dataclass(frozen=True, slots=True)
class NodeName:
    """Name such as ``+b``, ``-!g``, ``*b`` or ``a``.

    The type of a goal is ``perform``, ``achieve`` for ``achieve_g`` of the meta-plans, or ``try``
    for the g that these post.
    """

    kind: Kind
    sign: str = ""
    type: str | None = None
    content: Term | None = None

    def matches(self, other: NodeName) -> bool:
        """Return whether both names may denote the same."""
        if (self.kind, self.sign, self.type) != (other.kind, other.sign, other.type):
            return False
        return (
            self.content is None or other.content is None or unifiable(self.content, other.content)
        )

    @property
    def key(self) -> tuple[str, str, str | None]:
        """Key for lookup. Names with different keys never match."""
        return self.kind, self.sign, self.type

    @property
    def posts_goal(self) -> bool:
        return self.kind == "goal" and self.sign == "+"

    @property
    def updates_belief(self) -> bool:
        return self.kind == "belief"

    def __str__(self) -> str:
        text = "" if self.content is None else _show(self.content)
        match self.kind:
            case "goal":
                return f"{self.sign}!{'achieve_' if self.type == 'achieve' else ''}{text}"
            case "belief":
                return f"{self.sign}{text}"
            case "wait":
                return f"*{self.sign}{text}"
            case "received":
                return f"+.received(:{self.type}, {text})"
            case "lock":
                return f"{self.sign}.lock"
            case "skip":
                return "skip"
        return text


def _show(term: Term) -> str:
    if isinstance(term, Structure) and term.functor == _GOAL_BELIEF_PREFIX:
        return _GOAL_BELIEF_PREFIX + show(term.arguments[0])
    return show(term)


def goal_as_belief(goal: Term, kind: str) -> Structure:
    """Return the belief that represents the pursuit of a goal."""
    return Structure(_GOAL_BELIEF_PREFIX, (goal, Structure(kind)))


def name_of_trigger(trigger: Trigger) -> NodeName:
    """Return the name of a plan's trigger. Plans for an achievement goal handle the goal that the
    meta-plans post."""
    if trigger.kind == "goal":
        return NodeName(
            "goal",
            trigger.sign,
            "try" if trigger.type == "achieve" else trigger.type,
            trigger.content,
        )
    return NodeName(trigger.kind, trigger.sign, trigger.performative, trigger.content)


def name_of_deed(deed: Deed) -> NodeName:
    """Return the name of the step for a deed."""
    match deed:
        case AddBelief(atom):
            return NodeName("belief", "+", None, atom)
        case RemoveBelief(atom):
            return NodeName("belief", "-", None, atom)
        case AddGoal(goal):
            return NodeName("goal", "+", goal.type, goal.atom)
        case DropGoal(goal):
            return NodeName("goal", "-", goal.type, goal.atom)
        case WaitFor(atom, positive):
            return NodeName("wait", "" if positive else "~", None, atom)
        case Lock():
            return NodeName("lock", "+")
        case Unlock():
            return NodeName("lock", "-")
        case Send(recipient, performative, content):
            return NodeName("send", "", performative, Structure("send", (content, recipient)))
        case Act(action):
            return NodeName("action", "", None, action)


def acts_as(pattern: Term, action: Structure) -> bool:
    """Return whether ``Does(agent, pattern)`` may refer to this action. ``accelerate`` also matches
    ``perf(accelerate)``."""
    inner = (
        action.arguments[0] if action.functor == "perf" and len(action.arguments) == 1 else action
    )
    return unifiable(pattern, action) or unifiable(pattern, inner)


class BeliefSupport:
    """Dependencies between beliefs: the truth of an atom depends on itself and on the bodies of all
    rules for it, whatever their sign."""

    def __init__(self, rules: Sequence[ReasoningRule]) -> None:
        self._rules = [(rule.head, rule.atoms) for rule in rules]

    def of(self, atoms: Iterable[Term]) -> tuple[Term, ...]:
        """Return the atoms and everything they depend on, each once."""
        return tuple(reachable((rename(atom, {}, "_") for atom in atoms), self._bodies))

    def _bodies(self, atom: Term) -> Iterable[Term]:
        return (
            rename(each, {}, "_")
            for head, body in self._rules
            if unifiable(head, atom)
            for each in body
        )
