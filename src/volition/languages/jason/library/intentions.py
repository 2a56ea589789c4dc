"""Internal actions with effects on the agent's own desires, intentions, events or beliefs, and
actions that print."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from volition.languages.jason import beliefs as base
from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.events import post
from volition.languages.jason.failure import error, fail_event
from volition.languages.jason.goal_queries import (
    has_goal,
    is_goal_event,
    is_means_for,
    remove_events,
    remove_intentions,
    remove_waiting,
)
from volition.languages.jason.goal_state_events import (
    goal_state_changed,
    goals_dropped,
    top_goal_state_changed,
)
from volition.languages.jason.intentions import advance, complete_step
from volition.languages.jason.printing import printed
from volition.languages.jason.queries import ActionError
from volition.languages.jason.state import STOPPED, Event, IntendedMeans, Intention, WaitingEntry
from volition.languages.jason.step_execution import StatefulAction, StepContext, StepResult
from volition.languages.jason.terms import Literal, Term, Variable

__all__ = ["STATEFUL_ACTIONS"]


def _goal(arguments: tuple[Term, ...], run: StepContext) -> Literal:
    goal = run.value(arguments[0])
    if not isinstance(goal, Literal):
        raise ActionError(f"{goal} is not a goal")
    return goal


# --- dropping intentions, desires and events ------------------------------------------------------


def drop_intention(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.drop_intention(g)``: drop all intentions with ``+!g`` in their stack, without a
    failure. Without an argument, drop the current intention."""
    if not arguments:
        _schedule_dropped_events(run, [run.intention])
        return run.detached("drops its intention")
    goal = _goal(arguments, run)
    _schedule_dropped_events(run, remove_intentions(run.mind, lambda each: has_goal(each, goal)))
    return _drop_result(has_goal(run.intention, goal), f"drops its intentions {goal}", run)


