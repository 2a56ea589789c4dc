"""Names of the nodes of an agent's dependence graph, and their matching (Winikoff et al., Sect.
2.2).

The paper is propositional and requires equal names. In this implementation, names match if their
terms unify after renaming apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

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
"""Prefix of the belief ``goal_g``, which holds while the goal g is pursued. In the transformed
program it replaces g in tests of goals (Winikoff et al., Sect. 3.1)."""


@dataclass(frozen=True, slots=True)
class NodeName:
    """Name of a trigger or step in the dependence graph, such as ``+b``, ``-!g``, ``*b`` (wait for
    b) or ``a``.

    For a goal, ``type`` has one of three values:

    - ``perform`` for a perform goal;
    - ``achieve`` for an achievement goal as it is posted, which is handled by the meta-plans for
      ``achieve_g``;
    - ``try`` for the goal g that these meta-plans post, which is handled by the plans of the
      program.
    """

    kind: Kind
    sign: str = ""
    type: str | None = None
    content: Term | None = None

    def matches(self, other: NodeName) -> bool:
        """Return whether both names may denote the same trigger or step: same kind, sign and type,
        and terms that unify."""
        if (self.kind, self.sign, self.type) != (other.kind, other.sign, other.type):
            return False
        return (
            self.content is None or other.content is None or unifiable(self.content, other.content)
        )

    @property
    def key(self) -> tuple[str, str, str | None]:
        """Key for lookup in an index. Names with different keys never match."""
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
            case "action" | "send":
                pass
            case _:
                assert_never(self.kind)
        return text


def _show(term: Term) -> str:
    if isinstance(term, Structure) and term.functor == _GOAL_BELIEF_PREFIX:
        return _GOAL_BELIEF_PREFIX + show(term.arguments[0])
    return show(term)


def goal_as_belief(goal: Term, kind: str) -> Structure:
    """Return the belief ``goal_g`` that holds while the goal g is pursued. ``kind`` is the type of
    the goal."""
    return Structure(_GOAL_BELIEF_PREFIX, (goal, Structure(kind)))


def name_of_trigger(trigger: Trigger) -> NodeName:
    """Return the node name of a plan's trigger. If the plan is for an achievement goal g, the type
    of the goal in this name is ``try``: the plan handles the goal that the meta-plans for
    ``achieve_g`` post."""
    if trigger.kind == "goal":
        return NodeName(
            "goal",
            trigger.sign,
            "try" if trigger.type == "achieve" else trigger.type,
            trigger.content,
        )
    return NodeName(trigger.kind, trigger.sign, trigger.performative, trigger.content)


def name_of_deed(deed: Deed) -> NodeName:
    """Return the node name of the step for a deed."""
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
        case _:
            assert_never(deed)


def acts_as(pattern: Term, action: Structure) -> bool:
    """Return whether ``Does(agent, pattern)`` may refer to ``action``. The pattern ``accelerate``
    also matches the action ``perf(accelerate)``."""
    inner = (
        action.arguments[0] if action.functor == "perf" and len(action.arguments) == 1 else action
    )
    return unifiable(pattern, action) or unifiable(pattern, inner)


class BeliefSupport:
    """Dependencies between beliefs by reasoning rules: the truth of an atom depends on the atom
    itself and on all atoms in the bodies of its rules, negated or not."""

    def __init__(self, rules: Sequence[ReasoningRule]) -> None:
        self._rules = [(rule.head, rule.atoms) for rule in rules]

    def of(self, atoms: Iterable[Term]) -> tuple[Term, ...]:
        """Return these atoms and all atoms on which they depend, transitively, each once."""
        return tuple(reachable((rename(atom, {}, "_") for atom in atoms), self._bodies))

    def _bodies(self, atom: Term) -> Iterable[Term]:
        return (
            rename(each, {}, "_")
            for head, body in self._rules
            if unifiable(head, atom)
            for each in body
        )
