"""Internal actions that change what the agent pursues.  Each says whether the current intention
goes on as after any step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.languages.jason.reference.cycle import Cycle
from tests.languages.jason.reference.forks import first_to_end, marked
from tests.languages.jason.reference.intentions import (
    abandon,
    drop,
    has_goal,
    is_goal,
    lowest,
    ready,
    without_step,
)
from tests.languages.jason.reference.state import Acting, Event, Intention, Means, Mind, Waiting
from tests.languages.jason.reference.terms import Unspecified
from volition.languages.jason.terms import Literal

__all__ = ["GOAL_ACTIONS", "fail_goal"]


def drop_intention(agent: Cycle, mind: Mind, *queried: Literal) -> bool:
    if queried:
        drop(mind, lambda intention: has_goal(intention, queried[0]))
    return _goes_on(agent, mind, not queried or has_goal(mind.current, queried[0]))


def drop_desire(agent: Cycle, mind: Mind, query: Literal) -> bool:
    agent.expect_unobserved(
        mind, lambda event: is_goal(event.sign, event.kind, event.literal, query)
    )
    drop(
        mind,
        lambda intention: has_goal(intention, query),
        lambda event: is_goal(event.sign, event.kind, event.literal, query),
    )
    return _goes_on(agent, mind, has_goal(mind.current, query))


def drop_all_intentions(agent: Cycle, mind: Mind) -> bool:
    drop(mind, lambda _: True)
    return _goes_on(agent, mind)


def drop_all_desires(agent: Cycle, mind: Mind) -> bool:
    """All intentions and pending goals, whatever becomes of them; other events stay."""
    agent.expect_unobserved(mind, lambda event: event.kind != "belief")
    drop(mind, lambda _: True, lambda event: event.kind != "belief")
    return _goes_on(agent, mind)


def drop_event(agent: Cycle, mind: Mind, query: Literal) -> bool:
    agent.expect_unobserved(
        mind, lambda event: is_goal(event.sign, event.kind, event.literal, query)
    )
    drop(mind, lambda _: False, lambda event: is_goal(event.sign, event.kind, event.literal, query))
    return _goes_on(agent, mind)


def drop_all_events(agent: Cycle, mind: Mind) -> bool:
    agent.expect_unobserved(mind, lambda _: True)
    drop(mind, lambda _: False, lambda _: True)
    return _goes_on(agent, mind)


def _goes_on(agent: Cycle, mind: Mind, is_dropped: bool = False) -> bool:
    """Goals that were dropped are told; the current intention goes on unless it is dropped too."""
    if is_dropped and mind.current is not None:
        mind.dropped.append(mind.current)
    agent.tell_dropped(mind)
    return not is_dropped


def succeed_goal(agent: Cycle, mind: Mind, query: Literal) -> bool:
    def succeeded(intention: Intention, index: int) -> Intention:
        below = intention[:index]
        agent.achieved(mind, intention[index])
        return agent.cleared(mind, without_step(below)) if below else ()

    def event_succeeded(event: Event) -> None:
        if event.intention:
            agent.achieved(mind, _means(event))
            ready(mind, agent.cleared(mind, without_step(event.intention)))
        elif agent.observes((_means(event),)):
            raise Unspecified(
                "the state of a pending goal that nobody waits for, and that is taken as done"
            )

    return _ended(mind, query, succeeded, event_succeeded)


def fail_goal(agent: Cycle, mind: Mind, query: Literal, error: Literal | None = None) -> bool:
    def failed(intention: Intention, index: int) -> Intention:
        if index == 0:
            raise Bottom(is_current=intention is mind.current)
        below = intention[:index]
        if (
            below[0].branch is None
            or below[0].branch.join == "|&|"
            or index >= below[0].branch.depth
        ):
            agent.goal_failed(mind, Event("+", "achieve", intention[index].trigger, below), error)
        return ()

    try:
        return _ended(mind, query, failed, lambda event: agent.goal_failed(mind, event, error))
    except Bottom as problem:
        if error is not None:  # of a deadline, which nobody waits for
            return False
        if problem.is_current:
            drop(mind, lambda _: True, lambda _: True)
            mind.dropped.clear()
            mind.MB.clear()
        else:
            agent.fail(mind, mind.current or (), Literal("unknown"))
        return False


class Bottom(Exception):
    """A goal that is made to fail is at the bottom of its intention, which is gone then: a
    NullPointerException of Jason's."""

    def __init__(self, *, is_current: bool) -> None:
        super().__init__()
        self.is_current = is_current


