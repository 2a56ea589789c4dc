"""State view of an agent, similar to Jason's mind inspector: beliefs with annotations, mail,
events, and intentions as stacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.continuations import BranchEnd, LoopEnd
from volition.languages.jason.state import (
    Event,
    IntendedMeans,
    Intention,
    WaitingEntry,
    structure_names,
)
from volition.languages.jason.syntax import GOAL_PREFIXES, BeliefRule
from volition.languages.jason.terms import Literal
from volition.languages.jason.unification import without_annotations
from volition.languages.protocols import StateView

__all__ = ["agent_details", "agent_view", "intention_stacks"]


def agent_view(mind: AgentState) -> StateView:
    """Return a readable view of an agent's state: its beliefs, mail, events, and intentions with
    what each does next or waits for. Values that change in every transition are left out."""
    agent = mind.agent.name
    return {
        f"{agent} beliefs": dict(
            _belief(each) for each in mind.beliefs if not isinstance(each, BeliefRule)
        ),
        f"{agent} mail": _unique_items((f"{each}", "") for each in mind.mail),
        f"{agent} events": _unique_items(
            [
                *((_event(each), "") for each in mind.events),
                *((_event(each), "suspended") for each in mind.shelved),
            ]
        ),
        f"{agent} intentions": _unique_items(_intentions(mind)),
    }


def intention_stacks(mind: AgentState) -> list[list[str]]:
    """Return the stacks of all intentions of an agent. Each is a list of texts, one for each
    intended means, from the top down."""
    return [
        [
            f"{_head(means)}: {state if index == 0 else _next(means)}"
            for index, means in enumerate(intention.stack)
        ]
        for intention, state in _with_states(mind)
    ]


def _belief(literal: Literal) -> tuple[str, str]:
    known = (
        literal.annotations if isinstance(literal.annotations, tuple) else literal.annotations.items
    )
    return str(without_annotations(literal)), ", ".join(map(str, known))


def _event(event: Event) -> str:
    """Return the text of an event, with the stack of its intention if it has one."""
    return f"⟨{event}⟩" if event.intention is None else f"⟨{event}, {_stack(event.intention)}⟩"


def _intentions(mind: AgentState) -> Iterable[tuple[str, str]]:
    return ((_stack(intention), state) for intention, state in _with_states(mind))


def _with_states(mind: AgentState) -> Iterable[tuple[Intention, str]]:
    """Yield all intentions of an agent, each with a text about what it does next or waits for."""
    for intention in mind.running:
        yield intention, _running(intention)
    for intention, (action, stage, _) in zip(mind.acting, mind.actions, strict=True):
        yield (
            intention,
            f"waits for {action} to be done"
            if stage == "requested"
            else f"waits for the result of {action}",
        )
    for event in (*mind.events, *mind.shelved):
        if event.intention is not None:
            yield event.intention, f"waits for a plan for {event}"
    for each in mind.waiting:
        if each.intention is not None:
            yield each.intention, _waiting(each)
    for each in mind.due:
        if each.intention is not None:
            yield each.intention, f"continues with {_current(each.intention.top)}"


def _running(intention: Intention) -> str:
    words = [
        _next(intention.top),
        *(["atomic"] if intention.is_atomic else []),
        *(["suspended"] if intention.suspended else []),
    ]
    return ", ".join(words)


def _waiting(waiting: WaitingEntry) -> str:
    match waiting.kind:
        case "ask":
            return f"waits for an answer: {_current(_top(waiting))}"
        case "suspended":
            return "suspended"
        case "wait" | "suspended itself" | "at" | "deadline" | "expired" | "meta":
            pass
        case _:
            assert_never(waiting.kind)
    return f"waits: {_current(_top(waiting))}"


def _top(waiting: WaitingEntry) -> IntendedMeans:
    assert waiting.intention is not None, "what waits here is an intention"
    return waiting.intention.top


def _stack(intention: Intention) -> str:
    return " ◂ ".join(map(_head, intention.stack))


def _head(means: IntendedMeans) -> str:
    return (
        f"{means.operator}{GOAL_PREFIXES[means.kind]}{without_annotations(means.literal)} by "
        f"{means.plan}"
    )


def _next(means: IntendedMeans) -> str:
    return f"next {_current(means)}"


def _current(means: IntendedMeans) -> str:
    """Return the text of the next step of an intended means, with the values of its variables."""
    if not means.body:
        return "the end of its plan"
    values = dict(means.bindings)
    return _VARIABLE.sub(lambda found: str(values.get(found[0], found[0])), f"{means.body[0]}")


_VARIABLE = re.compile(r'"[^"]*"|\b[A-Z_]\w*')


def _unique_items(items: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return a dictionary with the given keys and values. A key that occurs repeatedly is made
    unique by adding its position."""
    texts: dict[str, str] = {}
    for index, (item, value) in enumerate(items, 1):
        texts[f"{item} (again, position {index})" if item in texts else item] = value
    return texts


# --- details that the state view leaves out -------------------------------------------------------


def agent_details(mind: AgentState) -> Mapping[str, str]:
    """Return the texts of all slots of an agent, including what the state view leaves out: the
    stage of its reasoning cycle, the order of queues, the bindings of variables."""
    agent = mind.agent.name
    return {
        f"{agent}'s {name}": text
        for name in structure_names()
        if (text := _full_text(mind.read(mind.slot_of(name))))
    }


def _full_text(value: object) -> str:
    """Return the text of a slot's value with all nested values. Fields with default values are left
    out."""
    match value:
        case LoopEnd(loop, before, untried):
            text = f"the next iteration of {loop} with {_full_text(untried)}"
            return f"{text} after {_full_text(before)}"
        case BranchEnd(fork, number):
            return f"the end of branch {number} of {fork}"
        case tuple() if hasattr(value, "_fields"):
            named: Any = value
            defaults = named._field_defaults
            parts = {
                name: each
                for name, each in named._asdict().items()
                if name not in defaults or each != defaults[name]
            }
            return f"{type(value).__name__}({', '.join(f'{name}={_full_text(each)}' for name, each in parts.items())})"  # noqa: E501
        case tuple():
            return "; ".join(
                f"({_full_text(each)})" if type(each) is tuple else _full_text(each)
                for each in value
            )
        case _:
            pass
    return str(value)
