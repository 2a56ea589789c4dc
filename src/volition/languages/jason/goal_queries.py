"""Search and removal of the desires and intentions of an agent. All structures of the agent's state
that can contain a desire or intention are searched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.state import Event, IntendedMeans, Intention, WaitingEntry
from volition.languages.jason.terms import Bindings, Literal, Term
from volition.languages.jason.unification import apply, unify

__all__ = [
    "GOAL_QUERIES",
    "all_intentions",
    "change_intentions",
    "drop_branches",
    "has_goal",
    "is_goal_event",
    "is_means_for",
    "remove_events",
    "remove_intentions",
    "remove_waiting",
]


def is_means_for(means: IntendedMeans, goal: Literal) -> bool:
    """Return whether an intended means was created for an event that matches ``+!goal``."""
    return (means.operator, means.kind) == ("+", "achieve") and unify(
        goal, means.literal, {}
    ) is not None


def has_goal(intention: Intention, goal: Literal) -> bool:
    """Return whether the stack of an intention contains a means for ``+!goal``."""
    return any(is_means_for(each, goal) for each in intention.stack)


def is_goal_event(event: Event, goal: Literal) -> bool:
    """Return whether an event matches ``+!goal``."""
    return (event.operator, event.kind) == ("+", "achieve") and unify(
        goal, event.literal, {}
    ) is not None


def all_events(mind: AgentState) -> Iterator[Event]:
    """Yield all events of an agent, suspended ones too. The event for which a plan is being
    selected comes first."""
    if mind.selected_event is not None:
        yield mind.selected_event
    yield from mind.events
    yield from mind.shelved


def all_intentions(mind: AgentState) -> Iterator[Intention]:
    """Yield all intentions of an agent, including those of its events. The intention that is being
    executed comes first."""
    if mind.selected is not None:
        yield mind.selected
    yield from (each.intention for each in all_events(mind) if each.intention is not None)
    yield from mind.running
    yield from mind.acting
    yield from (each.intention for each in (*mind.waiting, *mind.due) if each.intention is not None)


# --- queries for goals ----------------------------------------------------------------------------


def desire(arguments: tuple[Term, ...], bindings: Bindings, mind: AgentState) -> Iterator[Bindings]:
    """Yield the solutions of ``.desire(g)``: one for each pending event ``+!g``, and for each
    ``+!g`` in the stack of an intention."""
    pending = (
        each.literal for each in all_events(mind) if (each.operator, each.kind) == ("+", "achieve")
    )
    return _matches(arguments, bindings, chain(pending, _goals(all_intentions(mind))))


def intend(arguments: tuple[Term, ...], bindings: Bindings, mind: AgentState) -> Iterator[Bindings]:
    """Yield the solutions of ``.intend(g)``: one for each ``+!g`` in the stack of an intention that
    is not suspended."""
    return _matches(
        arguments, bindings, _goals(each for each in all_intentions(mind) if not each.suspended)
    )


def suspended(
    arguments: tuple[Term, ...], bindings: Bindings, mind: AgentState
) -> Iterator[Bindings]:
    """Yield the solutions of ``.suspended(g, R)``: one for each suspended event ``+!g``, and for
    each ``+!g`` in the stack of a suspended intention. The reason R stays unbound."""
    away = (each.literal for each in mind.shelved if (each.operator, each.kind) == ("+", "achieve"))
    return _matches(
        arguments,
        bindings,
        chain(away, _goals(each for each in all_intentions(mind) if each.suspended)),
    )


def _goals(intentions: Iterable[Intention]) -> Iterator[Literal]:
    """Yield the achievement goals in the stacks of intentions, each stack from its top down."""
    return (
        means.literal
        for each in intentions
        for means in each.stack
        if (means.operator, means.kind) == ("+", "achieve")
    )


def _matches(
    arguments: tuple[Term, ...], bindings: Bindings, goals: Iterator[Literal]
) -> Iterator[Bindings]:
    if not arguments:
        return (bindings for _ in goals)
    pattern = apply(arguments[0], bindings)
    found = (unify(pattern, each, bindings) for each in goals)
    return (each for each in found if each is not None)


GOAL_QUERIES: Mapping[
    str, Callable[[tuple[Term, ...], Bindings, AgentState], Iterator[Bindings]]
] = {
    ".desire": desire,
    ".intend": intend,
    ".suspended": suspended,
}


# --- removal of intentions and events -------------------------------------------------------------


def remove_intentions(mind: AgentState, requested: Callable[[Intention], bool]) -> list[Intention]:
    """Remove the intentions for which ``requested`` holds, wherever the agent stores them (I, PA,
    PI, E, PE), and return them. The intention that is being executed is not affected.

    Requested actions of removed intentions are still executed, but their results are discarded.
    Answers to questions that they have sent are ignored.
    """
    taken = [
        event.intention
        for event in remove_events(
            mind, lambda event: event.intention is not None and requested(event.intention)
        )
    ]
    found = [each for each in taken if each is not None]
    running = [each for each in mind.running if requested(each)]
    if running:
        mind.running = tuple(each for each in mind.running if not requested(each))
    return found + running + remove_waiting(mind, requested)


def remove_waiting(mind: AgentState, requested: Callable[[Intention], bool]) -> list[Intention]:
    """Remove the intentions for which ``requested`` holds from PA (waiting for an action), from PI
    (waiting for other reasons) and from those due to resume, and return them."""
    found = []
    for index in reversed([number for number, each in enumerate(mind.acting) if requested(each)]):
        outstanding, intention = mind.remove_action(index)
        if outstanding.stage == "requested":
            mind.orphans = tuple(sorted((*mind.orphans, outstanding.action), key=str))
        found.append(intention)
    for waiting in [
        each for each in mind.waiting if each.intention is not None and requested(each.intention)
    ]:
        mind.stop_waiting(waiting)
        if waiting.kind == "ask":
            mind.wait(WaitingEntry("expired", number=waiting.number, missing=waiting.missing))
        found += [waiting.intention] if waiting.intention else []
    marked = [(each, each.intention is not None and requested(each.intention)) for each in mind.due]
    if any(mark for _, mark in marked):
        mind.due = tuple(each for each, mark in marked if not mark)
    return found + [each.intention for each, mark in marked if mark and each.intention is not None]


def drop_branches(mind: AgentState, number: int) -> None:
    """Drop all branches of the fork ``number``, except the one that is being executed. The dropped
    branches do not fail."""
    remove_intentions(mind, lambda each: is_branch(each, number))


def is_branch(intention: Intention, number: int) -> bool:
    """Return whether an intention is a branch of the fork ``number`` and has not forked again
    since."""
    return number != 0 and intention.branch is not None and intention.branch.number == number


def change_intentions(mind: AgentState, change: Callable[[Intention], Intention]) -> None:
    """Replace each intention of an agent by the result of ``change``, except the intention that is
    being executed."""

    def of_event(event: Event) -> Event:
        return (
            event if event.intention is None else event._replace(intention=change(event.intention))
        )

    def waiting(each: WaitingEntry) -> WaitingEntry:
        return each if each.intention is None else each._replace(intention=change(each.intention))

    mind.events, mind.shelved = (
        tuple(map(of_event, mind.events)),
        tuple(map(of_event, mind.shelved)),
    )
    mind.running, mind.acting = tuple(map(change, mind.running)), tuple(map(change, mind.acting))
    mind.waiting, mind.due = (
        tuple(sorted(map(waiting, mind.waiting), key=str)),
        tuple(map(waiting, mind.due)),
    )


def remove_events(mind: AgentState, requested: Callable[[Event], bool]) -> list[Event]:
    """Remove the events for which ``requested`` holds from E (pending) and PE (suspended), and
    return them."""
    marked = [(each, requested(each)) for each in mind.events]
    shelved = [(each, requested(each)) for each in mind.shelved]
    if any(mark for _, mark in marked):
        mind.events = tuple(each for each, mark in marked if not mark)
    if any(mark for _, mark in shelved):
        mind.shelved = tuple(each for each, mark in shelved if not mark)
    return [each for each, mark in (*marked, *shelved) if mark]