def drop_desire(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.drop_desire(g)``: drop all intentions with ``+!g`` in their stack, and all pending
    events ``+!g`` together with the intentions attached to them. No failure is raised."""
    goal = _goal(arguments, run)
    _drop_events(run, lambda each: is_goal_event(each, goal))
    _schedule_dropped_events(run, remove_intentions(run.mind, lambda each: has_goal(each, goal)))
    return _drop_result(has_goal(run.intention, goal), f"drops its desires {goal}", run)


def drop_all_intentions(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:  # noqa: ARG001
    """Execute ``.drop_all_intentions``: drop all intentions except the current one. Events
    scheduled by ``.at`` are cancelled too."""
    _drop_all(run)
    return run.done("drops all its other intentions")


def drop_all_desires(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:  # noqa: ARG001
    """Execute ``.drop_all_desires``: drop all intentions except the current one, and all pending
    goal events. Belief events stay, because they are not desires."""
    _drop_events(run, lambda each: each.is_goal)
    _drop_all(run)
    return run.done("drops all its other desires")


def _drop_all(run: StepContext) -> None:
    _schedule_dropped_events(run, remove_intentions(run.mind, lambda _: True))
    for waiting in run.mind.waiting:
        if waiting.kind == "at":
            run.mind.stop_waiting(waiting)


def _schedule_dropped_events(run: StepContext, intentions: Sequence[Intention]) -> None:
    """Schedule the goal state events ``dropped`` and ``finished`` for all goals of intentions that
    an internal action drops. Other branches of a fork are not affected: if one of the intentions is
    a branch of ``|&|``, the steps after this fork are never executed."""
    goals_dropped(run.mind, intentions)


def _drop_events(run: StepContext, requested: Callable[[Event], bool]) -> None:
    _schedule_dropped_events(
        run,
        [
            each.intention
            for each in remove_events(run.mind, requested)
            if each.intention is not None
        ],
    )


def drop_event(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.drop_event(g)``: drop pending events ``+!g`` together with the intentions attached
    to them."""
    goal = _goal(arguments, run)
    _drop_events(run, lambda each: is_goal_event(each, goal))
    return run.done(f"drops the events +!{goal}")


def drop_all_events(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:  # noqa: ARG001
    _drop_events(run, lambda _: True)
    return run.done("drops all events")


def _drop_result(current: bool, text: str, run: StepContext) -> Sequence[StepResult]:
    """Return the step result of a drop action, described by ``text``. If ``current`` is True, the
    current intention is dropped too."""
    if not current:
        return run.done(text)
    _schedule_dropped_events(run, [run.intention])
    return run.detached(f"{text}, including this one")


# --- ending goals: .succeed_goal and .fail_goal ---------------------------------------------------


def succeed_goal(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.succeed_goal(g)``: every intention that contains g continues as if the lowest g in
    its stack had been achieved. Pending events ``+!g`` count as achieved too."""
    goal = _goal(arguments, run)
    if _end_goals(run.mind, goal, run.intention, partial(_achieve_goal, run.mind)):
        return run.detached(f"counts {goal} as achieved, and continues below it")
    return run.done(f"counts {goal} as achieved")


def fail_goal(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.fail_goal(g)``: in every intention that contains g, the lowest g in the stack
    fails. Pending events ``+!g`` fail too. If g is below the last fork ``|||`` of an intention, the
    intention ends without handling the failure.

    If g is at the bottom of its intention, Jason 3.3.2 throws a NullPointerException: see
    :class:`_BottomGoal`.
    """
    goal = _goal(arguments, run)
    text = f"makes {goal} fail"
    try:
        return (
            run.detached(text) if _fail_goals(run.mind, goal, (), run.intention) else run.done(text)
        )
    except _BottomGoal as problem:
        if not problem.is_current:
            return run.failed(f"{text}; Jason throws a NullPointerException", "unknown")
        _reset_circumstance(run.mind)
        return run.detached(
            f"{text}; Jason throws a NullPointerException and restarts the agent with its beliefs "
            "only"
        )


def fail_goals(mind: AgentState, goal: Literal, annotations: tuple[Term, ...]) -> None:
    """Let a goal fail in all events and intentions of the agent, because its deadline has passed.
    The failure events get the given annotations.

    If the goal is at the bottom of an intention, Jason's exception (see :class:`_BottomGoal`) ends
    this function early. No step fails because of this exception, since no step has called
    ``.fail_goal``.
    """
    with suppress(_BottomGoal):
        _fail_goals(mind, goal, annotations, None)


class _BottomGoal(Exception):
    """Exception: ``.fail_goal`` has reached a goal at the bottom of an intention, with no other
    goal below it. Jason 3.3.2 throws a NullPointerException there, with these consequences:

    - The intention disappears, and the rest of ``.fail_goal`` is not executed.
    - The step that called ``.fail_goal`` fails.
    - If this step belongs to the intention that disappears (``is_current``), the step disappears
      too and cannot fail. Jason then resets the agent's circumstance instead: see
      :func:`_reset_circumstance`.
    """

    def __init__(self, *, is_current: bool) -> None:
        super().__init__()
        self.is_current = is_current


def _fail_goals(
    mind: AgentState, goal: Literal, annotations: tuple[Term, ...], current: Intention | None
) -> bool:
    """Let a goal fail in all events and intentions of the agent. The failure events get the given
    annotations. Return whether the intention ``current``, which is being executed, contains the
    goal."""

    def failed(event: Event) -> None:
        fail_event(mind, event, annotations)

    return _end_goals(mind, goal, current, failed, fails=True)


def _reset_circumstance(mind: AgentState) -> None:
    """Remove all events, intentions and messages of an agent, as Jason does after an exception.
    Requested actions are still executed, but their results are discarded."""
    remove_intentions(mind, lambda _: True)
    mind.events, mind.shelved, mind.mail = (), (), ()


def _end_goals(
    mind: AgentState,
    goal: Literal,
    current: Intention | None,
    ended: Callable[[Event], Intention | None],
    *,
    fails: bool = False,
) -> bool:
    """End a goal in all events and intentions of the agent. If a stack contains the goal several
    times, the lowest one ends, and everything above it is removed. Return whether the intention
    ``current``, which is being executed, contains the goal. ``current`` is None if no intention is
    being executed.

    For each event or intention with the goal, ``ended`` is called with an event that holds the goal
    and the part of the intention below the goal. ``ended`` returns the intention that continues, or
    None. A running intention keeps its position in I, the running intentions. Any other intention
    (the current one, or one in E, PE, PA or PI) is appended to I.

    ``fails`` means that the goal fails instead of being achieved. Then a goal at the bottom of its
    intention raises :class:`_BottomGoal`, and the events and intentions that have not been
    processed stay unchanged. They are therefore processed one at a time.
    """
    forks: set[int] = set()
    lowest = partial(_lowest, goal=goal, forks=forks, fails=fails)
    for pending in (*mind.events, *mind.shelved):
        inside = (
            pending.intention
            if pending.intention is not None and has_goal(pending.intention, goal)
            else None
        )
        if (inside is not None or is_goal_event(pending, goal)) and _take_this_event(mind, pending):
            _resume_below(mind, pending if inside is None else lowest(inside), ended)
    for intention in mind.running:
        if has_goal(intention, goal) and intention in mind.running:
            index = mind.running.index(intention)
            mind.running = mind.running[:index] + mind.running[index + 1 :]
            if (event := lowest(intention)) is not None and (left := ended(event)) is not None:
                mind.running = (*mind.running[:index], left, *mind.running[index:])
    is_current = current is not None and has_goal(current, goal)
    if current is not None and is_current:
        _resume_below(mind, lowest(current, is_current=True), ended)
    while taken := _take_one_waiting(mind, goal):
        _resume_below(mind, lowest(taken), ended)
    return is_current


def _take_this_event(mind: AgentState, event: Event) -> bool:
    """Remove one occurrence of an event from E (pending) or PE (suspended). Return whether there
    was one."""
    return bool(remove_events(mind, _once(lambda each: each == event)))


def _take_one_waiting(mind: AgentState, goal: Literal) -> Intention | None:
    """Remove one waiting intention that contains ``goal`` from PA or PI, and return it. Return None
    if there is none."""
    return next(iter(remove_waiting(mind, _once(lambda each: has_goal(each, goal)))), None)


_T = TypeVar("_T")


def _once(requested: Callable[[_T], bool]) -> Callable[[_T], bool]:
    """Return a predicate that holds only for the first value that satisfies ``requested``."""
    met = False

    def first(each: _T) -> bool:
        nonlocal met
        is_first = not met and requested(each)
        met = met or is_first
        return is_first

    return first


def _resume_below(
    mind: AgentState, event: Event | None, ended: Callable[[Event], Intention | None]
) -> None:
    if event is not None and (left := ended(event)) is not None:
        mind.run(left)


def _lowest(
    intention: Intention, goal: Literal, forks: set[int], *, fails: bool, is_current: bool = False
) -> Event | None:
    """Return the lowest occurrence of a goal in the stack of an intention, as an event with the
    part of the intention below the goal. Return None if the intention ends together with the goal.

    A goal below the last fork is in the stacks of all branches of this fork, but only one of the
    branches continues. ``forks`` contains the numbers of the forks of which a branch already
    continues. After a failure no branch of ``|||`` continues.

    ``fails`` means that the goal fails instead of being achieved. Then a goal at the bottom of the
    intention raises :class:`_BottomGoal`.
    """
    lowest = next(each for each in reversed(intention.stack) if is_means_for(each, goal))
    left = intention.stack[-lowest.depth_after_return :] if lowest.depth_after_return else ()
    branch = intention.branch
    if branch is not None and len(left) < branch.depth:
        if branch.spent or branch.number in forks:
            return None
        forks |= {branch.number} - {0}
        branch = branch._replace(number=0, spent=True)
    if fails and not left:
        raise _BottomGoal(is_current=is_current)
    if fails and branch is not None and branch.join == "|||" and len(left) < branch.depth:
        return None
    return Event(
        "+",
        lowest.kind,
        lowest.literal,
        intention._replace(stack=left, branch=branch) if left else None,
        lowest.return_bindings,
    )


def _achieve_goal(mind: AgentState, event: Event) -> Intention | None:
    """Let the goal of ``event`` count as achieved. Return the intention that continues after it, or
    None."""
    finished: list[IntendedMeans] = []
    left = None if event.intention is None else complete_step(event.intention, finished)
    ended: list[Event | IntendedMeans] = [event, *finished]
    for each in ended:
        goal_state_changed(mind, each, "achieved")
        goal_state_changed(mind, each, "finished")
    return left


# --- suspending and resuming intentions -----------------------------------------------------------


def suspend(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.suspend`` for the current intention, or ``.suspend(g)`` for all intentions and
    events with the goal g: move them from I to PI (intentions) or from E to PE (events). An
    intention that is already waiting does not resume when its waiting ends."""
    mind = run.mind
    if not arguments:
        top_goal_state_changed(mind, run.intention, "suspended")
        mind.wait(WaitingEntry("suspended itself", run.intention._replace(suspended=True)))
        return run.detached("suspends its intention")
    goal = _goal(arguments, run)
    _mark_waiting(mind, goal, suspended=True)
    stopped = [each for each in mind.running if has_goal(each, goal)]
    mind.running = tuple(each for each in mind.running if each not in stopped)
    for intention in stopped:
        top_goal_state_changed(mind, intention, "suspended")
        mind.wait(WaitingEntry("suspended", intention._replace(suspended=True)))
    away = [each for each in mind.events if _concerns(each, goal)]
    for event in away:
        if event.operator == "+":
            goal_state_changed(mind, event, "suspended")
    mind.events = tuple(each for each in mind.events if each not in away)
    mind.shelved = (*mind.shelved, *(_marked(each, suspended=True) for each in away))
    if has_goal(run.intention, goal):
        top_goal_state_changed(mind, run.intention, "suspended")
        mind.wait(WaitingEntry("suspended itself", run.intention._replace(suspended=True)))
        return run.detached(f"suspends {goal}, including this intention")
    return run.done(f"suspends {goal}")


def resume(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.resume(g)``: undo ``.suspend(g)``. An intention whose waiting has ended in the
    meantime continues."""
    mind = run.mind
    goal = _goal(arguments, run)
    _mark_waiting(mind, goal, suspended=False)
    for waiting in mind.waiting:
        intention = waiting.intention
        if (
            waiting.kind in ("suspended", "suspended itself")
            and intention is not None
            and not intention.suspended
        ):
            mind.stop_waiting(waiting)
            itself = waiting.kind == "suspended itself"
            mind.run(advance(intention, dict(intention.top.bindings)) if itself else intention)
    back = [each for each in mind.shelved if _concerns(each, goal)]
    mind.shelved = tuple(each for each in mind.shelved if each not in back)
    for event in back:
        if event.operator == "+":
            goal_state_changed(mind, event, "resumed")
        post(mind, _marked(event, suspended=False))
    return run.done(f"resumes {goal}")


def _concerns(event: Event, goal: Literal) -> bool:
    return is_goal_event(event, goal) or (
        event.intention is not None and has_goal(event.intention, goal)
    )


def _marked(event: Event, *, suspended: bool) -> Event:
    return (
        event
        if event.intention is None
        else event._replace(intention=event.intention._replace(suspended=suspended))
    )


def _mark_waiting(mind: AgentState, goal: Literal, *, suspended: bool) -> None:
    """Mark the waiting intentions with ``goal`` (in PA and PI) as suspended, or as not suspended.
    They stay in these structures."""

    def marked(intention: Intention, then: str = "waiting") -> Intention:
        if intention.suspended == suspended or not has_goal(intention, goal):
            return intention
        top_goal_state_changed(mind, intention, "suspended" if suspended else "resumed")
        if not suspended:
            top_goal_state_changed(mind, intention, then)
        return intention._replace(suspended=suspended)

    mind.acting = tuple(marked(each) for each in mind.acting)
    for waiting in mind.waiting:
        if waiting.intention is not None:
            changed = marked(
                waiting.intention,
                "executing" if waiting.kind in ("suspended", "suspended itself") else "waiting",
            )
            if changed is not waiting.intention:
                mind.stop_waiting(waiting)
                mind.wait(waiting._replace(intention=changed))
    due = mind.due
    changed_due = [
        each._replace(intention=marked(each.intention)) if each.intention else each for each in due
    ]
    mind.due = (*changed_due, *mind.due[len(due) :])  # with meta events added meanwhile


# --- beliefs, failure, output ---------------------------------------------------------------------


def abolish(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.abolish(p)``: remove all beliefs that match p, whatever their sources, and post an
    external event for each. ``_[source(bob)]`` matches any belief from bob."""
    pattern = run.value(arguments[0])
    if not isinstance(pattern, Literal | Variable):
        raise ActionError(f"{pattern} is not a belief")
    beliefs, gone = base.abolish(run.mind.beliefs, pattern, run.bindings)
    run.revise(beliefs)
    for literal in gone:
        post(run.mind, Event("-", "belief", literal))
    return run.done(f"abolishes {pattern}")


def fail(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.fail``, or ``.fail(error(X), ..)``, whose arguments become the annotations of the
    failure. If ``error`` or ``error_msg`` is not given, it gets a default value."""
    if not arguments:
        return run.failed("fails", "ia_failed")
    own = tuple(run.value(each) for each in arguments)
    said = {each.functor for each in own if isinstance(each, Literal)}
    usual = [
        each
        for each in error("internal_action", "fail")
        if isinstance(each, Literal) and each.functor not in said
    ]
    return [
        StepResult(
            run.mind,
            run.intention,
            "failed",
            f"fails with {', '.join(map(str, own))}",
            error=(*own, *usual),
        )
    ]


def stop(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:  # noqa: ARG001
    """Execute ``.stopMAS``: the run may end at any moment from now on."""
    run.mind.write(STOPPED, "asked for")
    run.mind.accesses_shared_state = True
    return run.done("requests the end of the run")


def say(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.print`` and similar actions: show the printed text in the trace."""
    return run.done(
        "prints " + "".join(printed(run.value(each), run.bindings) for each in arguments)
    )


STATEFUL_ACTIONS: Mapping[str, StatefulAction] = {
    ".abolish": abolish,
    ".drop_all_desires": drop_all_desires,
    ".drop_all_events": drop_all_events,
    ".drop_all_intentions": drop_all_intentions,
    ".drop_desire": drop_desire,
    ".drop_event": drop_event,
    ".drop_intention": drop_intention,
    ".fail": fail,
    ".fail_goal": fail_goal,
    ".list_plans": say,
    ".log": say,
    ".print": say,
    ".println": say,
    ".resume": resume,
    ".stopMAS": stop,
    ".succeed_goal": succeed_goal,
    ".suspend": suspend,
}
