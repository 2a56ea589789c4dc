"""Internal actions that ask of which kind a term is; a variable without a value is of none but
that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from volition.languages.jason.library.arguments import Action, gives, values_of
from volition.languages.jason.queries import QueryContext
from volition.languages.jason.terms import (
    Arithmetic,
    Bindings,
    BracedTerm,
    List,
    Literal,
    Negative,
    Term,
    Text,
    Variable,
    atom,
)
from volition.languages.jason.unification import is_ground

__all__ = ["KINDS"]

Arguments = tuple[Term, ...]


def _is_number(term: Term) -> bool:
    return isinstance(term, int | float | Arithmetic | Negative)


def _is_atom(term: Term) -> bool:
    """A name alone, without annotations."""
    return (
        isinstance(term, Literal)
        and not term.arguments
        and not term.annotations
        and not term.negated
    )


def _is_literal(term: Term) -> bool:
    """Also an atom, a formula, and what stands in braces; no list."""
    return not isinstance(term, int | float | Arithmetic | Negative | Text | List | Variable)


def _is_structure(term: Term) -> bool:
    """A literal or a list."""
    return _is_literal(term) or isinstance(term, List)


_TESTS: Mapping[str, Callable[[Term], bool]] = {
    "number": _is_number,
    "atom": _is_atom,
    "literal": _is_literal,
    "string": lambda term: isinstance(term, Text),
    "list": lambda term: isinstance(term, List),
    "structure": _is_structure,
    "plan": lambda term: isinstance(term, BracedTerm),
    "ground": is_ground,
    "free": lambda term: isinstance(term, Variable),
}
"""The names of kinds, in the order in which ``.type`` gives them."""


def _asking(kind: str) -> Action:
    def asks(
        arguments: Arguments, bindings: Bindings, knowledge: QueryContext
    ) -> Iterator[Bindings]:
        (term,) = values_of(arguments, bindings, knowledge, 1)
        if _TESTS[kind](term):
            yield bindings

    asks.__doc__ = f"``.{kind}(T)``: whether a term is of this kind."
    return asks


def type_of(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """``.type(T, K)``: each kind of a term."""
    term, kind = values_of(arguments, bindings, knowledge, 2)
    for name, test in _TESTS.items():
        if test(term):
            yield from gives(kind, atom(name), bindings)


KINDS: Mapping[str, Action] = {
    ".type": type_of,
    ".var": _asking("free"),
    **{
        f".{kind}": _asking(kind)
        for kind in ("number", "atom", "literal", "string", "list", "structure", "ground")
    },
}
