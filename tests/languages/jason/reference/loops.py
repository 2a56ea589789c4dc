"""A ``for`` that runs: the solutions that are still to come."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.languages.jason.reference.state import Intention, Means, Mind
from volition.languages.jason.syntax import Body
from volition.languages.jason.terms import Literal, Term

__all__ = ["Loop", "strike"]


class Loop(NamedTuple):
    """``candidates`` are beliefs without their annotations, for a query about beliefs, or the values of what ranges over a list."""

    query: Term
    body: Body
    candidates: tuple[Any, ...]


def strike(mind: Mind, gone: Literal) -> None:
    """A belief that is removed is not visited by the loops that run."""

    def struck(intention: Intention | None) -> Any:
        return None if intention is None else tuple(_struck_means(each) for each in intention)

    def _struck_means(means: Means) -> Means:
        return means._replace(body=tuple(_struck_step(each) for each in means.body))

    def _struck_step(step: Any) -> Any:
        return step._replace(candidates=tuple(each for each in step.candidates if each != gone)) if isinstance(step, Loop) else step

    for events in (mind.E, mind.AE, mind.PE):
        events[:] = [each._replace(intention=struck(each.intention)) for each in events]
    mind.current = struck(mind.current)
    for intentions in (mind.I, mind.AI):
        intentions[:] = [struck(each) for each in intentions]
    waiting: list[Any] = [*mind.PA, *mind.FA, *mind.PI]
    for each in waiting:
        each.intention = struck(each.intention)
