"""What happens to the rows of an intention: plans are put on top, deeds come off, variables get
values.

A value reaches all rows at once, so that the rows below know what the plan of a subgoal has found.
The variables of an intention are called by where they first occur, from the bottom up, so that
intentions that are the same but for names are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

from volition.languages.gwendolen.inference import instantiate
from volition.languages.gwendolen.state import (
    NO_PLAN_YET,
    Event,
    Intention,
    IntentionRow,
    PseudoDeed,
)
from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    Atom,
    BeliefGuard,
    ComparisonGuard,
    Deed,
    DropGoal,
    Goal,
    GoalGuard,
    Guard,
    GuardAtom,
    Lock,
    Plan,
    RemoveBelief,
    Send,
    SentGuard,
    Unlock,
    WaitFor,
)  # fmt: skip
from volition.languages.world.terms import Bindings, Structure, Term, Variable, is_ground, rename

__all__ = [
    "apply_bindings",
    "event_intention",
    "keep_bottom_rows",
    "map_deed_terms",
    "pop_row",
    "renamed_apart",
    "renamed_guard",
    "with_body",
]


def event_intention(event: Event, source: Literal["self", "percept"] = "self") -> Intention:
    """A new intention about an event for which there is no plan yet."""
    return Intention((IntentionRow(event, NO_PLAN_YET),), source)


def apply_bindings(intention: Intention, bindings: Bindings) -> Intention:
    """The intention with the values of its variables."""
    rows = (
        intention.rows
        if not bindings
        else tuple(
            IntentionRow(_event_with(row.event, bindings), _bind_deed(row.deed, bindings))
            for row in intention.rows
        )
    )
    return _canonical_variables(intention._replace(rows=rows))


def pop_row(intention: Intention) -> Intention:
    """Without its top row.  An intention without rows has nothing else to it."""
    rows = intention.rows[:-1]
    return intention._replace(rows=rows) if rows else intention.emptied()


def keep_bottom_rows(intention: Intention, kept: int) -> Intention:
    """With the rows at its bottom only, and no longer suspended."""
    return (
        intention._replace(rows=intention.rows[:kept], waits_for=None)
        if kept
        else intention.emptied()
    )


def with_body(
    intention: Intention, plan: Plan, names: dict[str, str], prefix: str, bindings: Bindings
) -> Intention:
    """The top row replaced by one row for each deed of a plan, which carry its event (stage C); the
    first deed is the top."""
    event = intention.top.event
    body = tuple(
        IntentionRow(event, map_deed_terms(deed, lambda term: rename(term, names, prefix)))
        for deed in reversed(plan.body)
    )
    rows = (*intention.rows[:-1], *body)
    return apply_bindings(intention._replace(rows=rows), bindings) if rows else intention.emptied()


def renamed_apart(term: Term, names: dict[str, str], prefix: str) -> Term:
    """A term of a plan with names for its variables that no intention has."""
    return rename(term, names, prefix)


def renamed_guard(guard: Sequence[Guard], names: dict[str, str], prefix: str) -> tuple[Guard, ...]:
    """A guard of a plan, likewise."""

    def renamed(term: Term) -> Any:
        return renamed_apart(term, names, prefix)

    def atom(query: GuardAtom) -> GuardAtom:
        match query:
            case BeliefGuard(believed):
                return BeliefGuard(renamed(believed))
            case GoalGuard(goal):
                return GoalGuard(Goal(renamed(goal.atom), goal.type))
            case SentGuard(recipient, sender, performative, content):
                return SentGuard(
                    renamed(recipient),
                    None if sender is None else renamed(sender),
                    performative,
                    renamed(content),
                )
            case ComparisonGuard(relation, left, right):
                return ComparisonGuard(relation, renamed(left), renamed(right))

    return tuple(replace(each, atom=atom(each.atom)) for each in guard)


# --- substitution ---------------------------------------------------------------------------------


def _bind_deed(deed: Deed | PseudoDeed, bindings: Bindings) -> Deed | PseudoDeed:
    return (
        deed
        if isinstance(deed, PseudoDeed)
        else map_deed_terms(deed, lambda term: instantiate(term, bindings))
    )


def map_deed_terms(deed: Deed, change: Callable[[Term], Term]) -> Deed:
    """The deed with its terms changed by a function."""

    def atom(term: Term) -> Atom:
        changed = change(term)
        assert isinstance(changed, Structure | Variable), "what is no number does not become one"
        return changed

    match deed:
        case AddBelief(content) | RemoveBelief(content) | WaitFor(content):
            return replace(deed, atom=atom(content))
        case AddGoal(goal) | DropGoal(goal):
            return replace(deed, goal=Goal(atom(goal.atom), goal.type))
        case Send(recipient, _, content):
            return replace(deed, recipient=change(recipient), content=change(content))
        case Act(action):
            changed = change(action)
            assert isinstance(changed, Structure)
            return replace(deed, action=changed)
        case Lock() | Unlock():
            return deed


def _event_with(event: Event, bindings: Bindings) -> Event:
    if event.content is None or is_ground(event.content):
        return event
    return event._replace(content=instantiate(event.content, bindings))


# --- names ----------------------------------------------------------------------------------------


def _canonical_variables(intention: Intention) -> Intention:
    """With variables called ``_1``, ``_2``, ... in the order in which they first occur."""
    if all(map(is_ground, _terms(intention.rows))):
        return intention
    names: dict[str, str] = {}

    def called(term: Term) -> Term:
        return rename(term, names, "_")

    rows = tuple(
        IntentionRow(
            row.event
            if row.event.content is None
            else row.event._replace(content=called(row.event.content)),
            row.deed if isinstance(row.deed, PseudoDeed) else map_deed_terms(row.deed, called),
        )
        for row in intention.rows
    )
    waits = None if intention.waits_for is None else called(intention.waits_for)
    return intention._replace(rows=rows, waits_for=waits)


def _terms(rows: Sequence[IntentionRow]) -> Iterable[Term]:
    for event, deed in rows:
        if event.content is not None:
            yield event.content
        match deed:
            case AddBelief(content) | RemoveBelief(content) | WaitFor(content):
                yield content
            case AddGoal(goal) | DropGoal(goal):
                yield goal.atom
            case Send(recipient, _, content):
                yield from (recipient, content)
            case Act(action):
                yield action
