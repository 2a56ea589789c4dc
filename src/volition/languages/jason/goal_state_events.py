"""Meta events ``^!g[state(S)[reason(R)]]``, which report that a goal has reached a new state. They
are posted by the rule ``begin`` of the next reasoning cycle, if a plan exists for them.

The state S is pending, executing, suspended, resumed, waiting, achieved, failed, dropped or
finished.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.state import Event, IntendedMeans, Intention, WaitingEntry
from volition.languages.jason.substitution import join_annotations
from volition.languages.jason.terms import Literal, Term, Text, atom

__all__ = [
    "all_goals_state_changed",
    "goal_state_changed",
    "goals_dropped",
    "post_meta_event",
    "top_goal_state_changed",
]


def goal_state_changed(
    mind: AgentState, goal: Event | IntendedMeans, state: str, reason: Term | None = None
) -> None:
    """Schedule the meta event ``^!g[state(S)[reason(R)]]`` for a goal that has reached a new state,
    if a plan exists for this event."""
    if not mind.agent.library.has_goal_state_plans or goal.kind == "belief" or goal.operator == "^":
        return
    why = Literal("reason", (Text("") if reason is None else reason,))
    reported = join_annotations(
        goal.literal, [replace(Literal("state", (atom(state),)), annotations=(why,))]
    )
    if mind.agent.library.candidates("^", goal.kind, reported):
        mind.due = (*mind.due, WaitingEntry("meta", event=Event("^", goal.kind, reported)))


def top_goal_state_changed(
    mind: AgentState, intention: Intention, state: str, reason: Term | None = None
) -> None:
    """Schedule the meta event for the top goal of an intention. This goal has reached the new state
    ``state``; the goals below it keep their states."""
    if intention.top.operator == "+":
        goal_state_changed(mind, intention.top, state, reason)


def all_goals_state_changed(
    mind: AgentState, intention: Intention, state: str, reason: Term | None = None
) -> None:
    """Schedule a meta event for each goal of an intention, from the top down. Each of these goals
    has reached the new state ``state``."""
    for means in intention.stack:
        goal_state_changed(mind, means, state, reason)


def goals_dropped(mind: AgentState, intentions: Iterable[Intention]) -> None:
    """Schedule the meta events ``dropped`` and ``finished`` for all goals of dropped intentions."""
    for intention in intentions:
        for means in intention.stack:
            if means.operator == "+":
                goal_state_changed(mind, means, "dropped")
                goal_state_changed(mind, means, "finished")


def post_meta_event(mind: AgentState, event: Event) -> None:
    """Insert a meta event at the head of the event queue E, after the meta events that are already
    there."""
    index = next(
        (number for number, each in enumerate(mind.events) if each.operator != "^"),
        len(mind.events),
    )
    mind.events = (*mind.events[:index], event, *mind.events[index:])
    mind.check_bound("M_Ev", len(mind.events), "pending events")
