"""Posting events: at the end of E, and everybody who waits for one is told."""

from __future__ import annotations

from volition.languages.jason.intentions import with_body
from volition.languages.jason.knowledge import MindKnowledge
from volition.languages.jason.meta import note
from volition.languages.jason.mind import Mind
from volition.languages.jason.queries import first_solution
from volition.languages.jason.state import Event
from volition.languages.jason.substitution import renamed
from volition.languages.jason.syntax import Achieve, AddBelief, Call, RemoveBelief, Trigger
from volition.languages.jason.terms import Bindings, Block, Literal, Term, Variable
from volition.languages.jason.unification import apply, unify, variables

__all__ = ["can_be_dealt_with", "is_anyone_waiting", "is_planned_for", "post", "trigger_of"]


def post(mind: Mind, event: Event) -> None:
    """Puts an event at the end of E.

    An external belief event for which no plan is relevant would be discarded the moment it is selected, and is not even queued; the cut
    into parts keeps it, as the reference.  With ``events=requeue`` it takes its turn again and again, before others.
    """
    mind.finite(event.literal)
    settings = mind.agent.settings
    if settings.cycle == "parts" or settings.events == "requeue" or can_be_dealt_with(mind, event):
        mind.events = (*mind.events, event)
        mind.within("M_Ev", len(mind.events), "pending events")
    if (event.operator, event.kind) == ("+", "achieve"):
        note(mind, event, "pending")
    if is_anyone_waiting(mind):
        _notice(mind, event)


def can_be_dealt_with(mind: Mind, event: Event) -> bool:
    """Whether an event is more than one of beliefs that nobody waits for, and for which no plan is relevant."""
    return event.kind != "belief" or event.intention is not None or next(mind.agent.library.relevant(event), None) is not None


def is_planned_for(mind: Mind, event: Event) -> bool:
    """Whether some plan has the event's name and arity."""
    return bool(mind.agent.library.candidates(event.operator, event.kind, event.literal))


def is_anyone_waiting(mind: Mind) -> bool:
    """Whether an intention waits for an event, or for something to be believed."""
    return mind.agent.library.waits_for_events and any(each.reason == "wait" for each in mind.waiting)


def _notice(mind: Mind, event: Event) -> None:
    """What waits for the event, or for something that is believed now, is due at the next ``begin``."""
    for waiting in mind.waiting:
        intention = waiting.intention
        if waiting.reason != "wait" or intention is None:
            continue
        step = intention.top.body[0]
        assert isinstance(step, Call)
        found = _awaited(step.action.arguments[0], dict(intention.top.bindings), event, mind)
        if found is not None:
            mind.no_longer_waits(waiting)
            known = intention.with_top(with_body(intention.top, intention.top.body, found))
            mind.due = (*mind.due, waiting._replace(intention=known, ended_by="event"))


def _awaited(wanted: Term, bindings: Bindings, event: Event, mind: Mind) -> Bindings | None:
    value = apply(wanted, bindings)
    if isinstance(value, int | float):
        return None
    trigger = trigger_of(value)
    if trigger is None:
        return first_solution(wanted, bindings, MindKnowledge(mind))
    if (trigger.operator, trigger.kind) != (event.operator, event.kind):
        return None
    apart = {name: f"event {name}" for name in variables(event.literal)}
    return unify(trigger.literal, renamed(event.literal, apart), bindings)


def trigger_of(term: Term) -> Trigger | None:
    """The trigger that stands in braces: ``{+!g}`` is one, and so is ``{+b}``, the body that adds b; None if there is none."""
    match term:
        case Block(Trigger() as trigger):
            return trigger
        case Block((AddBelief(Literal() | Variable() as belief) as step,)):
            return Trigger("+", "belief", belief, span=step.span)
        case Block((RemoveBelief(Literal() | Variable() as belief) as step,)):
            return Trigger("-", "belief", belief, span=step.span)
        case Block((Achieve(Literal() | Variable() as goal) as step,)):
            return Trigger("+", "achieve", goal, span=step.span)
    return None
