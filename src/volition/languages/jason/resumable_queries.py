"""``for``: solutions one after the other, while the body of the loop changes what they are looked
for in.

Jason computes the next solution when the next round begins.  It goes through the list of a
predicate with an iterator (that of Java's ``LinkedBlockingDeque``), which always holds the next
entry already.  So the state has a :class:`Cursor` for each list that a loop is in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeVar

from volition.languages.jason.beliefs import Beliefs, Predicate, believed_of, predicate_of
from volition.languages.jason.queries import (
    ChoicePoint,
    GoalList,
    ProofGoal,
    ProofState,
    QueryContext,
    RuleReturn,
    resolve_among,
    search,
)
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.terms import Bindings, Literal, Term, Variable

__all__ = ["Cursor", "SuspendedChoicePoint", "first_loop_solution", "next_loop_solution"]

_MAX_CALLS = 50
"""Inside of more rules than that all solutions are computed at once: what is untried of so many
would be too much of a state."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """Position of a loop in the list of a predicate: it holds the entry that it visits next.

    ``following`` counts the entries behind that one.  An entry that was ``removed`` while it was
    held is visited nevertheless; if it was the first of its list then, or those behind it became
    the first before they were removed, the loop ``restarts`` at the head of the list.
    """

    predicate: Predicate
    following: int
    removed: Literal | BeliefRule | None = None
    restarts: bool = False

    def entries(self, beliefs: Beliefs) -> Beliefs:
        """Return what the loop has yet to visit in its list."""
        now = believed_of(beliefs, self.predicate)
        if self.removed is None:
            return now[len(now) - 1 - self.following :]
        return (self.removed, *(now if self.restarts else now[len(now) - self.following :]))

    def after_removal(self, index: int, length: int, left: Literal | BeliefRule) -> Cursor:
        """Return the cursor after the entry at a place of a list of so many was removed; ``left``
        is the entry as it is then.

        A removed entry keeps its link to the next one, unless it was the first of the list: then it
        leads back to the head.
        """
        behind = length - 1 - index
        held = self.following if self.removed is None else self.following - 1
        if behind > held:
            return self
        removed = left if self.removed is None and behind == held else self.removed
        if behind == held and index == 0:
            return replace(self, removed=removed, following=0, restarts=True)
        is_held = self.removed is None and behind == held
        return replace(
            self, removed=removed, following=self.following if is_held else self.following - 1
        )

    def after_append(self) -> Cursor:
        """Return the cursor after an entry was put at the end of the list."""
        return (
            replace(self, following=self.following + 1)
            if self.removed is None or self.following
            else self
        )

    def after_detachment(self) -> Cursor:
        """Return the cursor after its list became empty and was given up: what is believed later
        stands in another one."""
        return replace(self, following=0, restarts=False)


@dataclass(frozen=True, slots=True)
class SuspendedChoicePoint:
    """Ways to go on that have not been tried: as a value, unlike
    :class:`volition.languages.jason.queries.Choice`."""

    ways: tuple[ProofState, ...]
    cursor: Cursor | None = None
    query: Literal | Variable | None = None
    after: ProofState | None = None

    def __str__(self) -> str:
        shown = [str(dict(each.bindings)) for each in self.ways]
        if self.cursor is not None:
            shown.append(
                "a removed belief"
                if self.cursor.removed is not None
                else f"the last {self.cursor.following + 1}"
            )
        return f"{'' if self.query is None else f'{self.query} among '}{', '.join(shown)}"


def first_loop_solution(
    formula: Term, bindings: Bindings, knowledge: QueryContext
) -> tuple[Bindings | None, tuple[SuspendedChoicePoint, ...]]:
    """The first solution of a formula, if it has any, and what is left to try."""
    return _next(
        [ChoicePoint(iter([ProofState(GoalList(formula, None), bindings, 0)]))], knowledge, {}
    )


def next_loop_solution(
    untried: Sequence[SuspendedChoicePoint], knowledge: QueryContext
) -> tuple[Bindings | None, tuple[SuspendedChoicePoint, ...]]:
    """The next one, as things are now."""
    resumed = [_resume(each, knowledge) for each in untried]
    cursors = {
        id(choice): each.cursor
        for choice, each in zip(resumed, untried, strict=True)
        if each.cursor is not None
    }
    return _next([*resumed], knowledge, cursors)


def _next(
    stack: list[ChoicePoint], knowledge: QueryContext, cursors: Mapping[int, Cursor]
) -> tuple[Bindings | None, tuple[SuspendedChoicePoint, ...]]:
    """``cursors`` are those from which choices of the stack were resumed, by the identity of the
    choice."""
    found = next(search(stack, knowledge), None)
    if found is None:
        return None, ()
    left = [
        each
        for each in (_suspend(choice, cursors.get(id(choice))) for choice in stack)
        if each.ways or each.cursor
    ]
    states = [state for each in left for state in (*each.ways, each.after) if state is not None]
    if any(each.calls > _MAX_CALLS for each in states):
        others = search([_resume(each, knowledge) for each in left], knowledge)
        left = [SuspendedChoicePoint(tuple(ProofState(None, _freeze(each), 0) for each in others))]
    return found, tuple(left)


def _resume(untried: SuspendedChoicePoint, knowledge: QueryContext) -> ChoicePoint:
    query, after, cursor = untried.query, untried.after, untried.cursor
    if query is None or after is None or cursor is None:
        return ChoicePoint(iter(untried.ways))
    beliefs = tuple(knowledge.candidates(query))
    entries = cursor.entries(beliefs)
    if isinstance(query, Variable):
        entries += tuple(each for each in beliefs if predicate_of(each) > cursor.predicate)
    rest = resolve_among(query, entries, after)
    return rest._replace(ways=chain(untried.ways, rest.ways))


# --- as a value -----------------------------------------------------------------------------------

_Value = TypeVar("_Value")


class _FrozenMapping(dict[str, _Value]):
    """What names stand for, as a part of a state; in the order of the names."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


