"""What can be reached from something: over the links of a graph, or through whatever else leads
from one thing to others."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

__all__ = ["path_to_start", "reachable"]

Place = TypeVar("Place", bound=Hashable)


def reachable(
    start: Iterable[Place], after: Callable[[Place], Iterable[Place]]
) -> dict[Place, Place | None]:
    """Everything on ways of any length from the start, the nearest first; each with the one before
    it, None for the start itself."""
    found: dict[Place, Place | None] = dict.fromkeys(start)
    waiting = list(found)
    for position in waiting:
        for then in after(position):
            if then not in found:
                found[then] = position
                waiting.append(then)
    return found


def path_to_start(position: Place, before: dict[Place, Place | None]) -> list[Place]:
    """The place, the one before it, and so on to where :func:`reachable` started."""
    way = [position]
    while (then := before[way[-1]]) is not None:
        way.append(then)
    return way
