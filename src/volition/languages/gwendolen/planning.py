"""Stages B and C of the reasoning cycle: selection of a plan for the top event of the current
intention, and its application."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from volition.languages.gwendolen.agent_state import AgentState
from volition.languages.gwendolen.inference import guard_solutions
from volition.languages.gwendolen.intentions import renamed_apart, renamed_guard, with_body
from volition.languages.gwendolen.state import NO_PLAN_YET, Event, IntentionRow
from volition.languages.gwendolen.syntax import Plan
from volition.languages.world.terms import Bindings, Structure, Variable, predicate, unify

__all__ = ["plan_for_event"]

_OWN = "?p."
"""Prefix of the variables of a plan while the plan is matched with an event. Variables in
intentions never have this prefix, so the two do not clash."""


class ApplicablePlan(NamedTuple):
    """Applicable plan, with a solution of its guard. The plan's variables are renamed, so that they
    do not clash with those of an intention. ``names`` maps each variable to its new name, and
    ``bindings`` gives the values by new name."""

    plan: Plan
    names: dict[str, str]
    bindings: Bindings


def plan_for_event(mind: AgentState, plans: Sequence[Plan]) -> None:
    """Find an applicable plan for the event of the current intention and apply it (stages B and C).

    If the intention already has a deed to execute, it continues unchanged.
    """
    top = mind.current_or_fail.top
    if top.deed != NO_PLAN_YET:
        mind.record("B:continue", f"continues with {top.deed}")
        return
    found = next(applicable(mind, plans, top.event), None)
    if found is not None:
        apply_plan(mind, found)
    elif top.event.is_goal_addition:
        post_goal_failure(mind, top.event)
    elif top.event.kind == "goal":
        mind.record("B:unplanned", f"has no plan for {top.event}")
    else:
        mind.record("B:ignore", f"ignores {top.event}")
        mind.current = mind.current_or_fail.emptied()


def applicable(mind: AgentState, plans: Sequence[Plan], event: Event) -> Iterator[ApplicablePlan]:
    """Yield the plans for an event whose guards hold, once for each solution of the guard. The
    agent uses only the first one."""
    for plan in relevant(plans, event):
        names: dict[str, str] = {}
        assert event.content is not None, "events that plans are for have a content"
        unified = unify(renamed_apart(plan.trigger.content, names, _OWN), event.content, {})
        if unified is not None:
            for bindings in guard_solutions(renamed_guard(plan.guard, names, _OWN), mind, unified):
                yield ApplicablePlan(plan, names, bindings)


def relevant(plans: Sequence[Plan], event: Event) -> list[Plan]:
    """Return the plans whose trigger may match an event, in the order in which they are tried
    (point 4 of ``docs/reference/gwendolen.md``).

    For a belief or goal, plans whose trigger names it come first, then plans whose trigger is a
    variable. Plans for messages are in program order.
    """
    same = [plan for plan in plans if _is_for(plan, event)]
    if event.kind == "received":
        return same
    named = [plan for plan in same if isinstance(plan.trigger.content, Structure)]
    return [plan for plan in named if _same_predicate(plan, event)] + [
        plan for plan in same if isinstance(plan.trigger.content, Variable)
    ]


def _is_for(plan: Plan, event: Event) -> bool:
    trigger = plan.trigger
    return (trigger.sign, trigger.kind, trigger.type, trigger.performative) == (
        event.sign,
        event.kind,
        event.type,
        event.performative,
    )


def _same_predicate(plan: Plan, event: Event) -> bool:
    content = plan.trigger.content
    return (
        isinstance(content, Structure)
        and isinstance(event.content, Structure)
        and predicate(content) == predicate(event.content)
    )


def apply_plan(mind: AgentState, chosen: ApplicablePlan) -> None:
    """Apply a plan to the current intention (stage C): replace its event by the deeds of the plan.

    A plan with an empty body removes the event. If the event was a goal, the goal is removed from
    the goal base.
    """
    plan, event = chosen.plan, mind.current_or_fail.top.event
    mind.plan, mind.span = plan.name, plan.span
    mind.record("C:apply" if plan.body else "C:empty", f"selects plan {plan.name}")
    mind.set_current(with_body(mind.current_or_fail, plan, chosen.names, _OWN, chosen.bindings))
    if not plan.body and event.is_goal_addition:
        mind.remove_goal(event.goal)


def post_goal_failure(mind: AgentState, event: Event) -> None:
    """Post the failure event ``-!g`` of a goal that has no applicable plan (stage B). The next call
    of the reasoning cycle looks for a plan for this event."""
    problem = event._replace(sign="-")
    mind.record("B:problem", f"has no plan for {event}: raises {problem}")
    mind.set_current(
        mind.current_or_fail._replace(
            rows=(*mind.current_or_fail.rows, IntentionRow(problem, NO_PLAN_YET))
        )
    )
