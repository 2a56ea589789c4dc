"""Resumable queries for ``for`` loops, whose body may change the beliefs that the query reads.

Jason computes the next solution only when the next iteration begins. It traverses its list of the
beliefs of a predicate with an iterator (of Java's ``LinkedBlockingDeque``) that already holds the
next entry. Therefore the state contains a :class:`Cursor` for each list that a loop traverses.
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
"""Maximum depth of nested rules for which untried alternatives are stored in the state. If rules
are nested more deeply, all remaining solutions are computed in advance, because the stored
alternatives would make the state too large."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """Position of a ``for`` loop in the list of the beliefs and rules of one predicate, like a Java
    iterator. It holds the entry that the loop visits next.

    ``following`` counts the entries after the held one. If the held entry has been removed from the
    list, ``removed`` contains it, and the loop visits it nevertheless. ``restarts`` means that the
    loop then continues at the head of the list. This happens in two cases:

    - The held entry was the first of the list when it was removed.
    - The held entry had been removed before, and then the entry after it was removed while that one
      was the first of the list.
    """

    predicate: Predicate
    following: int
    removed: Literal | BeliefRule | None = None
    restarts: bool = False

    def entries(self, beliefs: Beliefs) -> Beliefs:
        """Return the beliefs and rules that the loop has not visited yet."""
        now = believed_of(beliefs, self.predicate)
        if self.removed is None:
            return now[len(now) - 1 - self.following :]
        return (self.removed, *(now if self.restarts else now[len(now) - self.following :]))

    def after_removal(self, index: int, length: int, left: Literal | BeliefRule) -> Cursor:
        """Return the cursor after the entry at ``index`` was removed from a list of ``length``
        entries. ``left`` is the removed entry, with the annotations that it still has.

        In Jason a removed entry keeps its link to the next entry, unless it was the first of the
        list: in that case it links to the head.
        """
        following = length - 1 - index
        held = self.following if self.removed is None else self.following - 1
        if following > held:
            return self
        removed = left if self.removed is None and following == held else self.removed
        if following == held and index == 0:
            return replace(self, removed=removed, following=0, restarts=True)
        is_held = self.removed is None and following == held
        return replace(
            self, removed=removed, following=self.following if is_held else self.following - 1
        )

    def after_append(self) -> Cursor:
        """Return the cursor after a belief or rule was appended to the end of the list."""
        return (
            replace(self, following=self.following + 1)
            if self.removed is None or self.following
            else self
        )

    def after_detachment(self) -> Cursor:
        """Return the cursor after the last belief was removed from the list and Jason discarded the
        empty list.

        The loop still visits the removed belief that the cursor holds. Then it ends: beliefs that
        are added later go to a new list, which the loop does not see.
        """
        return replace(self, following=0, restarts=False)


@dataclass(frozen=True, slots=True)
class SuspendedChoicePoint:
    """Choice point as an immutable value that can be stored in a state, unlike
    :class:`volition.languages.jason.queries.ChoicePoint`."""

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
    """Return the first solution of the query of a ``for`` loop, or None, and the untried
    alternatives for later iterations."""
    return _next(
        [ChoicePoint(iter([ProofState(GoalList(formula, None), bindings, 0)]))], knowledge, {}
    )


def next_loop_solution(
    untried: Sequence[SuspendedChoicePoint], knowledge: QueryContext
) -> tuple[Bindings | None, tuple[SuspendedChoicePoint, ...]]:
    """Return the next solution of the query of a ``for`` loop with the current beliefs, or None,
    and the alternatives that are still untried."""
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
    """Return the next solution that a stack of choice points leads to, or None, and the
    alternatives that are still untried. ``cursors`` maps the ``id`` of each choice point on the
    stack that was resumed from a cursor to this cursor."""
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


# --- conversion of choice points to immutable values ----------------------------------------------

_Value = TypeVar("_Value")


class _FrozenMapping(dict[str, _Value]):
    """Hashable mapping, ordered by name, that can be part of a state."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


def _freeze(values: Mapping[str, _Value]) -> _FrozenMapping[_Value]:
    return values if isinstance(values, _FrozenMapping) else _FrozenMapping(sorted(values.items()))


def _suspend(choice: ChoicePoint, resumed: Cursor | None) -> SuspendedChoicePoint:
    """Convert a choice point to an immutable value that can be stored in a state. ``resumed`` is
    the cursor from which the choice point was resumed, or None.

    The beliefs and rules that the choice point has not tried are represented by a cursor. They are
    taken from the choice point first. After that, the ``ways`` of the choice point yield only the
    remaining matches of the current belief or rule. These matches are stored as a tuple.
    """
    entries = tuple(choice.entries)
    after = None if choice.after is None else _state(choice.after)
    return SuspendedChoicePoint(
        tuple(map(_state, choice.ways)), _cursor(entries, resumed), choice.query, after
    )


def _cursor(entries: Beliefs, resumed: Cursor | None) -> Cursor | None:
    """Return a cursor for ``entries``, the beliefs and rules that a search has not tried yet, or
    None if there are none.

    ``resumed`` is the cursor from which the search was resumed, or None. If the search has not yet
    tried the removed belief that ``resumed`` holds, the result is ``resumed`` itself.
    """
    if not entries:
        return None
    if resumed is not None and entries[0] is resumed.removed:
        return resumed
    predicate = predicate_of(entries[0])
    return Cursor(predicate, sum(1 for each in entries[1:] if predicate_of(each) == predicate))


def _state(state: ProofState) -> ProofState:
    """Return a hashable copy of a proof state (the goals left to prove, and the bindings), so that
    it can be stored in a state of the model.

    Inside a rule, the last goal refers to the proof state in which the rule was called, which may
    itself be inside a rule. All these proof states are copied, the outermost first. A loop is used
    instead of recursion, because rule calls may be deeply nested.
    """
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
