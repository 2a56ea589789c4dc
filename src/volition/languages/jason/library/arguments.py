"""Helper functions for the implementation of internal actions: evaluation of arguments and
construction of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from volition.languages.jason.printing import printed
from volition.languages.jason.queries import ActionError, QueryContext
from volition.languages.jason.terms import Bindings, List, Literal, Term
from volition.languages.jason.unification import apply, unify

__all__ = ["Action", "gives", "items_of", "plain_text", "values_of", "whole_number"]

Action = Callable[[tuple[Term, ...], Bindings, QueryContext], Iterator[Bindings]]
"""Implementation of an internal action without side effects: a function that takes the arguments as
written, the bindings and the query context, and returns the solutions as extended bindings."""


def values_of(
    arguments: tuple[Term, ...], bindings: Bindings, knowledge: QueryContext, *numbers: int
) -> tuple[Term, ...]:
    """Return the arguments of an internal action with the values of their variables. Raises
    ActionError if the number of arguments is not one of ``numbers``."""
    if len(arguments) not in numbers:
        raise ActionError(f"takes {' or '.join(map(str, numbers))} arguments, not {len(arguments)}")
    return tuple(apply(each, bindings, knowledge) for each in arguments)


def gives(left: Term, right: Term, bindings: Bindings) -> Iterator[Bindings]:
    """Yield the bindings extended by the unifier of two terms, or nothing if they do not unify."""
    found = unify(left, right, bindings)
    if found is not None:
        yield found


def items_of(term: Term) -> tuple[Term, ...]:
    """Return the items of a list term. Raises ActionError if the term is not a list or its tail is
    unknown."""
    if not isinstance(term, List) or term.tail is not None:
        raise ActionError(f"{term} is not a list")
    return term.items


def whole_number(term: Term) -> int:
    """Return the value of a numeric term truncated to an integer. Raises ActionError if the term is
    not a finite number."""
    if not isinstance(term, int | float):
        raise ActionError(f"{term} is not a number")
    try:
        return int(term)
    except OverflowError:
        raise ActionError(f"{term} is too large") from None


def plain_text(term: Term, bindings: Bindings) -> str:
    """Return a string or quoted atom without its quotes, and any other term as Jason prints it."""
    match term:
        case Literal(functor, (), ()) if functor.startswith("'") and not term.negated:
            return functor[1:-1]
        case _:
            pass
    return printed(term, bindings)
