"""Timers, and the tasks that are run at the start of a reasoning cycle (rule ``begin``).

With ``time = free`` a running timer may end at any later moment. With ``time = ordered`` steps take
no time: when no component has another transition, time advances to the next deadline, and the
timers that are then due end in any order.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import assert_never

from volition.kernel.system import Choice, SlotView
from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.events import post
from volition.languages.jason.failure import code_of, error, fail
from volition.languages.jason.goal_queries import has_goal, is_goal_event
from volition.languages.jason.goal_state_events import post_meta_event, top_goal_state_changed
from volition.languages.jason.intentions import advance
from volition.languages.jason.library.intentions import fail_goals
from volition.languages.jason.state import Intention, WaitingEntry, mind_slot
from volition.languages.jason.syntax import InternalAction
from volition.languages.jason.terms import Literal, Term, atom
from volition.languages.jason.unification import apply, unify
from volition.origin import Origin

__all__ = ["advance_time", "expire_timers", "run_scheduled"]

TIMEOUT = atom("timeout")


# --- tasks of the rule begin ----------------------------------------------------------------------


def run_scheduled(mind: AgentState) -> None:
    """Run all tasks that are due at the start of a reasoning cycle: end waits, post scheduled
    events, and end goals whose deadline has passed. The tasks run in order, including those that
    other tasks schedule."""
    while mind.due:
        each, *later = mind.due
        mind.due = tuple(later)
        match each.kind:
            case "wait":
                assert each.intention is not None
                _end_wait(mind, each, each.intention)
            case "ask":
                assert each.intention is not None
                resume_ask(mind, each.intention, TIMEOUT, "begin")
            case "meta":
                assert each.event is not None
                post_meta_event(mind, each.event)
            case "at":
                assert each.event is not None
                post(mind, each.event)
                mind.record("begin", f"posts the scheduled event {each.event}")
            case "deadline":
                assert each.event is not None
                _end_deadline(mind, each.event.literal)
            case "suspended" | "suspended itself" | "expired":
                pass
            case _:
                assert_never(each.kind)


def _end_wait(mind: AgentState, waiting: WaitingEntry, intention: Intention) -> None:
    """End the ``.wait`` of an intention: the intention continues, or it fails if it waited for an
    event or a query and its timeout has passed."""
    step = intention.top.body[0]
    assert isinstance(step, InternalAction)
    bindings = dict(intention.top.bindings)
    requested, *further = [apply(each, bindings) for each in step.action.arguments]
    if waiting.wakeup == "time" and not isinstance(requested, int | float) and len(further) < 2:
        annotations = (*error("wait_timeout", f"timeout for {requested}"), *code_of(step, bindings))
        mind.record(
            "begin",
            f"has waited too long for {requested}{fail(mind, intention, annotations)}",
            plan=intention.top.plan,
            span=step.span,
        )
        return
    if len(further) == 2 and isinstance(further[0], int | float):
        elapsed = (
            further[0] - (waiting.remaining or 0)
            if mind.agent.settings.time == "ordered"
            else further[0]
        )
        bindings = unify(further[1], elapsed, bindings) or bindings
    resume(mind, advance(intention, bindings))
    mind.record(
        "begin",
        "has waited long enough" if waiting.wakeup == "time" else f"has waited for {requested}",
        plan=intention.top.plan,
    )


def resume(mind: AgentState, intention: Intention) -> None:
    """Resume an intention whose waiting has ended. If it is suspended, it stays in PI, the waiting
    intentions."""
    if intention.suspended:
        mind.wait(WaitingEntry("suspended", intention))
    else:
        top_goal_state_changed(mind, intention, "executing")
        mind.run(intention)


def resume_ask(mind: AgentState, intention: Intention, answer: Term, stage: str) -> None:
    """Resume an intention that waits in ``.send(.., ask, .., A)`` for ``answer``: unify A with the
    answer, or fail if they do not unify. ``stage`` is the rule of the reasoning cycle that the
    trace shows."""
    step = intention.top.body[0]
    assert isinstance(step, InternalAction)
    bindings = dict(intention.top.bindings)
    requested = step.action.arguments[3]
    found = unify(requested, answer, bindings)
    if found is None:
        message = f"the answer {answer} does not unify with {apply(requested, bindings)}"
        annotations = (*error("ask_failed", message), *code_of(step, bindings))
        mind.record(
            stage,
            f"gets an answer that does not match: {answer}{fail(mind, intention, annotations)}",
            plan=intention.top.plan,
        )
        return
    resume(mind, advance(intention, found))
    mind.record(stage, f"gets the answer {answer}", plan=intention.top.plan, span=step.span)


def _end_deadline(mind: AgentState, goal: Literal) -> None:
    """Handle the end of the deadline of ``!g[hard_deadline(ms)]``: if g is still being pursued, it
    fails in all events and intentions that contain it."""
    events = (*mind.events, *mind.shelved)
    intentions = (
        *mind.running,
        *mind.acting,
        *(each.intention for each in (*mind.waiting, *mind.due) if each.intention),
    )
    inside = [each.intention for each in events if each.intention is not None]
    if any(is_goal_event(each, goal) for each in events) or any(
        has_goal(each, goal) for each in (*intentions, *inside)
    ):
        fail_goals(mind, goal, error("deadline_reached"))
        mind.record("begin", f"has not reached {goal} in time")


# --- advancing time -------------------------------------------------------------------------------


def expire_timers(
    agent: str, otherwise: Mapping[str, Hashable], state: SlotView
) -> Sequence[Choice]:
    """Return the transitions that end a timer of an agent, one for each timer that may end now.
    ``otherwise`` are the slot values that every transition without an action writes: False for each
    atom ``Does``."""
    slot, due = mind_slot(agent, "waiting"), mind_slot(agent, "due")
    waiting: tuple[WaitingEntry, ...] = state[slot]
    choices = []
    for each in dict.fromkeys(each for each in waiting if each.remaining == 0):
        left = list(waiting)
        left.remove(each)
        if each.kind == "ask":
            left.append(WaitingEntry("expired", number=each.number, missing=each.missing))
        ended = each._replace(remaining=None, wakeup="time")
        writes = {slot: tuple(sorted(left, key=str)), due: (*state[due], ended), **otherwise}
        choices.append(
            Choice(
                Origin(agent, ("timer",), f"the timer of {_timer_text(each)} ends"),
                [(Fraction(1), writes)],
            )
        )
    return choices


def advance_time(
    agents: Sequence[str], otherwise: Mapping[str, Hashable], state: SlotView
) -> Sequence[Choice]:
    """Return the transition that advances time to the next deadline of any agent, or none if no
    timer runs or a timer has already expired. The caller ensures that no component has another
    transition. ``otherwise`` are the slot values that every transition without an action writes:
    False for each atom ``Does``."""
    waiting: dict[str, tuple[WaitingEntry, ...]] = {
        agent: state[mind_slot(agent, "waiting")] for agent in agents
    }
    remaining = [
        each.remaining
        for entries in waiting.values()
        for each in entries
        if each.remaining is not None
    ]
    if not remaining or min(remaining) == 0:
        return ()
    passed = min(remaining)
    writes: dict[str, Hashable] = dict(otherwise)
    for agent, entries in waiting.items():
        later = [
            each if each.remaining is None else each._replace(remaining=each.remaining - passed)
            for each in entries
        ]
        writes[mind_slot(agent, "waiting")] = tuple(sorted(later, key=str))
    return [Choice(Origin("clock", ("time",), f"{passed} ms pass"), [(Fraction(1), writes)])]


def _timer_text(waiting: WaitingEntry) -> str:
    if waiting.intention is not None:
        step = waiting.intention.top.body[0]
        return f"{waiting.intention.top} at {step}"
    return f"{waiting.event}"
