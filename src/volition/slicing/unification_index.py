"""Indexes that store terms or symbol patterns and find those that unify with a given one. They are
looked up by predicate first and then unified."""

from __future__ import annotations

from volition.languages.common.dependencies import SymbolPattern
from volition.languages.world.terms import Structure, Term, predicate, unifiable

__all__ = ["SymbolIndex", "TermIndex"]


class TermIndex:
    """Index of terms, each stored with a number that identifies its owner, such as a graph node."""

    def __init__(self) -> None:
        self._by_predicate: dict[str | None, list[tuple[Term, int]]] = {}

    def add(self, term: Term, what: int) -> None:
        self._by_predicate.setdefault(_predicate(term), []).append((term, what))

    def find(self, term: Term) -> list[int]:
        """Return the owners of the stored terms that unify with ``term``, each once, in ascending
        order."""
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
    """Return the predicate of a structure. Return None for a variable, which may have any
    predicate, and for a number, which has none."""
    return predicate(term) if isinstance(term, Structure) else None


class SymbolIndex:
    """Index of symbol patterns, each stored with a number that identifies its owner, such as a
    program unit."""

    def __init__(self) -> None:
        self._terms: dict[tuple[str, str], TermIndex] = {}

    def add(self, name: SymbolPattern, what: int) -> None:
        self._terms.setdefault((name.kind, name.agent), TermIndex()).add(name.pattern, what)

    def find(self, name: SymbolPattern) -> list[int]:
        """Return the owners of the stored symbol patterns that match ``name``, each once, in
        ascending order."""
        terms = self._terms.get((name.kind, name.agent))
        return [] if terms is None else terms.find(name.pattern)