def _freeze(values: Mapping[str, _Value]) -> _FrozenMapping[_Value]:
    return values if isinstance(values, _FrozenMapping) else _FrozenMapping(sorted(values.items()))


def _suspend(choice: ChoicePoint, resumed: Cursor | None) -> SuspendedChoicePoint:
    """What is left of it; the entries first, so that its ways are those of the entry that it is
    at."""
    entries = tuple(choice.entries)
    after = None if choice.after is None else _state(choice.after)
    return SuspendedChoicePoint(
        tuple(map(_state, choice.ways)), _cursor(entries, resumed), choice.query, after
    )


def _cursor(entries: Beliefs, resumed: Cursor | None) -> Cursor | None:
    """Return where a search stands that has these entries left; the one from which it was
    ``resumed`` if its first entry is among them."""
    if not entries:
        return None
    if resumed is not None and entries[0] is resumed.removed:
        return resumed
    predicate = predicate_of(entries[0])
    return Cursor(predicate, sum(1 for each in entries[1:] if predicate_of(each) == predicate))


def _state(state: ProofState) -> ProofState:
    """At the end of the body of a rule stands who asked for it, and so on: from the last of these
    up."""
    queried = [state]
    while (end := _end(queried[-1])) is not None:
        queried.append(end.caller)
    fixed: ProofState | None = None
    while queried:
        fixed = _with_caller(queried.pop(), fixed)
    assert fixed is not None
    return fixed


def _with_caller(state: ProofState, caller: ProofState | None) -> ProofState:
    *goals, last = _goals(state) or (None,)
    if isinstance(last, RuleReturn) and caller is not None:
        last = replace(last, names=_freeze(last.names), caller=caller)
    fixed = None if last is None else GoalList(last, None)
    for each in reversed(goals):
        fixed = GoalList(each, fixed)
    return ProofState(fixed, _freeze(state.bindings), state.calls)


def _end(state: ProofState) -> RuleReturn | None:
    *_, last = _goals(state) or (None,)
    return last if isinstance(last, RuleReturn) else None


def _goals(state: ProofState) -> list[ProofGoal]:
    goals: list[ProofGoal] = []
    left = state.goals
    while left is not None:
        goals.append(left.first)
        left = left.rest
    return goals
