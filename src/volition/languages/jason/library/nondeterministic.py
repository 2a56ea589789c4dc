"""Internal actions that choose one of their solutions nondeterministically."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from math import factorial

from volition.languages.common.state_buffer import BoundExceeded
from volition.languages.jason.library.arguments import Action, gives, items_of, values_of
from volition.languages.jason.queries import QueryContext
from volition.languages.jason.terms import Bindings, List, Term

__all__ = ["CHOICES"]

_MAX_ORDERS = 5_040


def random(
    arguments: tuple[Term, ...], bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.random(L, X)``: X is one of the items of the list L. Fail if L is empty."""
    items, result, *_ = values_of(arguments, bindings, knowledge, 2, 3)
    for each in dict.fromkeys(items_of(items)):
        yield from gives(result, each, bindings)


def shuffle(
    arguments: tuple[Term, ...], bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.shuffle(L, R)``: R is the list L in any order. Raises BoundExceeded if there are
    more than 5,040 orders."""
    whole, result = values_of(arguments, bindings, knowledge, 2)
    items = items_of(whole)
    if factorial(len(items)) > _MAX_ORDERS:
        message = f".shuffle of {len(items)} items has more than {_MAX_ORDERS:,} results"
        raise BoundExceeded("JSN054", message, "shuffle fewer, or choose one with .random(List,X)")
    for order in dict.fromkeys(permutations(items)):
        yield from gives(result, List(order), bindings)


CHOICES: Mapping[str, Action] = {".random": random, ".shuffle": shuffle}
