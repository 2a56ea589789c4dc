"""Derivation of beliefs by an agent's reasoning rules, and evaluation of the guards of its plans.

As in Prolog, beliefs are tried first, then rules in program order, depth first, with negation as
failure and cut.
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
"""Maximum nesting depth of reasoning rules in a proof; deeper recursion is assumed to be infinite.
"""

_MEMBER = "member/2"


class QueryContext(Protocol):
    """Parts of an agent's state that guards and rules can query."""

    @property
    def name(self) -> str: ...

    @property
    def rules(self) -> RuleBase: ...

    @property
    def goals(self) -> Sequence[Goal]: ...

    @property
    def outbox(self) -> Sequence[Message]: ...

    def facts(self, kind: str) -> Iterable[Structure]:
        """Return the beliefs of a predicate, such as ``bid/2``, sorted by printed form."""


@dataclass(frozen=True)
class RuleBase:
    """Reasoning rules of an agent, indexed by the predicate of the head."""

    by_predicate: Mapping[str, tuple[ReasoningRule, ...]]

    @classmethod
    def of(cls, rules: Iterable[ReasoningRule]) -> RuleBase:
        by_predicate: dict[str, tuple[ReasoningRule, ...]] = {}
        for rule in rules:
            kind = predicate(rule.head)
            by_predicate[kind] = (*by_predicate.get(kind, ()), rule)
        return cls(by_predicate)


# --- evaluation of terms --------------------------------------------------------------------------

_ARITHMETIC = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: Fraction(left) / right,
    "%": lambda left, right: left % right,
}


def computed(term: Term) -> Term:
    """Return the term with arithmetic evaluated where both operands are numbers. Division by zero
    is left unevaluated."""
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
    """Return the term with variables replaced by their values and arithmetic evaluated."""
    return computed(substitute(term, bindings))


# --- derivation from beliefs and rules ------------------------------------------------------------


def solutions(atom: Term, knowledge: QueryContext, bindings: Bindings) -> Iterator[Bindings]:
    """Yield the bindings under which an atom is derivable: from beliefs first, sorted by printed
    form, then from rules."""
    return (
        _Derivation(knowledge).solutions(atom, bindings)
        if isinstance(atom, Structure | Variable)
        else iter(())
    )


class _Frame(NamedTuple):
    """List of literals (``body``) that a proof still has to prove: the rest of the body of a rule,
    or of a negation. ``after`` is the list to prove after these, or None.

    - ``depth`` is the number of nested rules.
    - ``height`` is the height of the stack of untried alternatives when the proof of the list
      began.
      A cut removes the alternatives above it.
    - ``refutes`` is set if the literals belong to a negation. The alternative directly below
      ``height`` is then to be tried if the literals have no proof. If they have one, it is removed.
    """

    body: Sequence[RuleLiteral]
    depth: int
    height: int
    after: _Frame | None
    refutes: bool = False


_ProofState = tuple[_Frame | None, Bindings]
"""State of a proof: the literals that remain to be proved (None if the proof is complete), and the
bindings found."""


class _Derivation:
    """Depth-first proof search with an explicit stack of alternatives, so that deep rules do not
    exhaust Python's call stack."""

    def __init__(self, knowledge: QueryContext) -> None:
        self._knowledge = knowledge
        self._numbers = count(1)
        self._untried: list[Iterator[_ProofState]] = []

    def solutions(self, atom: Atom, bindings: Bindings) -> Iterator[Bindings]:
        goal = _Frame((Derivable(atom),), 0, 0, None)
        self._untried.append(iter([(goal, bindings)]))
        while self._untried:
            alternative = next(self._untried[-1], None)
            if alternative is None:
                self._untried.pop()
                continue
            frame, found = alternative
            while frame is not None:
                step = self._step(frame, found)
                if step is None:
                    break
                frame, found = step
            else:
                yield found

    def _step(self, frame: _Frame, bindings: Bindings) -> _ProofState | None:
        """Make one proof step with the first of the literals to prove, and return the proof state
        after it.

        Return None if the literal fails. Also return None if the literal may be proved in several
        ways: these are then pushed on the stack of untried alternatives. In both cases the search
        continues with the next untried alternative.
        """
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
                    self._alternatives(
                        instantiate(atom, bindings), rest, bindings, len(self._untried)
                    )
                )
                return None
            case Negated(body):
                self._untried.append(iter([(rest, bindings)]))
                return _Frame(body, frame.depth, len(self._untried), None, refutes=True), bindings
            case ComparisonGuard():
                return (rest, bindings) if _comparison_holds(literal, bindings) else None
            case Cut():
                del self._untried[frame.height :]
                return rest, bindings
            case _:
                assert_never(literal)
        assert_never(literal)

    def _alternatives(
        self, atom: Term, rest: _Frame, bindings: Bindings, height: int
    ) -> Iterator[_ProofState]:
        """Yield a proof state for each proof step of an atom: by ``member``, by a belief, or by a
        rule whose body is then to be proved."""
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
        """Return a fresh prefix that makes the variables of a rule or belief distinct from all
        others."""
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
            case _:
                assert_never(literal)
    return tuple(renamed)


def _comparison_holds(comparison: ComparisonGuard, bindings: Bindings) -> bool:
    """Return whether a comparison holds. ``X == Y`` compares values and binds nothing; ``X < Y`` is
    false unless both sides are numbers."""
    left, right = instantiate(comparison.left, bindings), instantiate(comparison.right, bindings)
    if comparison.relation == "==":
        return left == right
    return isinstance(left, int | Fraction) and isinstance(right, int | Fraction) and left < right


# --- evaluation of guards -------------------------------------------------------------------------


def guard_solutions(
    guard: Sequence[Guard], knowledge: QueryContext, bindings: Bindings
) -> Iterator[Bindings]:
    """Yield the bindings under which the guard of a plan holds.

    The conjuncts are evaluated from left to right, after the first two may have changed places
    (point 5 of ``docs/reference/gwendolen.md``).
    """
    return _conjunction(_reorder(guard), knowledge, bindings)


def _reorder(guard: Sequence[Guard]) -> Sequence[Guard]:
    """Return the guard with its first two conjuncts swapped if the first is negated and the second
    is not, so that the second binds variables first."""
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
            # The outbox has only messages that the agent itself sent. So a guard that names another
            # sender never holds, and a guard without a sender means the agent itself.
            expected_sender = Structure(knowledge.name) if sender is None else sender
            pattern = Structure("sent", (recipient, expected_sender, content))
            for message in knowledge.outbox:
                if message.performative == performative:
                    sent = Structure(
                        "sent",
                        (Structure(message.recipient), Structure(knowledge.name), message.content),
                    )
                    found = unify(instantiate(pattern, bindings), rename(sent, {}, "?m."), bindings)
                    if found is not None:
                        yield found
        case ComparisonGuard():
            if _comparison_holds(atom, bindings):
                yield bindings
        case _:
            assert_never(atom)
