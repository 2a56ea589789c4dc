"""What nodes of the graph are called, and which names are the same (Sect. 2.2).

The paper is propositional and says that names are equal; here they match when their terms unify after renaming apart.
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
from volition.languages.world.terms import Structure, Term, Variable, predicate, rename, show, unify

__all__ = ["Name", "Support", "acts_as", "name_of_deed", "name_of_trigger", "unifies"]

Kind = Literal["belief", "goal", "received", "action", "wait", "lock", "send", "skip"]
_HELD = "goal_"
"""``goal_g`` is believed while g is pursued, in a program whose tests of goals were made tests of beliefs (Sect. 3.1)."""


def unifies(one: Term, other: Term) -> bool:
    """Whether two terms have a common instance; their variables have nothing to do with each other."""
    return unify(rename(one, {}, "?1."), rename(other, {}, "?2."), {}) is not None


@dataclass(frozen=True, slots=True)
class Name:
    """``+b``, ``-!g``, ``*b``, ``a``.

    The type of a goal is ``perform``, ``achieve`` for ``achieve_g`` of the meta-plans, and ``try`` for the g that these post.
    """

    kind: Kind
    sign: str = ""
    type: str | None = None
    content: Term | None = None

    def matches(self, other: Name) -> bool:
        """Whether it is the same name."""
        if (self.kind, self.sign, self.type) != (other.kind, other.sign, other.type):
            return False
        return self.content is None or other.content is None or unifies(self.content, other.content)

    @property
    def key(self) -> tuple[str, str, str | None]:
        """Names with different keys never match."""
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
    if isinstance(term, Structure) and term.functor == _HELD:
        return _HELD + show(term.arguments[0])
    return show(term)


def held(goal: Term, kind: str) -> Structure:
    """The belief that stands for a goal being pursued."""
    return Structure(_HELD, (goal, Structure(kind)))


def name_of_trigger(trigger: Trigger) -> Name:
    """What a plan is for; plans for an achievement goal are for what the meta-plans post."""
    if trigger.kind == "goal":
        return Name("goal", trigger.sign, "try" if trigger.type == "achieve" else trigger.type, trigger.content)
    return Name(trigger.kind, trigger.sign, trigger.performative, trigger.content)


def name_of_deed(deed: Deed) -> Name:
    """What a step is called."""
    match deed:
        case AddBelief(atom):
            return Name("belief", "+", None, atom)
        case RemoveBelief(atom):
            return Name("belief", "-", None, atom)
        case AddGoal(goal):
            return Name("goal", "+", goal.type, goal.atom)
        case DropGoal(goal):
            return Name("goal", "-", goal.type, goal.atom)
        case WaitFor(atom, positive):
            return Name("wait", "" if positive else "~", None, atom)
        case Lock():
            return Name("lock", "+")
        case Unlock():
            return Name("lock", "-")
        case Send(recipient, performative, content):
            return Name("send", "", performative, Structure("send", (content, recipient)))
        case Act(action):
            return Name("action", "", None, action)


def acts_as(pattern: Term, action: Structure) -> bool:
    """Whether ``Does(agent, pattern)`` may mean this action; ``accelerate`` also means ``perf(accelerate)``."""
    inner = action.arguments[0] if action.functor == "perf" and len(action.arguments) == 1 else action
    return unifies(pattern, action) or unifies(pattern, inner)


class Support:
    """What the truth of atoms depends on: themselves, and the bodies of all rules for them, whatever their sign."""

    def __init__(self, rules: Sequence[ReasoningRule]) -> None:
        self._rules = [(rule.head, rule.atoms) for rule in rules]

    def of(self, atoms: Iterable[Term]) -> tuple[Term, ...]:
        """The atoms and everything that they depend on, each once."""
        found: dict[Term, None] = {}
        waiting = list(atoms)
        while waiting:
            atom = rename(waiting.pop(), {}, "_")
            if atom in found:
                continue
            found[atom] = None
            waiting += [each for head, body in self._rules if unifies(head, atom) for each in body]
        return tuple(found)


class Index:
    """Finds those of many things whose terms unify with a term, by predicate first."""

    def __init__(self) -> None:
        self._named: dict[str, list[tuple[Term, int]]] = {}
        self._any: list[tuple[Term, int]] = []

    def add(self, term: Term, what: int) -> None:
        if isinstance(term, Structure):
            self._named.setdefault(predicate(term), []).append((term, what))
        else:
            self._any.append((term, what))

    def find(self, term: Term) -> list[int]:
        """Each once, in the order in which they were added."""
        if isinstance(term, Variable):
            candidates = [*self._any, *(each for many in self._named.values() for each in many)]
        else:
            candidates = [*self._any, *(self._named.get(predicate(term), []) if isinstance(term, Structure) else [])]
        return sorted({what for other, what in candidates if unifies(term, other)})
