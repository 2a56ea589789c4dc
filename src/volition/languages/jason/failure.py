"""Plan failure: search the stack of an intention for a goal with a failure plan (``-!g``), and post
the failure event of this goal. If no goal of the stack has such a plan, the intention is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.continuations import BranchEnd, LoopEnd
from volition.languages.jason.events import has_candidate_plan, post
from volition.languages.jason.goal_queries import drop_branches
from volition.languages.jason.goal_state_events import goal_state_changed
from volition.languages.jason.ordering import annotation_set
from volition.languages.jason.state import Event, IntendedMeans, Intention
from volition.languages.jason.substitution import renamed
from volition.languages.jason.syntax import GOAL_PREFIXES, Step
from volition.languages.jason.terms import Bindings, Literal, Term, Text, atom
from volition.languages.jason.traversal import terms_of
from volition.languages.jason.unification import apply, variables

__all__ = ["code_of", "error", "fail", "fail_event"]


def error(name: str | Term, message: str = "") -> tuple[Term, ...]:
    """Return the annotations ``error(name), error_msg(message)`` of a failure event."""
    return (
        Literal("error", (atom(name) if isinstance(name, str) else name,)),
        Literal("error_msg", (Text(message),)),
    )


def code_of(step: Step | LoopEnd | BranchEnd, bindings: Bindings) -> tuple[Term, ...]:
    """Return the annotations ``code(..), code_src(..), code_line(..)`` of a failure event: the
    failed step and its position. The file name is given without its folder."""
    position = (
        Literal("code_src", (Text(PurePath(step.span.source.name).name),)),
        Literal("code_line", (step.span.line,)),
    )
    if isinstance(step, LoopEnd | BranchEnd) or not (terms := terms_of(step)):
        return position
    term = apply(terms[0], bindings)
    return (Literal("code", (renamed(term, dict.fromkeys(variables(term), "_")),)), *position)


def fail(mind: AgentState, intention: Intention, annotations: Sequence[Term]) -> str:
    """Handle the failure of an intention's current step. Return the consequence as text for the
    trace.

    The stack is searched downwards from the failed means for the first goal that has a plan for its
    failure. If there is none, the intention is dropped.
    """
    text, is_handled = _fail_from(mind, intention, intention.stack, annotations)
    _schedule_failure_events(
        mind, intention.top, intention.stack[1:], annotations, is_handled=is_handled
    )
    return text


def _schedule_failure_events(
    mind: AgentState,
    failed: Event | IntendedMeans,
    below: Iterable[IntendedMeans],
    annotations: Iterable[Term],
    *,
    is_handled: bool,
) -> None:
    """Schedule the goal state events of a failed goal.

    The first event is ``failed``. If a plan handles the failure (``is_handled``), the goal is still
    being pursued, and an event ``executing`` follows. Otherwise an event ``finished`` follows, and
    the goals under it in the stack of the intention (``below``) fail and finish too.
    """
    if failed.kind == "belief":
        return
    goal_state_changed(mind, failed, "failed", _reason(annotations))
    if is_handled:
        goal_state_changed(mind, failed, "executing", atom("has_failure_plan"))
        return
    goal_state_changed(mind, failed, "finished")
    for each in below:
        goal_state_changed(mind, each, "failed")
        goal_state_changed(mind, each, "finished")


def _reason(annotations: Iterable[Term]) -> Term | None:
    """Return the reason of a failure: the argument of ``error(E)``, or None."""
    return next(
        (
            each.arguments[0]
            for each in annotations
            if isinstance(each, Literal) and each.functor == "error"
        ),
        None,
    )


def fail_event(mind: AgentState, event: Event, annotations: Sequence[Term]) -> str:
    """Handle a goal event for which no plan was found. Return the consequence as text for the
    trace.

    The failure event ``-!g`` is posted for the goal, or for the nearest goal below it that has a
    plan for its failure. If the event is itself a failure ``-!g``, the intention is dropped.
    """
    if event.operator != "+":
        return "" if event.intention is None else "; the intention is dropped"
    stack = event.intention.stack if event.intention else ()
    failure = event._replace(
        operator="-", literal=_annotated(event.literal, annotations), below=len(stack)
    )
    text, is_handled = "", has_candidate_plan(mind, failure)
    if is_handled:
        post(mind, failure)
        text = f"; the goal fails: -{f'{event}'[1:]}"
    elif event.intention is not None:
        text, is_handled = _fail_from(mind, event.intention, stack, annotations)
    _schedule_failure_events(mind, event, stack, annotations, is_handled=is_handled)
    return text


def _fail_from(
    mind: AgentState,
    intention: Intention,
    stack: tuple[IntendedMeans, ...],
    annotations: Iterable[Term],
) -> tuple[str, bool]:
    """Search ``stack`` downwards for a goal with a plan for its failure, and post its failure
    event. Return the consequence as text for the trace, and whether the event was posted. If it was
    not, the intention ends."""
    while stack:
        means = stack[0]
        if means.operator == "+" and means.kind != "belief":
            literal = _annotated(means.literal, annotations)
            failure = Event(
                "-", means.kind, literal, intention, means.return_bindings, means.depth_after_return
            )
            if has_candidate_plan(mind, failure):
                return _fail_goal(mind, failure, intention, depth=len(stack))
        # A failure inside a plan for the failure of g counts as a failure of the goal below g.
        stack = stack[-means.depth_after_return :] if means.depth_after_return else ()
    _leave_fork(mind, intention, depth=0)
    return "; the intention is dropped", False


def _fail_goal(
    mind: AgentState, failure: Event, intention: Intention, *, depth: int
) -> tuple[str, bool]:
    """Post ``failure``, the failure event of a goal. If the last fork of the intention is ``|||``
    and the goal is below this fork in the stack, drop the intention instead: it is only one branch
    of the fork, and another branch may still succeed.

    ``depth`` is the goal's position in the stack of the intention, counted from the bottom. Return
    the consequence as text for the trace, and whether the event was posted.
    """
    left = _leave_fork(mind, intention, depth)
    if left is None:
        return "; the branch is dropped", False
    post(mind, failure._replace(intention=left))
    return (
        "; the goal fails: "
        f"{failure.operator}{GOAL_PREFIXES[failure.kind]}{replace(failure.literal, annotations=())}",  # noqa: E501
        True,
    )


def _leave_fork(mind: AgentState, intention: Intention, depth: int) -> Intention | None:
    """Return the intention after the failure of the goal at position ``depth`` of its stack,
    counted from the bottom, or None if the intention ends.

    If the goal is below the last fork of the intention, a fork ``|&|`` drops the other branches,
    whereas a fork ``|||`` ends only this branch.
    """
    branch = intention.branch
    if branch is None or depth > branch.depth:
        return intention
    if branch.join == "|||":
        return None
    drop_branches(mind, branch.number)
    return intention._replace(branch=branch._replace(number=0))


def _annotated(literal: Literal, annotations: Iterable[Term]) -> Literal:
    own = literal.known_annotations
    return replace(literal, annotations=annotation_set((*own, *annotations)))
