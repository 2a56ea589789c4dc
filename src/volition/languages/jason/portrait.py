"""An agent's state told to people, as Jason's mind inspector shows it: beliefs with annotations, mail, events, intentions as stacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from volition.languages.jason.rests import Values
from volition.languages.jason.state import Event, Intention, Means, Mind, Waiting
from volition.languages.jason.syntax import MARKS, Rule
from volition.languages.jason.terms import Literal
from volition.languages.jason.unification import without_annotations
from volition.languages.model import Portrait

__all__ = ["detail_agent", "portray_agent", "stacks_of"]


def portray_agent(mind: Mind) -> Portrait:
    """Beliefs, mail, events, and intentions with what each does next or waits for; what every step changes is left out."""
    agent = mind.agent.name
    return {
        f"{agent} beliefs": dict(_belief(each) for each in mind.beliefs if not isinstance(each, Rule)),
        f"{agent} mail": _told((str(each), "") for each in mind.mail),
        f"{agent} events": _told([*((_event(each), "") for each in mind.events), *((_event(each), "suspended") for each in mind.shelved)]),
        f"{agent} intentions": _told(_intentions(mind)),
    }


def stacks_of(mind: Mind) -> list[list[str]]:
    """Each intention from its top down."""
    return [
        [f"{_head(means)}: {state if place == 0 else _next(means)}" for place, means in enumerate(intention.stack)]
        for intention, state in _with_states(mind)
    ]


def _belief(literal: Literal) -> tuple[str, str]:
    known = literal.annotations if isinstance(literal.annotations, tuple) else literal.annotations.items
    return str(without_annotations(literal)), ", ".join(map(str, known))


def _event(event: Event) -> str:
    """The trigger, and the intention that it belongs to, if it does to one."""
    return f"⟨{event}⟩" if event.intention is None else f"⟨{event}, {_stack(event.intention)}⟩"


def _intentions(mind: Mind) -> Iterable[tuple[str, str]]:
    return ((_stack(intention), state) for intention, state in _with_states(mind))


def _with_states(mind: Mind) -> Iterable[tuple[Intention, str]]:
    """All intentions, each with what it does next or waits for."""
    for intention in mind.running:
        yield intention, _running(intention)
    for intention, (action, stage, _) in zip(mind.acting, mind.actions, strict=True):
        yield intention, f"waits for {action} to be done" if stage == "requested" else f"waits for the result of {action}"
    for event in (*mind.events, *mind.shelved):
        if event.intention is not None:
            yield event.intention, f"waits for a plan for {event}"
    for each in mind.waiting:
        if each.intention is not None:
            yield each.intention, _waiting(each)
    for each in mind.due:
        if each.intention is not None:
            yield each.intention, f"goes on with {_current(each.intention.top)}"


def _running(intention: Intention) -> str:
    words = [_next(intention.top), *(["atomic"] if intention.is_atomic else []), *(["suspended"] if intention.suspended else [])]
    return ", ".join(words)


def _waiting(waiting: Waiting) -> str:
    match waiting.reason:
        case "ask":
            return f"waits for an answer: {_current(_top(waiting))}"
        case "suspended":
            return "suspended"
    return f"waits: {_current(_top(waiting))}"


def _top(waiting: Waiting) -> Means:
    assert waiting.intention is not None, "what waits here is an intention"
    return waiting.intention.top


def _stack(intention: Intention) -> str:
    return " ◂ ".join(map(_head, intention.stack))


def _head(means: Means) -> str:
    return f"{means.operator}{MARKS[means.kind]}{without_annotations(means.literal)} by {means.plan}"


def _next(means: Means) -> str:
    return f"next {_current(means)}"


def _current(means: Means) -> str:
    """The step that comes next, with the values of its variables."""
    if not means.body:
        return "its end"
    values = dict(means.bindings)
    return _VARIABLE.sub(lambda found: str(values.get(found[0], found[0])), str(means.body[0]))


_VARIABLE = re.compile(r'"[^"]*"|\b[A-Z_]\w*')


def _told(items: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Items with their values; one that comes again is told apart by its place."""
    told: dict[str, str] = {}
    for place, (item, value) in enumerate(items, 1):
        told[f"{item} (again, place {place})" if item in told else item] = value
    return told


# --- what a portrait leaves out ----------------------------------------------------------------------------------------------


def detail_agent(mind: Mind) -> Mapping[str, str]:
    """The part of the cycle, the order of things, and the values of variables: with the portrait, all that an agent's slots hold."""
    agent = mind.agent.name
    order = [str(each) for each in mind.beliefs]
    details = {
        f"{agent}'s next part": mind.part,
        f"what {agent} has seen last": ", ".join(map(str, mind.seen)),
        f"order of {agent}'s beliefs": "; ".join(order),
        f"{agent}'s mail": "; ".join(f"{each} {each.ask}/{each.reply}" for each in mind.mail),
        f"{agent}'s events": "; ".join(map(_whole_event, mind.events)),
        f"{agent}'s intentions": "; ".join(map(_whole, mind.running)),
        f"{agent}'s actions": "; ".join(f"{action} {stage}" for action, stage, _ in mind.actions),
        f"behind {agent}'s actions": "; ".join(map(_whole, mind.acting)),
        f"{agent}'s actions for nobody": "; ".join(map(str, mind.orphans)),
        f"{agent}'s results": "; ".join(map(str, mind.results)),
        f"what {agent} waits for": "; ".join(map(_whole_waiting, mind.waiting)),
        f"what is due for {agent}": "; ".join(map(_whole_waiting, mind.due)),
        f"{agent}'s suspended events": "; ".join(map(_whole_event, mind.shelved)),
    }
    return {item: value for item, value in details.items() if value}


def _whole(intention: Intention) -> str:
    suspended = " suspended" if intention.suspended else ""
    branches = "".join(f" {each.join}{each.number}:{each.below}" for each in intention.branches)
    return " ◂ ".join(map(_whole_means, intention.stack)) + suspended + branches


def _whole_means(means: Means) -> str:
    rest = "; ".join(map(_whole_step, means.body))
    atomic = " atomic" if means.atomic else ""
    return f"{means} by {means.plan} <- {rest}{_values(means.bindings)} returns{_values(means.returns)} to {means.below}{atomic}"


def _whole_step(step: object) -> str:
    """A round of a loop holds values, which its words leave out."""
    before, solutions = getattr(step, "before", ()), getattr(step, "solutions", ())
    number = getattr(step, "number", None)
    return f"{step}{_values(before)}{''.join(map(_values, solutions))}{'' if number is None else f' #{number}'}"


def _values(values: Values) -> str:
    return f" ({', '.join(f'{name} = {value}' for name, value in values)})" if values else ""


def _whole_event(event: Event) -> str:
    behind = "" if event.intention is None else f", {_whole(event.intention)}"
    return f"⟨{event}{behind}⟩{_values(event.returns)} to {event.below}"


def _whole_waiting(waiting: Waiting) -> str:
    intention = "" if waiting.intention is None else f" {_whole(waiting.intention)}"
    event = "" if waiting.event is None else f" {_whole_event(waiting.event)}"
    answers = ", ".join(map(str, waiting.answers))
    left = "" if waiting.remaining is None else f" {waiting.remaining} ms"
    return f"{waiting.reason}{left}{intention}{event} {waiting.number}/{waiting.missing} [{answers}] {waiting.ended_by}"
