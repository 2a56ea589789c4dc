"""A ``for`` that runs: the solutions that are still to come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.languages.jason.reference.state import Intention, Means, Mind
from volition.languages.jason.syntax import Body
from volition.languages.jason.terms import Literal, Term, indicator

__all__ = ["Loop", "append", "strike"]


class Loop(NamedTuple):
    """``candidates`` are beliefs without their annotations, for a query about beliefs, or the
    values of what ranges over a list.

    The first candidate is the one that the iterator holds.  Where that belief was removed,
    ``removed`` is what was left of it, and ``restarts`` says that the iterator goes back to the
    head of the list then.
    """

    query: Term
    body: Body
    candidates: tuple[Any, ...]
    removed: Literal | None = None
    restarts: bool = False


def strike(mind: Mind, gone: Literal, left: Literal, *, was_first: bool, is_given_up: bool) -> None:
    """A belief is removed from its list: the loops that run visit it only if they hold it; its list
    may be given up with it."""

    def struck(loop: Loop) -> Loop:
        if indicator(gone) != _list_of(loop):
            return loop
        held, *rest = loop.candidates
        if loop.removed is None and held == gone:
            loop = loop._replace(removed=left, restarts=was_first)
        elif loop.removed is not None and rest[:1] == [gone] and was_first:
            loop = loop._replace(restarts=True)
        candidates = (
            (held, *(each for each in rest if each != gone)) if not loop.restarts else (held,)
        )
        loop = loop._replace(candidates=candidates)
        return loop._replace(candidates=(held,), restarts=False) if is_given_up else loop

    _change(mind, struck)


def append(mind: Mind, new: Literal) -> None:
    """A belief is put at the end of its list: iterators that still have a link to the end come to
    it."""

    def appended(loop: Loop) -> Loop:
        is_linked = loop.removed is None or len(loop.candidates) > 1
        return (
            loop._replace(candidates=(*loop.candidates, new))
            if _list_of(loop) == indicator(new) and is_linked
            else loop
        )

    _change(mind, appended)


def _list_of(loop: Loop) -> str | None:
    """The list of beliefs that a loop goes through; None if it is not one of beliefs, or if it has
    come to its end."""
    first = loop.candidates[0] if loop.candidates else None
    return indicator(first) if isinstance(first, Literal) else None


def _change(mind: Mind, change: Callable[[Loop], Loop]) -> None:
    def of(intention: Intention | None) -> Any:
        return None if intention is None else tuple(of_means(each) for each in intention)

    def of_means(means: Means) -> Means:
        return means._replace(
            body=tuple(change(each) if isinstance(each, Loop) else each for each in means.body)
        )

    for events in (mind.E, mind.AE, mind.PE):
        events[:] = [each._replace(intention=of(each.intention)) for each in events]
    mind.current = of(mind.current)
    for intentions in (mind.I, mind.AI):
        intentions[:] = [of(each) for each in intentions]
    waiting: list[Any] = [*mind.PA, *mind.FA, *mind.PI]
    for each in waiting:
        each.intention = of(each.intention)
