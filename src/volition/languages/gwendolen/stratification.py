"""Check that no predicate depends on its own negation in the reasoning rules.

With negation as failure, the search for a proof of ``q`` with the rule ``q :- ~q;`` does not end.
The check looks for cycles with a negation in the dependency graph of the predicates.

- A cycle is an error if the search certainly reaches the same atom again. The check requires that,
  in each rule of the cycle, every argument of the body's atom equals that of the head or matches
  any value.
- Any other cycle is a warning, because the arguments may change until the search ends, as in
  ``win(X) :- move(X, Y), ~win(Y);``.
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
    """Dependency of the head of a rule on an atom in the rule's body. ``needs`` is the predicate of
    that atom."""

    rule: ReasoningRule
    needs: str
    negated: bool
    returns: bool
    """Whether every argument of the atom equals the head's argument in the same position or matches
    any value."""

    @property
    def head(self) -> str:
        return predicate(self.rule.head)


def check_stratification(rules: Sequence[ReasoningRule], diagnostics: Diagnostics) -> None:
    """Report each cycle of rules in which a predicate depends on its own negation."""
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
            path = " -> ".join([edge.head, *cycle])
            if certain:
                hint = "the search for it never ends: remove the rule, or negate another predicate"
                diagnostics.error(
                    "GWN020",
                    f"{edge.head} depends on its own negation ({path})",
                    edge.rule.span,
                    hint=hint,
                )
            else:
                hint = "the search for it ends only if the arguments change in every round"
                diagnostics.warning(
                    "GWN035",
                    f"{edge.head} may depend on its own negation ({path})",
                    edge.rule.span,
                    hint=hint,
                )


def _path(start: str, end: str, needs: Mapping[str, Sequence[str]]) -> list[str] | None:
    """Return a shortest path from ``start`` to ``end`` in the dependency graph of predicates, as a
    list of predicates, or None if there is none."""
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
    """Yield pairs of an atom of a rule's body and whether the atom is negated."""
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
