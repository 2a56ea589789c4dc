"""Meta events: ``^!g[state(S)[reason(R)]]``, posted at the next ``begin`` if some plan is for them.

S is one of pending, executing, suspended, resumed, waiting, achieved, failed, dropped and finished.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from volition.languages.jason.mind import Mind
from volition.languages.jason.state import Event, Intention, Means, Waiting
from volition.languages.jason.substitution import join_annotations
from volition.languages.jason.terms import Literal, Term, Text, atom

__all__ = ["dropped", "note", "note_all", "note_top", "post_meta_event"]


def note(mind: Mind, goal: Event | Means, state: str, reason: Term | None = None) -> None:
    """Something has become of a goal."""
    if not mind.agent.library.has_meta or goal.kind == "belief" or goal.operator == "^":
        return
    why = Literal("reason", (Text("") if reason is None else reason,))
    told = join_annotations(goal.literal, [replace(Literal("state", (atom(state),)), annotations=(why,))])
    if mind.agent.library.candidates("^", goal.kind, told):
        mind.due = (*mind.due, Waiting("meta", event=Event("^", goal.kind, told)))


def note_top(mind: Mind, intention: Intention, state: str, reason: Term | None = None) -> None:
    """Something has become of what an intention is at: of the goal on top, and not of those for which this one is."""
    if intention.top.operator == "+":
        note(mind, intention.top, state, reason)


def note_all(mind: Mind, intention: Intention, state: str, reason: Term | None = None) -> None:
    """The same has become of all goals of an intention, the top first."""
    for means in intention.stack:
        note(mind, means, state, reason)


def dropped(mind: Mind, intentions: Iterable[Intention]) -> None:
    """Intentions have been dropped."""
    for intention in intentions:
        for means in intention.stack:
            if means.operator == "+":
                note(mind, means, "dropped")
                note(mind, means, "finished")


def post_meta_event(mind: Mind, event: Event) -> None:
    """At the head of E, behind other meta events."""
    place = next((number for number, each in enumerate(mind.events) if each.operator != "^"), len(mind.events))
    mind.events = (*mind.events[:place], event, *mind.events[place:])
    mind.within("M_Ev", len(mind.events), "pending events")
