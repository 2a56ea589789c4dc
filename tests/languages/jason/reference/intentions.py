"""Stacks of intended means: what ends, what is handed over, what is dropped, what fails."""

from __future__ import annotations

from collections.abc import Callable

from tests.languages.jason.reference.state import (
    Acting,
    Event,
    Intention,
    Means,
    Mind,
    Waiting,
    is_atomic,
)
from tests.languages.jason.reference.terms import Substitution, applied, renamed, unified
from volition.languages.jason.syntax import Achieve, Test
from volition.languages.jason.terms import Literal

__all__ = [
    "abandon",
    "atomic_waits",
    "cleared",
    "drop",
    "has_goal",
    "instantiated",
    "is_goal",
    "lowest",
    "ready",
    "without_step",
]


def ready(mind: Mind, intention: Intention) -> None:
    """To the end of I; nothing is left of one that is finished."""
    if intention:
        (mind.AI if is_atomic(intention) else mind.I).append(intention)


def atomic_waits(mind: Mind) -> bool:
    waiting: list[Acting | Waiting] = [*mind.PA, *mind.FA, *mind.PI]
    return any(is_atomic(each.intention or ()) for each in waiting)


def instantiated(intention: Intention, bindings: Substitution) -> Intention:
    """Values for the variables of the means on top."""
    top = intention[-1]
    changed = top._replace(body=applied(top.body, bindings), returns=applied(top.returns, bindings))
    return (*intention[:-1], changed)


def without_step(intention: Intention) -> Intention:
    return (*intention[:-1], intention[-1]._replace(body=intention[-1].body[1:]))


def cleared(intention: Intention, ended: Callable[[Means], None]) -> Intention:
    """ClrInt: finished means are popped, as long as there are any."""
    while intention and not intention[-1].body:
        top = intention[-1]
        ended(top)
        intention = intention[:-1] if top.stay is None else intention[: top.stay]
        if intention and intention[-1].body:
            intention = without_step(instantiated(intention, _handed(intention[-1], top)))
    return intention


def _handed(means: Means, ended: Means) -> Substitution:
    match means.body[0]:
        case Achieve(goal) | Test(goal) if isinstance(goal, Literal):
            return unified(goal, renamed(ended.returns), {}) or {}
    return {}


def is_goal(sign: str, kind: str, literal: Literal, query: Literal) -> bool:
    """Whether a trigger is ``+!g`` for the g that is asked for."""
    return (sign, kind) == ("+", "achieve") and unified(
        renamed(query), renamed(literal), {}
    ) is not None


def has_goal(intention: Intention | None, query: Literal) -> bool:
    return lowest(intention, query) is not None


def lowest(intention: Intention | None, query: Literal) -> int | None:
    """The place of the lowest means for a goal."""
    indices = [
        index
        for index, each in enumerate(intention or ())
        if is_goal(each.sign, each.kind, each.trigger, query)
    ]
    return indices[0] if indices else None


def abandon(mind: Mind, acting: Acting) -> None:
    """An action that nobody waits for any more: its effect is still to come, but nobody is told the
    result."""
    acting.intention, acting.suspended = None, False
    mind.PA = [each for each in mind.PA if each is not acting or acting.status == "asked"]
    mind.FA = [each for each in mind.FA if each is not acting]


def drop(
    mind: Mind,
    which: Callable[[Intention], bool],
    events: Callable[[Event], bool] = lambda _: False,
) -> None:
    """Drops intentions wherever they are, but for the current one, and pending events; the actions
    that they wait for go on."""
    mind.dropped += [each for each in mind.intentions() if which(each)]
    mind.dropped += [
        each.intention
        for each in (*mind.E, *mind.AE, *mind.PE)
        if each.intention and events(each) and not which(each.intention)
    ]
    for some in (mind.I, mind.AI):
        some[:] = [each for each in some if not which(each)]
    for pending in (mind.E, mind.AE, mind.PE):
        pending[:] = [
            each
            for each in pending
            if not events(each) and not (each.intention and which(each.intention))
        ]
    for acting in (*mind.PA, *mind.FA):
        if acting.intention is not None and which(acting.intention):
            abandon(mind, acting)
    mind.PI = [each for each in mind.PI if not which(each.intention)]
    mind.tasks = [
        each for each in mind.tasks if not isinstance(each.what, Waiting) or each.what in mind.PI
    ]
