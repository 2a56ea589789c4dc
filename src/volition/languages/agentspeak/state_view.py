"""Readable descriptions of an AgentSpeak(F) agent's state."""

from __future__ import annotations

import re

from volition.kernel.system import SlotView
from volition.languages.agentspeak.rules import STAGES
from volition.languages.agentspeak.settings import Bounds
from volition.languages.agentspeak.state import AgentState, Event, IntendedMeans
from volition.languages.agentspeak.syntax import AgentProgram
from volition.languages.protocols import StateView
from volition.languages.world.interface import format_bindings
from volition.languages.world.terms import Bindings, show, substitute

__all__ = ["agent_details", "agent_view", "intention_stacks", "number_duplicates"]


def agent_view(agent: str, program: AgentProgram, state: SlotView) -> StateView:
    """Return a readable description of an agent's state: the beliefs with their sources, the mail,
    the events and the intentions. The stage of the cycle is omitted, because every step changes it.
    """
    mind = AgentState(agent, state, Bounds())
    intentions = {
        f"{index + 1}: {_head(means, program)}": _next_formula(
            means, program, waits=index not in mind.ready
        )
        for index, means in enumerate(mind.means)
        if means is not None
    }
    return {
        f"{agent} beliefs": {
            show(belief.atom): "" if belief.source == "initial" else belief.source
            for belief in mind.beliefs
        },
        f"{agent} mail": number_duplicates([str(each) for each in mind.mail]),
        f"{agent} events": number_duplicates([_event(each) for each in mind.events]),
        f"{agent} intentions": intentions,
    }


def agent_details(agent: str, state: SlotView) -> dict[str, str]:
    """Return the parts of an agent's state that :func:`agent_view` omits, as text by name: the next
    stage of the cycle, the order of beliefs, mail, events and intentions, and the variables, parent
    and position of each plan instance."""
    mind = AgentState(agent, state, Bounds())
    means = [(number, each) for number, each in enumerate(mind.means, 1) if each is not None]
    return {
        f"{agent}'s next part": STAGES[mind.part],
        f"order of {agent}'s beliefs": "; ".join(show(belief.atom) for belief in mind.beliefs),
        f"order of {agent}'s mail": "; ".join(map(str, mind.mail)),
        f"order of {agent}'s events": "; ".join(map(_event, mind.events)),
        f"order of {agent}'s intentions": "; ".join(str(index + 1) for index in mind.ready),
        f"room for {agent}'s intentions": str(len(mind.means)),
        **{
            f"variables of {agent}'s intention {number}": format_bindings(
                dict(each.bindings)
            ).strip()
            for number, each in means
        },
        **{
            f"parent of {agent}'s intention {number}": str(each.parent + 1)
            for number, each in means
            if each.parent is not None
        },
        **{
            f"position in {agent}'s intention {number}": f"{each.counter} of plan {each.plan + 1}"
            for number, each in means
        },
    }


def intention_stacks(agent: str, program: AgentProgram, state: SlotView) -> list[list[str]]:
    """Return the intentions of an agent. Each is a list of plan instances as text, from the top of
    the stack down: an instance comes before the one that waits for it."""
    mind = AgentState(agent, state, Bounds())
    parents = {means.parent for means in mind.means if means is not None}
    tops = [
        index
        for index, means in enumerate(mind.means)
        if means is not None and index not in parents
    ]
    return [_stack(top, mind, program) for top in tops]


def _stack(top: int, mind: AgentState, program: AgentProgram) -> list[str]:
    frames: list[str] = []
    index: int | None = top
    while index is not None and (means := mind.means[index]) is not None:
        frames.append(
            f"{_head(means, program)}: "
            f"{_next_formula(means, program, waits=index not in mind.ready)}"
        )
        index = means.parent
    return frames


def number_duplicates(items: list[str]) -> dict[str, str]:
    """Return a mapping whose keys are the items, in order. The key of an item that occurred before
    also contains its position, so that no two keys are equal."""
    return {
        f"{item} (again, position {index})" if item in items[: index - 1] else item: ""
        for index, item in enumerate(items, 1)
    }


def _head(means: IntendedMeans, program: AgentProgram) -> str:
    plan = program.plans[means.plan]
    sign_and_mark = str(plan.trigger)[: -len(str(plan.trigger.atom))]
    return (
        f"{sign_and_mark}{show(substitute(plan.trigger.pattern, dict(means.bindings)))} by "
        f"{plan.name}"
    )


def _next_formula(means: IntendedMeans, program: AgentProgram, *, waits: bool) -> str:
    body = program.plans[means.plan].body
    formula = (
        _instantiated(str(body[means.counter]), dict(means.bindings))
        if means.counter < len(body)
        else "its end"
    )
    return f"{'waits at' if waits else 'next'} {formula}"


def _instantiated(text: str, bindings: Bindings) -> str:
    """Return the text of a formula with its variables replaced by their values."""
    return re.sub(
        r'"[^"]*"|\b[A-Z_]\w*',
        lambda found: show(bindings[found[0]]) if found[0] in bindings else found[0],
        text,
    )


def _event(event: Event) -> str:
    """Return an event in the notation of Bordini et al.: the triggering event and the number of its
    intention, if it has one."""
    return f"⟨{event}⟩" if event.intention is None else f"⟨{event}, {event.intention + 1}⟩"
