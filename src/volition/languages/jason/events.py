"""Posting of events: an event is appended to the event queue E, and intentions that wait for it
become due."""

from __future__ import annotations

from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.goal_state_events import goal_state_changed
from volition.languages.jason.intentions import with_continuation
from volition.languages.jason.queries import first_solution
from volition.languages.jason.query_context import AgentQueryContext
from volition.languages.jason.state import Event
from volition.languages.jason.substitution import renamed
from volition.languages.jason.syntax import (
    Achieve,
    AddBelief,
    InternalAction,
    RemoveBelief,
    Trigger,
)
from volition.languages.jason.terms import Bindings, BracedTerm, Literal, Term, Variable
from volition.languages.jason.unification import apply, unify, variables

__all__ = ["has_candidate_plan", "has_event_waiters", "is_handled", "post", "trigger_of"]


def post(mind: AgentState, event: Event) -> None:
    """Append an event to the event queue E.

    An external belief event without a relevant plan would be discarded when it is selected. It is
    therefore not queued, except in two cases: with ``cycle = parts``, which is the reference
    semantics, and with ``events=requeue``, where the event is put back into the queue each time it
    is selected.
    """
    mind.check_term_size(event.literal)
    settings = mind.agent.settings
    if settings.cycle == "parts" or settings.events == "requeue" or is_handled(mind, event):
        mind.events = (*mind.events, event)
        mind.check_bound("M_Ev", len(mind.events), "pending events")
    if (event.operator, event.kind) == ("+", "achieve"):
        goal_state_changed(mind, event, "pending")
    if has_event_waiters(mind):
        _wake_waiting(mind, event)


def is_handled(mind: AgentState, event: Event) -> bool:
    """Return whether an event has an effect: a plan handles it, it belongs to an intention, or it
    is about a goal. All other events are discarded."""
    return (
        event.kind != "belief"
        or event.intention is not None
        or next(mind.agent.library.relevant(event), None) is not None
    )


def has_candidate_plan(mind: AgentState, event: Event) -> bool:
    """Return whether some plan has a trigger with the event's operator, kind, name and arity."""
    return bool(mind.agent.library.candidates(event.operator, event.kind, event.literal))


def has_event_waiters(mind: AgentState) -> bool:
    """Return whether an intention waits in ``.wait`` for an event to occur or a query to hold."""
    return mind.agent.library.waits_for_events and any(each.kind == "wait" for each in mind.waiting)


def _wake_waiting(mind: AgentState, event: Event) -> None:
    """Wake the intentions that wait in ``.wait`` for ``event``, or for a query that now holds. They
    resume when the rule ``begin`` of the reasoning cycle is next applied."""
    for waiting in mind.waiting:
        intention = waiting.intention
        if waiting.kind != "wait" or intention is None:
            continue
        step = intention.top.body[0]
        assert isinstance(step, InternalAction)
        found = _awaited(step.action.arguments[0], dict(intention.top.bindings), event, mind)
        if found is not None:
            mind.stop_waiting(waiting)
            known = intention.with_top(with_continuation(intention.top, intention.top.body, found))
            mind.due = (*mind.due, waiting._replace(intention=known, wakeup="event"))


def _awaited(
    requested: Term, bindings: Bindings, event: Event, mind: AgentState
) -> Bindings | None:
    value = apply(requested, bindings)
    if isinstance(value, int | float):
        return None
    trigger = trigger_of(value)
    if trigger is None:
        return first_solution(requested, bindings, AgentQueryContext(mind))
    if (trigger.operator, trigger.kind) != (event.operator, event.kind):
        return None
    apart = {name: f"event {name}" for name in variables(event.literal)}
    return unify(trigger.literal, renamed(event.literal, apart), bindings)


def trigger_of(term: Term) -> Trigger | None:
    """Return the trigger in a term in braces, or None if the term is not a trigger. The parser
    reads ``{+!g}`` as a trigger, and ``{+b}`` as the plan body that adds b; both are accepted."""
    match term:
        case BracedTerm(Trigger() as trigger):
            return trigger
        case BracedTerm((AddBelief(Literal() | Variable() as belief) as step,)):
            return Trigger("+", "belief", belief, span=step.span)
        case BracedTerm((RemoveBelief(Literal() | Variable() as belief) as step,)):
            return Trigger("-", "belief", belief, span=step.span)
        case BracedTerm((Achieve(Literal() | Variable() as goal) as step,)):
            return Trigger("+", "achieve", goal, span=step.span)
        case _:
            pass
    return None
