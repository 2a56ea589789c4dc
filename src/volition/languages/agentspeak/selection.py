"""The selection functions ``SelectEvent`` and ``SelectIntention`` (Bordini et al., Sect. 4.1),
which select the next event or intention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, assert_never

from volition.languages.agentspeak.settings import SelectionFunction

__all__ = ["enqueue", "put_back", "select"]

T = TypeVar("T")


def select(
    selection: SelectionFunction, waiting: Sequence[T], functor: Callable[[T], str]
) -> Sequence[int]:
    """Return the positions in ``waiting``, a queue of events or intentions, that a selection
    function may select. There is only one, unless the function is nondeterministic.

    For priorities, ``functor`` returns the name by which an element of the queue is ranked.
    Elements that are not in the list of priorities come last, in order of arrival.
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
        case "fifo" | "round-robin":
            pass
        case _:
            assert_never(selection.policy)
    return [0]


def enqueue(selection: SelectionFunction, ready: tuple[int, ...], index: int) -> tuple[int, ...]:
    """Return channel ``i``, the queue of runnable intentions, with a newly runnable intention
    added."""
    if selection.policy == "nondeterministic":
        return tuple(sorted((*ready, index)))  # any may be next, so their order is irrelevant
    return (*ready, index)


def put_back(selection: SelectionFunction, ready: tuple[int, ...], index: int) -> tuple[int, ...]:
    """Return channel ``i``, the queue of runnable intentions, after an intention that has just run
    was put back.

    With the policy ``fifo`` it goes to the front, because there an intention runs until it ends or
    is suspended. With any other policy it goes to the end.
    """
    return (index, *ready) if selection.policy == "fifo" else enqueue(selection, ready, index)
