"""Reasoning cycle of one agent, divided into three stages, with one function per rule.

- ``Perceive``: rule ``perceive``
- ``Deliberate``: rules ``mail``, ``begin``, ``SelEv``, ``RelPl``, ``ApplPl``, ``SelAppl``,
  ``AddIM``
- ``Act``: rules ``ProcAct``, ``SelInt``, ``ExecInt``, ``ClrInt``

The rules have Jason's names. The documentation and the setting ``cycle = parts`` call a stage a
part. Stages are separated where the agent accesses data that it shares with other components:
``Perceive`` reads percepts, ``Deliberate`` reads the mailbox and timers, ``Act`` reads one result
of an action and may send messages or request an action. Jason assigns ``mail`` to sensing. Here it
belongs to ``Deliberate``, because no shared data is accessed between ``mail`` and the following
rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from volition.languages.jason import beliefs as base
from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.body_steps import execute
from volition.languages.jason.environment import percepts
from volition.languages.jason.events import has_candidate_plan, has_event_waiters, post
from volition.languages.jason.failure import code_of, error, fail, fail_event
from volition.languages.jason.goal_state_events import all_goals_state_changed, goal_state_changed
from volition.languages.jason.intentions import (
    advance,
    clear,
    complete_step,
    push,
    tail_call_target,
    with_continuation,
)
from volition.languages.jason.loops import revise
from volition.languages.jason.messages import mail
from volition.languages.jason.query_context import AgentQueryContext
from volition.languages.jason.state import (
    ACT,
    ASLEEP,
    DELIBERATE,
    PERCEIVE,
    Event,
    IntendedMeans,
    Intention,
)
from volition.languages.jason.step_execution import StepResult
from volition.languages.jason.terms import PERCEPT, Literal
from volition.languages.jason.timing import run_scheduled
from volition.languages.jason.unification import without_annotations

__all__ = ["act", "deliberate", "has_input", "perceive", "percepts_changed"]


# --- stage Perceive -------------------------------------------------------------------------------


def perceive(mind: AgentState) -> Sequence[AgentState]:
    """Execute the stage ``Perceive``: read the percepts, and update the beliefs if the percepts
    have changed. Return the possible resulting states.

    First, beliefs that are no longer perceived lose ``source(percept)``. Then new percepts are
    added. Jason specifies neither the order of these removals nor the order of these additions.
    With ``percept_order = any`` the result contains one state for each order that makes a
    difference.
    """
    mind.part = DELIBERATE
    if any(not each.is_visible for each in mind.results):
        mind.results = tuple(each._replace(is_visible=True) for each in mind.results)
    seen = percepts(mind)
    order = _sorted(seen)
    if order == mind.seen:
        return [mind]
    mind.seen = order
    if mind.agent.settings.percept_order == "world":
        found = [base.update(mind.beliefs, seen)]
    else:
        found = list(
            base.update_orders(
                mind.beliefs, seen, lambda operator, literal: _is_noticed(mind, operator, literal)
            )
        )
    minds = [mind, *(mind.copy() for _ in found[1:])]
    for each, update in zip(minds, found, strict=True):
        _apply_belief_update(each, update)
    return minds


def _apply_belief_update(mind: AgentState, update: base.BeliefUpdate) -> None:
    revise(mind, update.beliefs, lost=(PERCEPT,))
    mind.check_bound("M_Bel", len(mind.beliefs), "beliefs")
    for gone in update.removed:
        if _is_noticed(mind, "-", gone):
            post(mind, Event("-", "belief", gone))
    for new in update.added:
        post(mind, Event("+", "belief", new))
    texts = [f"sees {_listed(update.added)}"] if update.added else []
    texts += [f"no longer sees {_listed(update.removed)}"] if update.removed else []
    mind.record("perceive", "; ".join(texts) or "sees nothing that changes its beliefs")


def _listed(percepts: Iterable[Literal]) -> str:
    return ", ".join(str(without_annotations(each)) for each in percepts)


def _is_noticed(mind: AgentState, operator: str, literal: Literal) -> bool:
    """Return whether a plan may handle the belief event with the given operator and literal, or
    some intention waits in ``.wait`` for an event or a query."""
    return has_candidate_plan(
        mind, Event("+" if operator == "+" else "-", "belief", literal)
    ) or has_event_waiters(mind)


def _sorted(seen: Sequence[Literal]) -> tuple[Literal, ...]:
    return tuple(sorted(dict.fromkeys(seen), key=str))


def percepts_changed(mind: AgentState) -> bool:
    """Return whether the current percepts differ from those that the agent read in its last
    ``Perceive`` stage."""
    return _sorted(percepts(mind)) != mind.seen


# --- stage Deliberate -----------------------------------------------------------------------------


def deliberate(mind: AgentState) -> Sequence[AgentState]:
    """Execute the stage ``Deliberate``: process one message, run the tasks that are due (ended
    timers, scheduled events), and select a plan for one event."""
    mind.part = ACT
    mail(mind)
    run_scheduled(mind)
    select_event(mind)
    return [mind]


def select_event(mind: AgentState) -> None:
    """Select an event and handle it (rule SelEv).

    While an atomic intention is running or waiting, no event is selected. If an atomic intention
    has posted an event and is attached to it, this event (AE) comes first. Otherwise the first
    event of the queue E is selected. External belief events without a plan are discarded until an
    event with a plan is found.
    """
    if _atomic_of(mind) is not None:
        return
    while mind.events:
        index = next((number for number, each in enumerate(mind.events) if each.is_atomic), 0)
        event = mind.events[index]
        mind.events = mind.events[:index] + mind.events[index + 1 :]
        mind.selected_event = event
        dealt_with = handle_event(mind, event)
        mind.selected_event = None
        if dealt_with:
            return


def handle_event(mind: AgentState, event: Event) -> bool:
    """Select a plan for an event and create or extend an intention (rules RelPl, ApplPl, SelAppl,
    AddIM).

    Return False if the event was discarded: the caller then selects another event in the same
    cycle. Otherwise return True.
    """
    library = mind.agent.library
    option = library.applicable(event, AgentQueryContext(mind))
    if option is not None:
        if (event.operator, event.kind) == ("+", "achieve"):
            goal_state_changed(mind, event, "executing")
        intention = push(event, option, last_call=mind.agent.settings.tro)
        replaced = tail_call_target(event) if mind.agent.settings.tro else None
        _end(mind, [] if replaced is None else [replaced], intention)
        mind.record(
            "AddIM",
            f"takes plan {option.plan.label} for {event}",
            plan=option.plan.label,
            span=option.plan.span,
        )
        return True
    missing = "applicable" if has_candidate_plan(mind, event) else "relevant"
    if event.is_goal and event.operator != "^":
        annotations = error(f"no_{missing}", f"no {missing} plan for {event}")
        top = None if event.intention is None else event.intention.top
        where = () if top is None else code_of(top.body[0], dict(top.bindings))
        text = f"has no {missing} plan for {event}{fail_event(mind, event, (*annotations, *where))}"
        requested = (
            next((each.plan for each in library.relevant(event)), None) if top is None else None
        )
        mind.record(
            "SelEv",
            text,
            plan=top and top.plan,
            span=requested.span if requested else top and top.body[0].span,
        )
        return True
    if event.intention is not None:
        mind.run(advance(event.intention, dict(event.intention.top.bindings)))
        mind.record("SelEv", f"needs no plan for {event}")
        return True
    if mind.agent.settings.events == "requeue":
        mind.events = (*mind.events, event)
        mind.record("SelEv", f"has no {missing} plan for {event} and puts it back")
        return True
    mind.record("SelEv", f"discards {event}")
    return False


# --- stage Act ------------------------------------------------------------------------------------


def act(mind: AgentState) -> Sequence[AgentState]:
    """Execute the stage ``Act``: process one result of an action, execute one step of one
    intention, and determine whether the agent stays awake. Return the possible resulting states.

    Percepts that change before the end of the cycle are read in the next cycle.
    """
    process_result(mind)
    intention = select_intention(mind)
    minds = [mind] if intention is None else execute_intention(mind, intention)
    for each in minds:
        each.part = PERCEIVE if _can_progress(each) or percepts_changed(each) else ASLEEP
    return minds


def process_result(mind: AgentState) -> None:
    """Process one result of an action from FA, the queue of results (rule ProcAct). Results for
    suspended intentions stay in FA."""
    for result in mind.results:
        if not result.is_visible or mind.acting[result.position].suspended:
            continue
        done, intention = mind.remove_action(result.position)
        if result.success:
            mind.record("ProcAct", f"hears that {done.action} is done")
            finished: list[IntendedMeans] = []
            left = complete_step(intention, finished)
            if left is not None:
                all_goals_state_changed(
                    mind, left, "executing", Literal("action_executed", (done.action,))
                )
            _end(mind, finished, left)
        else:
            annotations = (
                *error("action_failed"),
                *code_of(intention.top.body[0], dict(intention.top.bindings)),
            )
            mind.record(
                "ProcAct",
                f"hears that {done.action} has failed{fail(mind, intention, annotations)}",
            )
        return


def select_intention(mind: AgentState) -> Intention | None:
    """Remove the next intention from I, the running intentions, and return it (rule SelInt): the
    atomic intention AI if it exists, otherwise the first of I. Return None if I is empty or AI is
    waiting."""
    atomic = _atomic_of(mind)
    if not mind.running or (atomic is not None and atomic not in mind.running):
        return None
    index = 0 if atomic is None else mind.running.index(atomic)
    selected = mind.running[index]
    mind.running = mind.running[:index] + mind.running[index + 1 :]
    return selected


def execute_intention(mind: AgentState, intention: Intention) -> list[AgentState]:
    """Execute one step of an intention (rule ExecInt) and remove the plans on its stack that are
    finished (rule ClrInt). The intention is appended to I, the running intentions, unless it waits
    or has ended. Return one state for each possible outcome."""
    if not intention.top.body:
        mind.record("ClrInt", f"ends plan {intention.top.plan}", plan=intention.top.plan)
        finished: list[IntendedMeans] = []
        _end(mind, finished, clear(intention, finished))
        return [mind]
    return [_continue_intention(outcome) for outcome in execute(mind, intention)]


def _end(mind: AgentState, finished: Sequence[IntendedMeans], left: Intention | None) -> None:
    """Post the goal state events ``achieved`` and ``finished`` for the goals of the ``finished``
    intended means. Append the rest of the intention (``left``), if any, to I, the running
    intentions."""
    for means in finished:
        goal_state_changed(mind, means, "achieved")
        goal_state_changed(mind, means, "finished")
    if left is not None:
        mind.run(left)


def _continue_intention(outcome: StepResult) -> AgentState:
    mind, intention = outcome.mind, outcome.intention
    step, text = intention.top.body[0], outcome.text
    match outcome.kind:
        case "done":
            after = intention.top.body.tail if outcome.body is None else outcome.body
            finished: list[IntendedMeans] = []
            _end(
                mind,
                finished,
                clear(
                    intention.with_top(with_continuation(intention.top, after, outcome.bindings)),
                    finished,
                ),
            )
        case "failed":
            annotations = (*outcome.error, *code_of(step, dict(intention.top.bindings)))
            text += fail(mind, intention, annotations)
        case "left":
            pass
        case _:
            assert_never(outcome.kind)
    mind.record("ExecInt", text, plan=intention.top.plan, span=step.span)
    return mind


# --- atomic intentions, and reasons to stay awake or wake up --------------------------------------


def _atomic_of(mind: AgentState) -> Intention | None:
    """Return the agent's atomic intention (AI) if it is running or waiting, otherwise None. While
    it exists, no other intention runs and no event is selected."""
    if not mind.agent.library.has_atomic:
        return None
    waiting = (each.intention for each in (*mind.waiting, *mind.due) if each.intention is not None)
    return next((each for each in (*mind.running, *mind.acting, *waiting) if each.is_atomic), None)


def _can_progress(mind: AgentState) -> bool:
    """Return whether the agent can do something without a new message, result or percept."""
    if mind.due or _has_result(mind):
        return True
    if not mind.running and not _has_event(mind):
        return False
    atomic = _atomic_of(mind)
    return atomic is None or atomic in mind.running


def _has_event(mind: AgentState) -> bool:
    """Return whether selecting an event would have an effect. With ``events=requeue``, putting an
    event back into the queue does not count as an effect."""
    if mind.agent.settings.events == "requeue":
        return any(not _would_be_requeued(mind, each) for each in mind.events)
    return bool(mind.events)


def _would_be_requeued(mind: AgentState, event: Event) -> bool:
    """Return whether an event would be put back at the end of the event queue E each time it is
    selected, as long as nothing else changes."""
    if event.is_goal or event.intention is not None:
        return False
    alone = mind.copy()
    alone.choices, alone.choice_counts, alone.selected_event = [], [], event
    return (
        mind.agent.library.applicable(event, AgentQueryContext(alone)) is None
        and not alone.choice_counts
    )  # with another choice it may have a plan next time


def _has_result(mind: AgentState) -> bool:
    return any(not mind.acting[each.position].suspended for each in mind.results)


def has_input(mind: AgentState) -> bool:
    """Return whether a sleeping agent has a reason to wake up other than changed percepts: a
    message, a task that is due (such as an ended timer), or a result of an action."""
    return bool(mind.mail or mind.due or _has_result(mind))
