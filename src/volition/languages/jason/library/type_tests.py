"""Internal actions that test the type of a term. An unbound variable has only the type ``free``."""

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

__all__ = ["TYPE_TESTS"]

Arguments = tuple[Term, ...]


def _is_number(term: Term) -> bool:
    return isinstance(term, int | float | Arithmetic | Negative)


def _is_atom(term: Term) -> bool:
    """Return whether a term is a name without arguments, annotations or strong negation."""
    return (
        isinstance(term, Literal)
        and not term.arguments
        and not term.annotations
        and not term.negated
    )


def _is_literal(term: Term) -> bool:
    """Return whether a term has Jason's type ``literal``. Atoms, formulas and terms in braces have
    it too."""
    return not isinstance(term, int | float | Arithmetic | Negative | Text | List | Variable)


def _is_structure(term: Term) -> bool:
    """Return whether a term has Jason's type ``structure``: a literal or a list."""
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
"""Map from the name of a type to the function that tests it, in the order in which ``.type``
returns the types."""


def _type_test(kind: str) -> Action:
    def test(
        arguments: Arguments, bindings: Bindings, knowledge: QueryContext
    ) -> Iterator[Bindings]:
        (term,) = values_of(arguments, bindings, knowledge, 1)
        if _TESTS[kind](term):
            yield bindings

    test.__doc__ = f"``.{kind}(T)``: whether a term is of this kind."
    return test


def type_of(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.type(T, K)``: K is each type of the term T in turn."""
    term, kind = values_of(arguments, bindings, knowledge, 2)
    for name, test in _TESTS.items():
        if test(term):
            yield from gives(kind, atom(name), bindings)


TYPE_TESTS: Mapping[str, Action] = {
    ".type": type_of,
    ".var": _type_test("free"),
    **{
        f".{kind}": _type_test(kind)
        for kind in ("number", "atom", "literal", "string", "list", "structure", "ground")
    },
}