def _ended(
    mind: Mind,
    query: Literal,
    going_on: Callable[[Intention, int], Intention],
    event_ended: Callable[[Event], None],
) -> bool:
    """Ends a goal wherever it is; ``going_on`` gives what goes on of an intention."""

    def ended(intention: Intention, position: int) -> Intention:
        is_first, branch = first_to_end(mind, intention, position)
        if not is_first:
            return ()
        is_current = intention is mind.current
        intention = marked(intention, branch)
        if is_current:
            mind.current = intention
        return going_on(intention, position)

    for events in (mind.AE, mind.E, mind.PE):
        for event in tuple(events):
            if _index(events, event) is None:
                continue
            place = lowest(event.intention, query)
            if place is not None:
                events.remove(event)
                assert event.intention is not None
                ready(mind, ended(event.intention, place))
            elif is_goal(event.sign, event.kind, event.literal, query):
                events.remove(event)
                event_ended(event)
    for some in (mind.AI, mind.I):
        for each in tuple(some):
            place = lowest(each, query)
            index = _index(some, each)
            if place is not None and index is not None:
                some[index : index + 1] = []
                rest = ended(each, place)  # which may drop others that run in parallel
                some[index:index] = [rest] if rest else []
    goes_on = True
    place = lowest(mind.current, query)
    if mind.current is not None and place is not None:
        ready(mind, ended(mind.current, place))
        goes_on = False
    waiting: list[Any] = [*mind.PA, *mind.FA, *mind.PI]
    set_free = [
        (each, place) for each in waiting if (place := lowest(each.intention, query)) is not None
    ]
    _expect_one(
        [(each.intention, place, getattr(each, "is_over", None)) for each, place in set_free]
    )
    for each, place in set_free:  # one after the other, as the first may be the last
        intention = each.intention
        if isinstance(each, Acting):
            abandon(mind, each)
        else:
            mind.PI.remove(each)
            mind.tasks = [task for task in mind.tasks if task.what is not each]
        ready(mind, ended(intention, place))
    return goes_on


def _index(some: Sequence[object], requested: object) -> int | None:
    """Where this very one is, if it still is."""
    return next((index for index, each in enumerate(some) if each is requested), None)


def _expect_one(some: list[Any]) -> None:
    if len(set(some)) > 1:
        raise Unspecified("in which order intentions that wait are set free")


def suspend(agent: Cycle, mind: Mind, *queried: Literal) -> bool:
    assert mind.current is not None
    if not queried:
        agent.observe_top(mind, mind.current, "suspended")
        mind.PI.append(Waiting("self", mind.current, suspended=True))
        return False
    goal = queried[0]
    stopped: list[Intention | None] = []
    for acting in (*mind.PA, *mind.FA):
        if has_goal(acting.intention, goal):
            acting.suspended = True
            stopped.append(acting.intention)
    for waiting in mind.PI:
        if has_goal(waiting.intention, goal) and not waiting.is_over:
            stopped.append(waiting.intention)
        waiting.suspended |= has_goal(waiting.intention, goal)
    for some in (mind.AI, mind.I):
        stopped += [each for each in some if has_goal(each, goal)]
        mind.PI += [
            Waiting("suspended", each, suspended=True) for each in some if has_goal(each, goal)
        ]
        some[:] = [each for each in some if not has_goal(each, goal)]
    goes_on = not has_goal(mind.current, goal)
    if not goes_on:
        stopped.append(mind.current)
        mind.PI.append(Waiting("self", mind.current, suspended=True))
    for events in (mind.AE, mind.E):
        stopped += [(_means(each),) for each in events if _concerns(each, goal)]
        mind.PE += [each for each in events if _concerns(each, goal)]
        events[:] = [each for each in events if not _concerns(each, goal)]
    _observe_one(agent, mind, stopped, "suspended")
    return goes_on


def _observe_one(agent: Cycle, mind: Mind, some: list[Intention | None], *states: str) -> None:
    """What is told of the goals on top; in which order is not said."""
    observed = [each for each in some if each and agent.observes(each[-1:])]
    if len(observed) > 1:
        raise Unspecified("in which order states of goals are told")
    for intention in observed:
        for state in states:
            agent.observe_top(mind, intention, state)


def _means(event: Event) -> Means:
    """The goal of an event as if it had a plan."""
    return Means(event.sign, event.kind, event.literal, "", False, (), event.literal)


def resume(agent: Cycle, mind: Mind, goal: Literal) -> bool:
    acting = [
        each for each in (*mind.PA, *mind.FA) if each.suspended and has_goal(each.intention, goal)
    ]
    _observe_one(agent, mind, [each.intention for each in acting], "resumed")
    for each in acting:
        each.suspended = False
    set_free = []
    for waiting in tuple(mind.PI):
        if waiting.suspended and has_goal(waiting.intention, goal):
            waiting.suspended = False
            is_free = waiting.reason in ("self", "suspended")
            _observe_one(
                agent, mind, [waiting.intention], "resumed", "executing" if is_free else "waiting"
            )
            if is_free:
                mind.PI.remove(waiting)
                set_free.append(
                    without_step(waiting.intention)
                    if waiting.reason == "self"
                    else waiting.intention
                )
    _expect_one(set_free)
    for intention in set_free:
        ready(mind, intention)
    again = [each for each in mind.PE if _concerns(each, goal)]
    mind.PE = [each for each in mind.PE if not _concerns(each, goal)]
    _expect_one(again)
    for event in again:
        _observe_one(agent, mind, [event.intention or (_means(event),)], "resumed")
        if event.intention is None:
            agent.external(mind, event.sign, event.kind, event.literal)
        else:
            agent.internal(mind, event)
    return True


def _concerns(event: Event, goal: Literal) -> bool:
    return is_goal(event.sign, event.kind, event.literal, goal) or has_goal(event.intention, goal)


GOAL_ACTIONS: dict[str, Callable[..., Any]] = {
    ".drop_intention": drop_intention,
    ".drop_desire": drop_desire,
    ".drop_all_intentions": drop_all_intentions,
    ".drop_all_desires": drop_all_desires,
    ".drop_event": drop_event,
    ".drop_all_events": drop_all_events,
    ".succeed_goal": succeed_goal,
    ".fail_goal": fail_goal,
    ".suspend": suspend,
    ".resume": resume,
}
