"""Internal actions ``.wait`` and ``.at``, and goals with a deadline (``!g[hard_deadline(ms)]``)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.events import trigger_of
from volition.languages.jason.goal_state_events import top_goal_state_changed
from volition.languages.jason.intentions import goal_for_event
from volition.languages.jason.queries import ActionError, first_solution
from volition.languages.jason.state import Event, WaitingEntry
from volition.languages.jason.step_execution import StatefulAction, StepContext, StepResult
from volition.languages.jason.terms import Literal, Term, Text

__all__ = ["STATEFUL_ACTIONS", "duration", "start_deadline"]

_UNITS = {
    "": 1,
    "s": 1000,
    "second": 1000,
    "seconds": 1000,
    "m": 60_000,
    "minute": 60_000,
    "minutes": 60_000,
    "h": 3_600_000,
    "hour": 3_600_000,
    "hours": 3_600_000,
    "d": 86_400_000,
    "day": 86_400_000,
    "days": 86_400_000,
    "ms": 1,
}
_NOW = re.compile(r"\s*now\s*(?:\+\s*(\d+(?:\.\d+)?)\s*([a-z]*))?\s*")


def duration(mind: AgentState, milliseconds: Term) -> int:
    """Return the initial value of a timer in milliseconds. With ``time = free`` it is 0, because
    the timer may then end at any moment."""
    if not isinstance(milliseconds, int | float):
        raise ActionError(f"{milliseconds} is not a time in milliseconds")
    return max(0, int(milliseconds)) if mind.agent.settings.time == "ordered" else 0


def wait(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.wait(ms)``, ``.wait(formula[, ms[, T]])`` or ``.wait({+e}[, ms[, T]])``: the
    intention waits in PI until the formula holds or the event occurs, or until the time ``ms`` is
    over. T is bound to the time that has passed (with ``time = free`` always ``ms``)."""
    requested = arguments[0]
    value = run.value(requested)
    is_time = isinstance(value, int | float)
    if not is_time and trigger_of(value) is None:
        found = first_solution(requested, run.bindings, run.knowledge)
        if found is not None:
            return run.done(f"does not have to wait for {value}", found)
    limit = value if is_time else run.value(arguments[1]) if len(arguments) > 1 else None
    top_goal_state_changed(run.mind, run.intention, "waiting")
    run.mind.wait(
        WaitingEntry("wait", run.intention, None if limit is None else duration(run.mind, limit))
    )
    return run.detached(f"waits {value} ms" if is_time else f"waits for {value}")


def at(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.at("now +3 s", {+!g})``: schedule an external event for a later time. Its literal
    is posted as written, without an added source."""
    when, what = run.value(arguments[0]), run.value(arguments[1])
    written = _NOW.fullmatch(when.value) if isinstance(when, Text) else None
    if written is None or written[2] not in (None, *_UNITS):
        raise ActionError(f"{when} is not a time such as 'now +3 s'")
    amount = int(float(written[1] or 0) * _UNITS[written[2] or ""])
    event = _event(what)
    run.mind.wait(WaitingEntry("at", None, duration(run.mind, amount), event))
    return run.done(f"schedules {event} for {when.value if isinstance(when, Text) else when}")


def _event(what: Term) -> Event:
    trigger = trigger_of(what)
    if trigger is None or not isinstance(trigger.literal, Literal):
        raise ActionError(f"{what} is not an event")
    return Event(trigger.operator, trigger.kind, goal_for_event(trigger.literal)[0])


def start_deadline(mind: AgentState, goal: Literal) -> None:
    """Start the timer of a goal ``!g[hard_deadline(ms)]``. If g is still being pursued when the
    timer ends, g fails."""
    annotations = goal.known_annotations
    for each in annotations:
        match each:
            case Literal("hard_deadline", (limit,)):
                mind.wait(
                    WaitingEntry(
                        "deadline", None, duration(mind, limit), Event("+", "achieve", goal)
                    )
                )
            case _:
                pass


STATEFUL_ACTIONS: Mapping[str, StatefulAction] = {".at": at, ".wait": wait}
