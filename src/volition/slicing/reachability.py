"""Reachability over the links of a graph, given as a successor function."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

__all__ = ["path_to_start", "reachable"]

Item = TypeVar("Item", bound=Hashable)


def reachable(
    start: Iterable[Item], after: Callable[[Item], Iterable[Item]]
) -> dict[Item, Item | None]:
    """Return everything reachable from the items in ``start``, nearest first, where ``after`` gives
    the successors of an item. Each reachable item maps to its predecessor; the items of ``start``
    map to None."""
    found: dict[Item, Item | None] = dict.fromkeys(start)
    waiting = list(found)
    for item in waiting:
        for then in after(item):
            if then not in found:
                found[then] = item
                waiting.append(then)
    return found


def path_to_start(item: Item, before: dict[Item, Item | None]) -> list[Item]:
    """Return the path from an item back to a start item of a search. ``before`` is the result of
    :func:`reachable`."""
    path = [item]
    while (then := before[path[-1]]) is not None:
        path.append(then)
    return path
