"""Changes of the belief base while ``for`` loops iterate over it.

All belief changes of an agent go through :func:`revise`. It adjusts the cursor of each active loop
to the position that Jason's iterator would have.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.beliefs import (
    Beliefs,
    Predicate,
    believed_of,
    literal_of,
    predicate_of,
)
from volition.languages.jason.continuations import BranchEnd, Continuation, LoopEnd
from volition.languages.jason.goal_queries import change_intentions
from volition.languages.jason.resumable_queries import Cursor, SuspendedChoicePoint
from volition.languages.jason.state import Intention
from volition.languages.jason.substitution import without_annotations
from volition.languages.jason.syntax import BeliefRule, Step
from volition.languages.jason.terms import Literal, Term

__all__ = ["revise"]


def revise(
    mind: AgentState,
    after: Beliefs,
    *,
    lost: Collection[Term] | None = None,
    keeps_list: bool = False,
) -> None:
    """Replace the agent's belief base by ``after``, and adjust the position of each active ``for``
    loop that iterates over it.

    Before Jason removes a belief, it deletes annotations from it. ``lost`` has these annotations;
    None means all annotations of the belief. A loop that has already fetched the belief still sees
    it, but without the deleted annotations.

    Jason stores the beliefs of each predicate in a list. ``keeps_list`` says what happens to a list
    that becomes empty. If it is False, Jason discards the list, so that an active loop does not see
    beliefs that are added later. If it is True, Jason keeps the list and adds later beliefs to it.
    Jason keeps the list if the removed belief was given by a pattern with variables.
    """
    before = mind.beliefs
    mind.beliefs = after
    if not mind.agent.library.has_loops or before == after:
        return
    changes = {
        each: _Change(
            believed_of(before, each), believed_of(after, each), lost, keeps_list=keeps_list
        )
        for each in dict.fromkeys(map(predicate_of, before))
    }

    def moved(intention: Intention) -> Intention:
        return _move_cursors(intention, changes)

    change_intentions(mind, moved)
    if mind.selected is not None:
        mind.selected = moved(mind.selected)


class _Change:
    """Effect of a belief change on the ``for`` loops that iterate over the beliefs of one
    predicate. First, beliefs and rules are removed in the order of Jason's list. Then new ones are
    added."""

    def __init__(
        self, before: Beliefs, after: Beliefs, lost: Collection[Term] | None, *, keeps_list: bool
    ) -> None:
        kept = [_bare_entry(each) for each in after]
        self._gone = [
            (index, _without(each, lost))
            for index, each in enumerate(before)
            if _bare_entry(each) not in kept
        ]
        self._length = len(before)
        is_empty = len(self._gone) == self._length
        self._is_detached = is_empty and not keeps_list
        self._has_appended = (
            bool(after)
            and not is_empty
            and _bare_entry(after[-1]) not in [_bare_entry(each) for each in before]
        )

    @property
    def matters(self) -> bool:
        return bool(self._gone) or self._has_appended

    def moved(self, cursor: Cursor) -> Cursor:
        for number, (index, left) in enumerate(self._gone):
            cursor = cursor.after_removal(index - number, self._length - number, left)
        if self._is_detached:
            return cursor.after_detachment()
        return cursor.after_append() if self._has_appended else cursor


def _bare_entry(entry: Literal | BeliefRule) -> Literal | BeliefRule:
    return (
        replace(entry, head=without_annotations(entry.head))
        if isinstance(entry, BeliefRule)
        else without_annotations(entry)
    )


def _without(entry: Literal | BeliefRule, lost: Collection[Term] | None) -> Literal | BeliefRule:
    """Return a removed belief or rule without the annotations in ``lost``, or without all its
    annotations if ``lost`` is None. A loop that has already fetched the removed belief still sees
    it in this form."""
    known = literal_of(entry)
    left = (
        () if lost is None else tuple(each for each in known.known_annotations if each not in lost)
    )
    literal = replace(known, annotations=left)
    return replace(entry, head=literal) if isinstance(entry, BeliefRule) else literal


# --- moving the cursors of loops ------------------------------------------------------------------

_Changes = dict[Predicate, _Change]


def _move_cursors(intention: Intention, changes: _Changes) -> Intention:
    if not any(
        isinstance(step, LoopEnd) and step.remaining_solutions
        for means in intention.stack
        for step in means.body
    ):
        return intention
    stack = tuple(
        means._replace(body=_move_cursors_in_body(means.body, changes)) for means in intention.stack
    )
    return intention._replace(stack=stack)


def _move_cursors_in_body(body: Continuation, changes: _Changes) -> Continuation:
    steps = [_move_cursors_in_step(each, changes) for each in body]
    return (
        body
        if all(new is old for new, old in zip(steps, body, strict=True))
        else Continuation(steps)
    )


def _move_cursors_in_step(
    step: Step | LoopEnd | BranchEnd, changes: _Changes
) -> Step | LoopEnd | BranchEnd:
    if not isinstance(step, LoopEnd):
        return step
    untried = _move_cursors_in_choice_points(step.remaining_solutions, changes)
    return (
        step if untried == step.remaining_solutions else replace(step, remaining_solutions=untried)
    )


def _move_cursors_in_choice_points(
    untried: Sequence[SuspendedChoicePoint], changes: _Changes
) -> tuple[SuspendedChoicePoint, ...]:
    def moved(each: SuspendedChoicePoint) -> SuspendedChoicePoint:
        change = None if each.cursor is None else changes.get(each.cursor.predicate)
        if each.cursor is None or change is None or not change.matters:
            return each
        return replace(each, cursor=change.moved(each.cursor))

    return tuple(map(moved, untried))
