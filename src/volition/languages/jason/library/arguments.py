"""How internal actions look at their arguments, and give their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from volition.languages.jason.printing import printed
from volition.languages.jason.queries import ActionError, QueryContext
from volition.languages.jason.terms import Bindings, List, Literal, Term
from volition.languages.jason.unification import apply, unify

__all__ = ["Action", "gives", "items_of", "plain_text", "values_of", "whole_number"]

Action = Callable[[tuple[Term, ...], Bindings, QueryContext], Iterator[Bindings]]
"""Arguments as written, bindings, and what the agent knows ▶ the solutions."""


def values_of(
    arguments: tuple[Term, ...], bindings: Bindings, knowledge: QueryContext, *numbers: int
) -> tuple[Term, ...]:
    """What the arguments stand for; there must be so many of them."""
    if len(arguments) not in numbers:
        raise ActionError(f"takes {' or '.join(map(str, numbers))} arguments, not {len(arguments)}")
    return tuple(apply(each, bindings, knowledge) for each in arguments)


def gives(left: Term, right: Term, bindings: Bindings) -> Iterator[Bindings]:
    """One solution if the terms agree."""
    found = unify(left, right, bindings)
    if found is not None:
        yield found


def items_of(term: Term) -> tuple[Term, ...]:
    """The items of a list that is known to its end."""
    if not isinstance(term, List) or term.tail is not None:
        raise ActionError(f"{term} is no list")
    return term.items


def whole_number(term: Term) -> int:
    """A number, cut off to a whole one."""
    if not isinstance(term, int | float):
        raise ActionError(f"{term} is no number")
    try:
        return int(term)
    except OverflowError:
        raise ActionError(f"{term} is too large") from None


def plain_text(term: Term, bindings: Bindings) -> str:
    """A string without its quotes, an atom without its own; anything else as Jason prints it."""
    match term:
        case Literal(functor, (), ()) if functor.startswith("'") and not term.negated:
            return functor[1:-1]
    return printed(term, bindings)
