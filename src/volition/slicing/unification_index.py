"""Finds those of many terms, or names, that may mean the same as another one: by their predicates
first, then by unification."""

from __future__ import annotations

from volition.languages.common.dependencies import SymbolPattern
from volition.languages.world.terms import Structure, Term, predicate, unifiable

__all__ = ["SymbolIndex", "TermIndex"]


class TermIndex:
    """Terms with numbers of what they belong to."""

    def __init__(self) -> None:
        self._by_predicate: dict[str | None, list[tuple[Term, int]]] = {}

    def add(self, term: Term, what: int) -> None:
        self._by_predicate.setdefault(_predicate(term), []).append((term, what))

    def find(self, term: Term) -> list[int]:
        """What has a term that unifies with this one, each once, in the order of the numbers."""
        found = _predicate(term)
        keys = self._by_predicate if found is None else (found, None)
        return sorted(
            {
                what
                for key in keys
                for other, what in self._by_predicate.get(key, ())
                if unifiable(term, other)
            }
        )


def _predicate(term: Term) -> str | None:
    """None for what may have any, a variable, or none at all, a number."""
    return predicate(term) if isinstance(term, Structure) else None


class SymbolIndex:
    """Names with numbers of what they belong to."""

    def __init__(self) -> None:
        self._terms: dict[tuple[str, str], TermIndex] = {}

    def add(self, name: SymbolPattern, what: int) -> None:
        self._terms.setdefault((name.kind, name.agent), TermIndex()).add(name.pattern, what)

    def find(self, name: SymbolPattern) -> list[int]:
        """What has a name that matches this one, each once, in the order of the numbers."""
        terms = self._terms.get((name.kind, name.agent))
        return [] if terms is None else terms.find(name.pattern)
