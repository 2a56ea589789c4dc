"""What can be seen of a state, in plain words: the same for the states of the reference and for
those of the implementation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tests.languages.jason.reference import System
from tests.languages.jason.reference.cycle import Cycle
from tests.languages.jason.reference.state import Event, Mind
from tests.languages.jason.reference.system import STOPPING, State
from tests.languages.jason.reference.terms import applied, free_variables
from volition.languages.jason.state import STOPPED
from volition.languages.jason.syntax import GOAL_PREFIXES, BeliefRule
from volition.languages.jason.terms import Literal, Variable, indicator

__all__ = ["label_of_ours", "label_of_reference"]

_IDS = ("kqml_received",)
_UNSEEN = ("error_msg", "code", "code_src", "code_line")
"""Annotations of failures that are words for people."""


def _text(term: Any) -> str:
    """A term without the names of its variables, of messages, and of what only people look at."""
    term = applied(term, {name: Variable("_") for name in free_variables(term) if name != "_"})
    if isinstance(term, Literal):
        if term.functor in _IDS:
            term = replace(
                term, arguments=term.arguments[:2]
            )  # what an ask is about may be known by its answer, or still open
        if isinstance(term.annotations, tuple):
            kept = tuple(
                _without_reason(each)
                for each in term.annotations
                if not isinstance(each, Literal) or each.functor not in _UNSEEN
            )
            term = replace(term, annotations=kept)
    return str(term)


def _without_reason(annotation: Any) -> Any:
    """The state of a goal has a reason, which is for people too."""
    return (
        replace(annotation, annotations=())
        if isinstance(annotation, Literal) and annotation.functor == "state"
        else annotation
    )


def _part(name: str) -> str:
    """Whether an agent sleeps shows in what it does."""
    return "Perceive" if name == "asleep" else name


def _trigger(operator: str, kind: Any, literal: Any) -> str:
    return f"{operator}{GOAL_PREFIXES[kind]}{_text(literal)}"


def _beliefs(entries: Iterable[Any]) -> tuple[str, ...]:
    """By predicate, in the order of each list."""
    facts = [each for each in entries if not isinstance(each, BeliefRule)]
    return tuple(map(_text, sorted(facts, key=indicator)))


def _world(slots: Iterable[tuple[str, Any]]) -> tuple[str, ...]:
    return tuple(f"{slot} = {value}" for slot, value in sorted(slots))


# --- the reference --------------------------------------------------------------------------------


def label_of_reference(system: System, state: State) -> Any:
    minds = zip(system.agents, system.thawed(state), strict=True)
    return tuple(_mind(agent, mind) for agent, mind in minds), _world(state[1])


def _counts(agent: Cycle, operator: str, kind: str, literal: Any, intention: Any) -> bool:
    """Whether an event is anybody's business: what no plan is for is passed over when its turn
    comes, so that its place does not matter."""
    return intention is not None or kind != "belief" or agent.planned(operator, kind, literal)


def _mind(agent: Cycle, mind: Mind) -> Any:
    return {
        "part": _part(mind.part),
        "beliefs": _beliefs(each for entries in mind.BB.values() for each in entries),
        "mail": tuple((each.sender, each.performative, _text(each.content)) for each in mind.MB),
        "events": tuple(
            _event_of_reference(each)
            for each in mind.E
            if _counts(agent, each.sign, each.kind, each.literal, each.intention)
        ),
        "atomic event": tuple(_event_of_reference(each) for each in mind.AE),
        "intentions": tuple(_stack(each) for each in mind.I),
        "atomic intention": tuple(_stack(each) for each in mind.AI),
        "actions": tuple(sorted((str(each.action), each.status) for each in mind.PA)),
        "acting": tuple(
            sorted(
                _stack(each.intention)
                for each in (*mind.PA, *mind.FA)
                if each.intention is not None
            )
        ),
        "results": tuple(each.status != "failed" for each in mind.FA),
        "waiting": tuple(sorted(_stack(each.intention) for each in mind.PI if not each.is_over)),
        "suspended events": tuple(sorted(_event_of_reference(each) for each in mind.PE)),
        "timers": tuple(
            sorted((each.reason, *_event_of_reference(each.event)) for each in mind.timers)
        ),
        "due": tuple(_due_of_reference(each) for each in mind.tasks),
    }


def _due_of_reference(due: Any) -> Any:
    return (
        _event_of_reference(due.what) if isinstance(due.what, Event) else _stack(due.what.intention)
    )


def _event_of_reference(event: Any) -> Any:
    return _trigger(
        event.sign, event.kind, event.literal
    ), () if event.intention is None else _stack(event.intention)


def _stack(intention: Any) -> tuple[tuple[str, int], ...]:
    return tuple(
        (_trigger(each.sign, each.kind, each.trigger), len(each.body)) for each in intention
    )


# --- the implementation ---------------------------------------------------------------------------


def label_of_ours(agents: Iterable[Cycle], world: Iterable[str], values: Mapping[str, Any]) -> Any:
    """``agents`` are those of the reference, and ``world`` the slots of the world."""
    stopping = [(STOPPING, values[STOPPED])] if values.get(STOPPED) else []
    return tuple(_our_mind(agent, values) for agent in agents), _world(
        [*stopping, *((slot, values[slot]) for slot in world)]
    )


def _our_mind(agent: Cycle, values: Mapping[str, Any]) -> Any:
    name = agent.name
    slot = {
        key.removeprefix(f"{name}."): value
        for key, value in values.items()
        if key.startswith(f"{name}.")
    }
    alone = [any(means.atomic for means in each.stack) for each in slot["running"]]
    atomic = [
        each.intention is not None and any(means.atomic for means in each.intention.stack)
        for each in slot["events"]
    ]
    reported = [each.position for each in slot["results"]]
    outstanding = [
        (each.action, _STAGES.get(each.stage, each.stage))
        for index, each in enumerate(slot["actions"])
        if index not in reported
    ]
    outstanding += [(each, "asked") for each in slot["orphans"]]
    return {
        "part": _part(slot["part"]),
        "beliefs": _beliefs(slot["beliefs"]),
        "mail": tuple(
            (each.sender, each.performative, _text(each.content)) for each in slot["mail"]
        ),
        "events": tuple(
            _our_event(each)
            for each, alone in zip(slot["events"], atomic, strict=True)
            if not alone and _counts(agent, each.operator, each.kind, each.literal, each.intention)
        ),
        "atomic event": tuple(
            _our_event(each) for each, alone in zip(slot["events"], atomic, strict=True) if alone
        ),
        "intentions": tuple(
            _our_stack(each)
            for each, is_alone in zip(slot["running"], alone, strict=True)
            if not is_alone
        ),
        "atomic intention": tuple(
            _our_stack(each)
            for each, is_alone in zip(slot["running"], alone, strict=True)
            if is_alone
        ),
        "actions": tuple(sorted((str(action), stage) for action, stage in outstanding)),
        "acting": tuple(sorted(_our_stack(each) for each in slot["acting"])),
        "results": tuple(each.success for each in slot["results"]),
        "waiting": tuple(
            sorted(
                _our_stack(each.intention) for each in slot["waiting"] if each.intention is not None
            )
        ),
        "suspended events": tuple(sorted(_our_event(each) for each in slot["shelved"])),
        "timers": tuple(
            sorted(
                (each.kind, *_our_event(each.event))
                for each in slot["waiting"]
                if each.event is not None
            )
        ),
        "due": tuple(
            _our_event(each.event) if each.intention is None else _our_stack(each.intention)
            for each in slot["due"]
        ),
    }


_STAGES = {"requested": "asked"}


def _our_event(event: Any) -> Any:
    return _trigger(
        event.operator, event.kind, event.literal
    ), () if event.intention is None else _our_stack(event.intention)


def _our_stack(intention: Any) -> tuple[tuple[str, int], ...]:
    """Theirs has the top first."""
    return tuple(
        (_trigger(each.operator, each.kind, each.literal), len(each.body))
        for each in reversed(intention.stack)
    )
