"""Operations on an intention, a stack of rows with one event and one deed each: push a plan body,
pop a deed, bind variables.

Bindings apply to all rows, so that lower rows see the values found by the plan of a subgoal.
Variables are numbered by first occurrence from the bottom row. Therefore intentions that differ
only in variable names are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal, assert_never

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
    """Return a new intention for an event for which no plan has been chosen yet."""
    return Intention((IntentionRow(event, NO_PLAN_YET),), source)


def apply_bindings(intention: Intention, bindings: Bindings) -> Intention:
    """Return the intention with ``bindings`` applied to all rows and its variables renumbered."""
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
    """Return the intention without its top row (an event and one deed for it). If no row remains,
    only the source of the intention is kept."""
    rows = intention.rows[:-1]
    return intention._replace(rows=rows) if rows else intention.emptied()


def keep_bottom_rows(intention: Intention, count: int) -> Intention:
    """Return the intention with only its lowest ``count`` rows (each is an event and one deed for
    it), and no longer suspended."""
    return (
        intention._replace(rows=intention.rows[:count], waits_for=None)
        if count
        else intention.emptied()
    )


def with_body(
    intention: Intention, plan: Plan, names: dict[str, str], prefix: str, bindings: Bindings
) -> Intention:
    """Return the intention after a plan was applied to its top row, an event without a deed (stage
    C). The row is replaced by one row with this event for each deed of ``plan``. The first deed is
    on top."""
    event = intention.top.event
    body = tuple(
        IntentionRow(event, map_deed_terms(deed, lambda term: rename(term, names, prefix)))
        for deed in reversed(plan.body)
    )
    rows = (*intention.rows[:-1], *body)
    return apply_bindings(intention._replace(rows=rows), bindings) if rows else intention.emptied()


def renamed_apart(term: Term, names: dict[str, str], prefix: str) -> Term:
    """Return a term of a plan with its variables renamed by ``prefix``, so that none occurs in an
    intention. ``names`` collects the new name of each variable."""
    return rename(term, names, prefix)


def renamed_guard(guard: Sequence[Guard], names: dict[str, str], prefix: str) -> tuple[Guard, ...]:
    """Return the guard of a plan with its variables renamed by ``prefix``, so that none occurs in
    an intention. ``names`` collects the new name of each variable."""

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
            case _:
                assert_never(query)

    return tuple(replace(each, atom=atom(each.atom)) for each in guard)


# --- substitution in intentions -------------------------------------------------------------------


def _bind_deed(deed: Deed | PseudoDeed, bindings: Bindings) -> Deed | PseudoDeed:
    return (
        deed
        if isinstance(deed, PseudoDeed)
        else map_deed_terms(deed, lambda term: instantiate(term, bindings))
    )


def map_deed_terms(deed: Deed, change: Callable[[Term], Term]) -> Deed:
    """Return the deed with ``change`` applied to each of its terms."""

    def atom(term: Term) -> Atom:
        changed = change(term)
        assert isinstance(changed, Structure | Variable), "only a number becomes a number"
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
        case _:
            assert_never(deed)


def _event_with(event: Event, bindings: Bindings) -> Event:
    if event.content is None or is_ground(event.content):
        return event
    return event._replace(content=instantiate(event.content, bindings))


# --- canonical names of variables -----------------------------------------------------------------


def _canonical_variables(intention: Intention) -> Intention:
    """Return the intention with variables renamed to ``_1``, ``_2``, ... by first occurrence from
    the bottom row."""
    if all(map(is_ground, _terms(intention.rows))):
        return intention
    names: dict[str, str] = {}

    def canonical(term: Term) -> Term:
        return rename(term, names, "_")

    rows = tuple(
        IntentionRow(
            row.event
            if row.event.content is None
            else row.event._replace(content=canonical(row.event.content)),
            row.deed if isinstance(row.deed, PseudoDeed) else map_deed_terms(row.deed, canonical),
        )
        for row in intention.rows
    )
    waits = None if intention.waits_for is None else canonical(intention.waits_for)
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
            case Lock() | Unlock() | PseudoDeed():
                pass
            case _:
                assert_never(deed)
