"""Posting events: at the end of E, with everybody who waits for one told."""

from __future__ import annotations

from volition.languages.jason.state import Event, Mind
from volition.languages.jason.timing import notice

__all__ = ["is_planned_for", "post"]


def post(mind: Mind, event: Event) -> None:
    """Puts an event at the end of E.

    An external belief event that no plan can match would be discarded the moment it is selected, and is not even queued; the cut into
    parts keeps it, as the reference.
    """
    mind.finite(event.literal)
    ignored = event.kind == "belief" and event.intention is None and mind.agent.settings.cycle != "parts"
    if not ignored or is_planned_for(mind, event):
        mind.events = (*mind.events, event)
        mind.within("M_Ev", len(mind.events), "pending events")
    notice(mind, event)


def is_planned_for(mind: Mind, event: Event) -> bool:
    """Whether some plan has the event's name and arity."""
    return bool(mind.agent.library.candidates(event.operator, event.kind, event.literal))
