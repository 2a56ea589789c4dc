"""What an agent can derive: beliefs and reasoning rules, and guards about beliefs, goals and
messages.

Rules are tried depth first in their order, after the beliefs, with negation as failure and cut, as
in Prolog.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import NamedTuple, Protocol, assert_never

from volition.languages.gwendolen.state import Message, UnboundedRecursion, expect_finite
from volition.languages.gwendolen.syntax import (
    Atom,
    BeliefGuard,
    ComparisonGuard,
    Cut,
    Derivable,
    Goal,
    GoalGuard,
    Guard,
    GuardAtom,
    Negated,
    ReasoningRule,
    RuleLiteral,
    SentGuard,
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

__all__ = ["QueryContext", "RuleBase", "computed", "guard_solutions", "instantiate", "solutions"]

MAX_DEEP = 200
"""Rules that need each other deeper than this go round in a circle."""

_MEMBER = "member/2"


class QueryContext(Protocol):
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


# --- terms ----------------------------------------------------------------------------------------

_ARITHMETIC = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: Fraction(left) / right,
    "%": lambda left, right: left % right,
}


def computed(term: Term) -> Term:
    """The term with sums and their like computed where all of their parts are numbers; division by
    zero is left as it stands."""
    if not isinstance(term, Structure) or not term.arguments:
        return term
    arguments = tuple(map(computed, term.arguments))
    if term.functor in _ARITHMETIC and len(arguments) == 2:
        left, right = arguments
        if (
            isinstance(left, int | Fraction)
            and isinstance(right, int | Fraction)
            and not (term.functor in "/%" and right == 0)
        ):
            return number(_ARITHMETIC[term.functor](left, right))
    return Structure(term.functor, arguments)


def instantiate(term: Term, bindings: Bindings) -> Term:
    """A term with the values of its variables, computed."""
    return computed(substitute(term, bindings))


# --- beliefs and rules ----------------------------------------------------------------------------


def solutions(atom: Term, knowledge: QueryContext, bindings: Bindings) -> Iterator[Bindings]:
    """The ways in which an atom follows from the beliefs, sorted as they are printed, and then by
    the rules."""
    return (
        _Derivation(knowledge).solutions(atom, bindings)
        if isinstance(atom, Structure | Variable)
        else iter(())
    )


class _Frame(NamedTuple):
    """The rest of the body of a rule or of a negation, and the frame that goes on when it is
    proved.

    ``depth`` counts the rules inside each other.  A cut gives up all alternatives from ``height``
    on.  Where the body is that of a negation, the alternative below ``height`` is that nothing
    proves it, so that a proof gives this up as well.
    """

    body: Sequence[RuleLiteral]
    depth: int
    height: int
    after: _Frame | None
    refutes: bool = False


_Way = tuple[_Frame | None, Bindings]
"""Remaining goals of a proof with their bindings; None if nothing remains."""


class _Derivation:
    """One search: depth first, with a stack of alternatives of its own, so that no rule exhausts
    that of Python."""

    def __init__(self, knowledge: QueryContext) -> None:
        self._knowledge = knowledge
        self._numbers = count(1)
        self._untried: list[Iterator[_Way]] = []

    def solutions(self, atom: Atom, bindings: Bindings) -> Iterator[Bindings]:
        goal = _Frame((Derivable(atom),), 0, 0, None)
        self._untried.append(iter([(goal, bindings)]))
        while self._untried:
            way = next(self._untried[-1], None)
            if way is None:
                self._untried.pop()
                continue
            frame, found = way
            while frame is not None:
                step = self._step(frame, found)
                if step is None:
                    break
                frame, found = step
            else:
                yield found

    def _step(self, frame: _Frame, bindings: Bindings) -> _Way | None:
        """Prove the first literal of a frame: what is left then, or None where an untried
        alternative has to be taken."""
        if not frame.body:
            if frame.refutes:
                del self._untried[frame.height - 1 :]
                return None
            return frame.after, bindings
        rest = frame._replace(body=frame.body[1:])
        literal = frame.body[0]
        match literal:
            case Derivable(atom):
                self._untried.append(
                    self._ways(instantiate(atom, bindings), rest, bindings, len(self._untried))
                )
                return None
            case Negated(body):
                self._untried.append(iter([(rest, bindings)]))
                return _Frame(body, frame.depth, len(self._untried), None, refutes=True), bindings
            case ComparisonGuard():
                return (rest, bindings) if _is_so(literal, bindings) else None
            case Cut():
                del self._untried[frame.height :]
                return rest, bindings
        assert_never(literal)

    def _ways(self, atom: Term, rest: _Frame, bindings: Bindings, height: int) -> Iterator[_Way]:
        """The ways to prove an atom: by ``member``, by beliefs, by rules."""
        if not isinstance(atom, Structure):
            return
        if rest.depth > MAX_DEEP:
            raise UnboundedRecursion(self._knowledge.name, atom)
        if rest.depth:
            expect_finite(self._knowledge.name, atom)
        kind = predicate(atom)
        if kind == _MEMBER:
            yield from ((rest, found) for found in _member(atom, bindings))
        for fact in self._knowledge.facts(kind):
            unified = unify(atom, rename(fact, {}, self._prefix()), bindings)
            if unified is not None:
                yield rest, unified
        for rule in self._knowledge.rules.by_predicate.get(kind, ()):
            names: dict[str, str] = {}
            prefix = self._prefix()
            unified = unify(atom, rename(rule.head, names, prefix), bindings)
            if unified is not None:
                yield (
                    _Frame(_renamed(rule.body, names, prefix), rest.depth + 1, height, rest),
                    unified,
                )

    def _prefix(self) -> str:
        """A prefix for the variables of a rule or belief that no other one has."""
        return f"?{next(self._numbers)}."


def _member(atom: Structure, bindings: Bindings) -> Iterator[Bindings]:
    item, rest = atom.arguments
    while isinstance(rest, Structure) and rest != EMPTY_LIST and len(rest.arguments) == 2:
        head, rest = rest.arguments
        found = unify(item, head, bindings)
        if found is not None:
            yield found


def _renamed(
    body: Sequence[RuleLiteral], names: dict[str, str], prefix: str
) -> tuple[RuleLiteral, ...]:
    renamed: list[RuleLiteral] = []
    for literal in body:
        match literal:
            case Derivable(atom):
                new = rename(atom, names, prefix)
                assert isinstance(new, Structure | Variable)
                renamed.append(Derivable(new))
            case Negated(inner):
                renamed.append(Negated(_renamed(inner, names, prefix)))
            case ComparisonGuard(relation, left, right):
                renamed.append(
                    ComparisonGuard(
                        relation, rename(left, names, prefix), rename(right, names, prefix)
                    )
                )
            case Cut():
                renamed.append(literal)
    return tuple(renamed)


def _is_so(comparison: ComparisonGuard, bindings: Bindings) -> bool:
    """``X == Y`` compares values and gives none; ``X < Y`` is true of numbers only."""
    left, right = instantiate(comparison.left, bindings), instantiate(comparison.right, bindings)
    if comparison.relation == "==":
        return left == right
    return isinstance(left, int | Fraction) and isinstance(right, int | Fraction) and left < right


# --- guards ---------------------------------------------------------------------------------------


def guard_solutions(
    guard: Sequence[Guard], knowledge: QueryContext, bindings: Bindings
) -> Iterator[Bindings]:
    """The ways in which a guard is true, from left to right, after the swap (point 5)."""
    return _conjunction(_swapped(guard), knowledge, bindings)


def _swapped(guard: Sequence[Guard]) -> Sequence[Guard]:
    """The first two conjuncts change places where the first is negated and the second is not: so
    the second can bind variables first."""
    if len(guard) > 1 and not guard[0].positive and guard[1].positive:
        return (guard[1], guard[0], *guard[2:])
    return guard


def _conjunction(
    guard: Sequence[Guard], knowledge: QueryContext, bindings: Bindings
) -> Iterator[Bindings]:
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


def _guard_atom(atom: GuardAtom, knowledge: QueryContext, bindings: Bindings) -> Iterator[Bindings]:
    match atom:
        case BeliefGuard(believed):
            yield from solutions(believed, knowledge, bindings)
        case GoalGuard(goal):
            query = instantiate(goal.atom, bindings)
            for each in knowledge.goals:
                found = (
                    unify(query, rename(each.atom, {}, "?g."), bindings)
                    if each.type == goal.type
                    else None
                )
                if found is not None:
                    yield found
        case SentGuard(recipient, sender, performative, content):
            # The agent's own name stands for a sender that is not said; another sender matches
            # nothing in this outbox.
            asked_sender = Structure(knowledge.name) if sender is None else sender
            requested = Structure("sent", (recipient, asked_sender, content))
            for message in knowledge.outbox:
                if message.performative == performative:
                    there = Structure(
                        "sent",
                        (Structure(message.recipient), Structure(knowledge.name), message.content),
                    )
                    found = unify(
                        instantiate(requested, bindings), rename(there, {}, "?m."), bindings
                    )
                    if found is not None:
                        yield found
        case ComparisonGuard():
            if _is_so(atom, bindings):
                yield bindings
