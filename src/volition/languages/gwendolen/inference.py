"""What an agent can derive: beliefs and reasoning rules, and guards about beliefs, goals and messages.

Rules are tried depth first in their order, after the beliefs, with negation as failure and cut, as in Prolog.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Protocol

from volition.languages.gwendolen.state import Message, TooDeep
from volition.languages.gwendolen.syntax import (
    Believed,
    Compared,
    Cut,
    Derivable,
    Goal,
    Guard,
    GuardAtom,
    Negated,
    Pursued,
    ReasoningRule,
    RuleLiteral,
    Sent,
)  # fmt: skip
from volition.languages.world.terms import (
    EMPTY_LIST,
    Bindings,
    Structure,
    Term,
    Variable,
    number,
    predicate,
    rename,
    substitute,
    unify,
)

__all__ = ["Knowledge", "RuleBase", "computed", "guard_solutions", "instantiate", "solutions"]

MOST_DEEP = 200
"""Rules that need each other deeper than this go round in a circle."""

_MEMBER = "member/2"


class Knowledge(Protocol):
    """What an agent has in its mind, for those who ask it."""

    @property
    def name(self) -> str: ...

    @property
    def rules(self) -> RuleBase: ...

    @property
    def goals(self) -> Sequence[Goal]: ...

    @property
    def outbox(self) -> Sequence[Message]: ...

    def facts(self, kind: str) -> Iterable[Structure]:
        """The beliefs of a predicate, such as ``bid/2``, sorted as they are printed."""


@dataclass(frozen=True)
class RuleBase:
    """The reasoning rules of an agent by the predicate of their heads."""

    by_predicate: Mapping[str, tuple[ReasoningRule, ...]]

    @classmethod
    def of(cls, rules: Iterable[ReasoningRule]) -> RuleBase:
        by_predicate: dict[str, tuple[ReasoningRule, ...]] = {}
        for rule in rules:
            kind = predicate(rule.head)
            by_predicate[kind] = (*by_predicate.get(kind, ()), rule)
        return cls(by_predicate)


# --- terms -----------------------------------------------------------------------------------------------------------

_ARITHMETIC = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: Fraction(left) / right,
    "%": lambda left, right: left % right,
}


def computed(term: Term) -> Term:
    """The term with sums and their like computed where all of their parts are numbers; division by zero is left as it stands."""
    if not isinstance(term, Structure) or not term.arguments:
        return term
    arguments = tuple(map(computed, term.arguments))
    if term.functor in _ARITHMETIC and len(arguments) == 2:
        left, right = arguments
        if isinstance(left, int | Fraction) and isinstance(right, int | Fraction) and not (term.functor in "/%" and right == 0):
            return number(_ARITHMETIC[term.functor](left, right))
    return Structure(term.functor, arguments)


def instantiate(term: Term, bindings: Bindings) -> Term:
    """A term with the values of its variables, computed."""
    return computed(substitute(term, bindings))


# --- beliefs and rules -----------------------------------------------------------------------------------------------


def solutions(atom: Term, knowledge: Knowledge, bindings: Bindings) -> Iterator[Bindings]:
    """The ways in which an atom follows from the beliefs, sorted as they are printed, and then by the rules."""
    return _derive((Derivable(atom),) if isinstance(atom, Structure | Variable) else (), knowledge, bindings, _Search(), 0)


class _Search:
    """Names for the variables of rules, none of them twice, and where a cut cuts."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def fresh(self) -> str:
        return f"?{next(self._numbers)}."


class _CutReached(Exception):
    """Leaves the alternatives of the rule that is being tried."""


def _derive(body: Sequence[RuleLiteral], knowledge: Knowledge, bindings: Bindings, search: _Search, depth: int) -> Iterator[Bindings]:
    if not body:
        yield bindings
        return
    first, rest = body[0], body[1:]
    if isinstance(first, Cut):
        yield from _derive(rest, knowledge, bindings, search, depth)
        raise _CutReached
    for found in _literal(first, knowledge, bindings, search, depth):
        yield from _derive(rest, knowledge, found, search, depth)


def _literal(literal: RuleLiteral, knowledge: Knowledge, bindings: Bindings, search: _Search, depth: int) -> Iterator[Bindings]:
    match literal:
        case Derivable(atom):
            yield from _atom(instantiate(atom, bindings), knowledge, bindings, search, depth)
        case Negated(body):
            if next(_contained(body, knowledge, bindings, search, depth), None) is None:
                yield bindings
        case Compared():
            yield from _compared(literal, bindings)


def _contained(body: Sequence[RuleLiteral], knowledge: Knowledge, bindings: Bindings, search: _Search, depth: int) -> Iterator[Bindings]:
    """A body whose cuts reach no further."""
    try:
        yield from _derive(body, knowledge, bindings, search, depth)
    except _CutReached:
        return


