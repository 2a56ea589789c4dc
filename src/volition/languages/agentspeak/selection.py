"""``SelectEvent`` and ``SelectIntention`` (Bordini et al., Sect. 4.1): which message of a channel
comes first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from volition.languages.agentspeak.settings import SelectionFunction

__all__ = ["enqueue", "put_back", "select"]

T = TypeVar("T")


def select(
    selection: SelectionFunction, waiting: Sequence[T], functor: Callable[[T], str]
) -> Sequence[int]:
    """The positions among which one is selected: one, except where the choice is nondeterministic.

    ``functor`` names what a waiting item is about, for priorities; what is not in their list comes
    last, first come first served.
    """
    match selection.policy:
        case "lifo":
            return [len(waiting) - 1]
        case "nondeterministic":
            return range(len(waiting))
        case "priority":
            ranks = {name: rank for rank, name in enumerate(selection.priorities)}
            return [
                min(
                    range(len(waiting)),
                    key=lambda position: ranks.get(functor(waiting[position]), len(ranks)),
                )
            ]
    return [0]


def enqueue(selection: SelectionFunction, ready: tuple[int, ...], index: int) -> tuple[int, ...]:
    """Channel ``i`` with an intention that can run now, at its end."""
    if selection.policy == "nondeterministic":
        return tuple(sorted((*ready, index)))  # any may be next, so their order says nothing
    return (*ready, index)


def put_back(selection: SelectionFunction, ready: tuple[int, ...], index: int) -> tuple[int, ...]:
    """Channel ``i`` with an intention that has just run: at its end, or first where one runs until
    it ends or waits."""
    return (index, *ready) if selection.policy == "fifo" else enqueue(selection, ready, index)
