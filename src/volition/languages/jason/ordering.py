"""Jason's order of terms, used by ``<`` and ``.sort`` and to store annotations.

Numbers come before strings, then lists, atoms and structures, unevaluated expressions, and
variables. Structures are ordered by functor, positive before ``~``, then by arguments from left to
right, then by the number of arguments, then by annotations.

>>> [str(each) for each in sorted((Literal("b"), Literal("a", (3,)), 4, Literal("a")), key=sort_key)]
['4', 'a', 'a(3)', 'b']
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from volition.languages.jason.terms import (
    And,
    Arithmetic,
    BracedTerm,
    Compare,
    List,
    Literal,
    Negative,
    Not,
    Or,
    Term,
    Text,
    Variable,
)

__all__ = ["annotation_set", "sort_key"]


def sort_key(term: Term) -> tuple[Any, ...]:
    """Return the sort key of a term. Keys are equal if and only if the terms are equal."""
    match term:
        case int() | float():
            return 0, term
        case Text(value):
            return 1, value
        case List(items, tail):
            return 2, tuple(map(sort_key, items)), () if tail is None else sort_key(tail)
        case Literal(functor, arguments, annotations, negated, namespace):
            known, tail = (
                (annotations.items, annotations.tail)
                if isinstance(annotations, List)
                else (annotations, None)
            )
            after = tuple(map(sort_key, known)), () if tail is None else sort_key(tail)
            return 3, functor, negated, tuple(map(sort_key, arguments)), after, namespace or ""
        case Variable():
            return 5, term.name, str(term)
        case Arithmetic() | Negative() | Compare() | Not() | And() | Or() | BracedTerm():
            pass
        case _:
            assert_never(term)
    return 4, type(term).__name__, str(term)


def annotation_set(annotations: Iterable[Term]) -> tuple[Term, ...]:
    """Return annotations in canonical form: sorted and without duplicates."""
    several = tuple(annotations)
    if len(several) < 2:
        return several
    return tuple(
        dict(
            sorted(((sort_key(each), each) for each in several), key=lambda pair: pair[0])
        ).values()
    )
