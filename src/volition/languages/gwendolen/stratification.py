"""Check that no reasoning rule needs its own head under negation.

With negation as failure ``q :- ~q;`` has no answer: the search for q asks for q, without end.  The
dependency graph of the predicates shows this.  A cycle with a negated edge is an error where the
same atom certainly returns: each edge hands on the arguments of the head, or asks for any value.
Elsewhere other arguments may end the search, as in ``win(X) :- move(X, Y), ~win(Y);``: a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, assert_never

from volition.diagnostics import Diagnostics
from volition.languages.gwendolen.syntax import (
    ComparisonGuard,
    Cut,
    Derivable,
    Negated,
    ReasoningRule,
    RuleLiteral,
)
from volition.languages.world.terms import Structure, Term, Variable, predicate, variables

__all__ = ["check_stratification"]


class _Edge(NamedTuple):
    """An atom in the body of a rule."""

    rule: ReasoningRule
    needs: str
    negated: bool
    returns: bool
    """Whether the atom is asked for with the arguments of the head, or with any."""

    @property
    def head(self) -> str:
        return predicate(self.rule.head)


def check_stratification(rules: Sequence[ReasoningRule], diagnostics: Diagnostics) -> None:
    """Report each predicate that needs itself under negation, once for all predicates of a
    cycle."""
    edges = [edge for rule in rules for edge in _edges(rule)]
    reported: set[str] = set()
    for certain in (True, False):
        followed = [each for each in edges if each.returns] if certain else edges
        needs: dict[str, list[str]] = {}
        for edge in followed:
            needs.setdefault(edge.head, []).append(edge.needs)
        for edge in followed:
            cycle = _path(edge.needs, edge.head, needs) if edge.negated else None
            if cycle is None or not reported.isdisjoint(cycle):
                continue
            reported.update(cycle)
            way = " to ".join([edge.head, *cycle])
            if certain:
                hint = (
                    "no answer to it can be right: remove the rule, or ask for something else "
                    "under '~'"
                )
                diagnostics.error(
                    "GWN020",
                    f"{edge.head} needs itself under negation ({way})",
                    edge.rule.span,
                    hint=hint,
                )
            else:
                hint = "the search ends only where the arguments lead to other values every time"
                diagnostics.warning(
                    "GWN035",
                    f"{edge.head} may need itself under negation ({way})",
                    edge.rule.span,
                    hint=hint,
                )


def _path(start: str, end: str, needs: Mapping[str, Sequence[str]]) -> list[str] | None:
    """Return a shortest way from one predicate to another along what rules need."""
    before: dict[str, str | None] = {start: None}
    queue = [start]
    for each in queue:
        if each == end:
            path = []
            position: str | None = end
            while position is not None:
                path.append(position)
                position = before[position]
            return path[::-1]
        for needed in needs.get(each, ()):
            if needed not in before:
                before[needed] = each
                queue.append(needed)
    return None


def _edges(rule: ReasoningRule) -> Iterator[_Edge]:
    atoms = list(_signed(rule.body))
    occurrences = Counter(
        name for atom in (rule.head, *(atom for atom, _ in atoms)) for name in variables(atom)
    )
    compared = {
        name
        for each in _comparisons(rule.body)
        for term in (each.left, each.right)
        for name in variables(term)
    }

    def is_handed_on(argument: Term, index: int) -> bool:
        if index < len(rule.head.arguments) and argument == rule.head.arguments[index]:
            return True
        if not isinstance(argument, Variable) or argument.name in compared:
            return False
        return argument.name == "_" or occurrences[argument.name] == 1

    for atom, negated in atoms:
        returns = all(
            is_handed_on(argument, position) for position, argument in enumerate(atom.arguments)
        )
        yield _Edge(rule, predicate(atom), negated, returns)


def _signed(
    body: Sequence[RuleLiteral], *, negated: bool = False
) -> Iterator[tuple[Structure, bool]]:
    """The atoms of a body, with whether they are under a negation."""
    for literal in body:
        match literal:
            case Derivable(atom):
                if isinstance(atom, Structure):
                    yield atom, negated
            case Negated(inner):
                yield from _signed(inner, negated=True)
            case ComparisonGuard() | Cut():
                pass
            case _:
                assert_never(literal)


def _comparisons(body: Sequence[RuleLiteral]) -> Iterator[ComparisonGuard]:
    for literal in body:
        if isinstance(literal, ComparisonGuard):
            yield literal
        elif isinstance(literal, Negated):
            yield from _comparisons(literal.body)