def _atom(atom: Term, knowledge: Knowledge, bindings: Bindings, search: _Search, depth: int) -> Iterator[Bindings]:
    if depth > MOST_DEEP:
        raise TooDeep(knowledge.name, atom)
    if not isinstance(atom, Structure):
        return
    kind = predicate(atom)
    if kind == _MEMBER:
        yield from _member(atom, bindings)
    for fact in knowledge.facts(kind):
        found = unify(atom, rename(fact, {}, search.fresh()), bindings)
        if found is not None:
            yield found
    for rule in knowledge.rules.by_predicate.get(kind, ()):
        names: dict[str, str] = {}
        prefix = search.fresh()
        unified = unify(atom, rename(rule.head, names, prefix), bindings)
        if unified is None:
            continue
        try:
            yield from _derive(_renamed(rule.body, names, prefix), knowledge, unified, search, depth + 1)
        except _CutReached:
            return


def _member(atom: Structure, bindings: Bindings) -> Iterator[Bindings]:
    item, rest = atom.arguments
    while isinstance(rest, Structure) and rest != EMPTY_LIST and len(rest.arguments) == 2:
        head, rest = rest.arguments
        found = unify(item, head, bindings)
        if found is not None:
            yield found


def _renamed(body: Sequence[RuleLiteral], names: dict[str, str], prefix: str) -> tuple[RuleLiteral, ...]:
    renamed: list[RuleLiteral] = []
    for literal in body:
        match literal:
            case Derivable(atom):
                new = rename(atom, names, prefix)
                assert isinstance(new, Structure | Variable)
                renamed.append(Derivable(new))
            case Negated(inner):
                renamed.append(Negated(_renamed(inner, names, prefix)))
            case Compared(relation, left, right):
                renamed.append(Compared(relation, rename(left, names, prefix), rename(right, names, prefix)))
            case Cut():
                renamed.append(literal)
    return tuple(renamed)


def _compared(comparison: Compared, bindings: Bindings) -> Iterator[Bindings]:
    """``X == Y`` compares values and gives none; ``X < Y`` is true of numbers only."""
    left, right = instantiate(comparison.left, bindings), instantiate(comparison.right, bindings)
    if comparison.relation == "==":
        if left == right:
            yield bindings
    elif isinstance(left, int | Fraction) and isinstance(right, int | Fraction) and left < right:
        yield bindings


# --- guards ----------------------------------------------------------------------------------------------------------


def guard_solutions(guard: Sequence[Guard], knowledge: Knowledge, bindings: Bindings) -> Iterator[Bindings]:
    """The ways in which a guard is true, from left to right, after the swap (point 5)."""
    return _conjunction(_swapped(guard), knowledge, bindings)


def _swapped(guard: Sequence[Guard]) -> Sequence[Guard]:
    """The first two conjuncts change places where the first is negated and the second is not: so the second can bind variables first."""
    if len(guard) > 1 and not guard[0].positive and guard[1].positive:
        return (guard[1], guard[0], *guard[2:])
    return guard


def _conjunction(guard: Sequence[Guard], knowledge: Knowledge, bindings: Bindings) -> Iterator[Bindings]:
    if not guard:
        yield bindings
        return
    first, rest = guard[0], guard[1:]
    found = _guard_atom(first.atom, knowledge, bindings)
    if first.positive:
        for each in found:
            yield from _conjunction(rest, knowledge, each)
    elif next(found, None) is None:
        yield from _conjunction(rest, knowledge, bindings)


def _guard_atom(atom: GuardAtom, knowledge: Knowledge, bindings: Bindings) -> Iterator[Bindings]:
    match atom:
        case Believed(believed):
            yield from solutions(believed, knowledge, bindings)
        case Pursued(goal):
            asked = instantiate(goal.atom, bindings)
            for each in knowledge.goals:
                found = unify(asked, rename(each.atom, {}, "?g."), bindings) if each.type == goal.type else None
                if found is not None:
                    yield found
        case Sent(recipient, sender, performative, content):
            # The agent's own name stands for a sender that is not said; another sender matches nothing in this outbox.
            asked_sender = Structure(knowledge.name) if sender is None else sender
            wanted = Structure("sent", (recipient, asked_sender, content))
            for message in knowledge.outbox:
                if message.performative == performative:
                    there = Structure("sent", (Structure(message.recipient), Structure(knowledge.name), message.content))
                    found = unify(instantiate(wanted, bindings), rename(there, {}, "?m."), bindings)
                    if found is not None:
                        yield found
        case Compared():
            yield from _compared(atom, bindings)
