"""What each kind of step of a body does: one function per kind.

A function may change the agent's mind; what becomes of the intention is in the :class:`Outcome`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from volition.languages.jason import beliefs as base
from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.continuations import BranchEnd, Continuation, LoopEnd, Values
from volition.languages.jason.events import post
from volition.languages.jason.forks import fork, join
from volition.languages.jason.goal_state_events import top_goal_state_changed
from volition.languages.jason.intentions import (
    goal_for_event,
    normalise_bindings,
    with_continuation,
)
from volition.languages.jason.library import communication, intentions, timing
from volition.languages.jason.queries import ActionError, first_solution
from volition.languages.jason.resumable_queries import (
    SuspendedChoicePoint,
    first_loop_solution,
    next_loop_solution,
)
from volition.languages.jason.stage_merging import completion_is_unobservable
from volition.languages.jason.state import Event, Intention
from volition.languages.jason.step_execution import StepContext, StepResult
from volition.languages.jason.substitution import is_ground
from volition.languages.jason.syntax import (
    Achieve,
    Act,
    AddBelief,
    Body,
    Constraint,
    For,
    Fork,
    If,
    InternalAction,
    RemoveBelief,
    ReplaceBelief,
    Step,
    Test,
    VariableStep,
    While,
)
from volition.languages.jason.terms import (
    SELF,
    Bindings,
    BracedTerm,
    Compare,
    List,
    Literal,
    Term,
    Variable,
)
from volition.languages.jason.unification import apply, unify, without_annotations
from volition.languages.jason.vocabulary import DRAW

__all__ = ["execute"]


def execute(mind: AgentState, intention: Intention) -> Sequence[StepResult]:
    """ExecInt: executes the current step of an intention that has been taken out of I."""
    run = StepContext(mind, intention)
    return _FUNCTIONS[type(run.step)](run.step, run)


# --- actions and goals ----------------------------------------------------------------------------


def environment_action(step: Act, run: StepContext) -> list[StepResult]:
    """The intention waits in PA for the result."""
    action = run.value(step.action)
    assert isinstance(action, Literal)
    top_goal_state_changed(run.mind, run.intention, "waiting", Literal("action", (action,)))
    run.mind.request(
        action, run.intention, ends_all=completion_is_unobservable(run.mind.agent, run.intention)
    )
    return run.detached(f"requests {action}")


def achieve(step: Achieve, run: StepContext) -> list[StepResult]:
    """``!g``: the intention is with the event until a plan is chosen; ``!!g``: an external
    event."""
    goal = run.value(step.goal)
    if not isinstance(goal, Literal):
        return _no_literal(goal, run)
    goal, returns = goal_for_event(base.with_source(goal, SELF))
    timing.start_deadline(run.mind, goal)
    if step.new_intention:
        post(run.mind, Event("+", "achieve", goal))
        return run.done(f"wants !!{goal}")
    post(run.mind, Event("+", "achieve", goal, run.intention, returns))
    return run.detached(f"wants !{goal}")


def test(step: Test, run: StepContext) -> list[StepResult]:
    """``?q``: the first solution; without one, a plan for ``+?q`` if there is any."""
    found = first_solution(step.query, run.bindings, run.knowledge)
    query = run.value(step.query)
    if found is not None:
        return run.done(f"asks ?{query}", found)
    if isinstance(query, Literal) and not query.is_internal:
        goal, returns = goal_for_event(base.with_source(query, SELF))
        if run.mind.agent.library.candidates("+", "test", goal):
            post(run.mind, Event("+", "test", goal, run.intention, returns))
            return run.detached(f"wants ?{goal}")
    return run.failed(
        f"asks ?{query}, which does not follow", "test_goal_failed", f"Failed to test '{query}'"
    )


def constraint(step: Constraint, run: StepContext) -> list[StepResult]:
    found = first_solution(step.formula, run.bindings, run.knowledge)
    formula = run.value(step.formula)
    if found is None:
        text = f"finds that {formula} does not hold{_because_of_annotations(formula)}"
        return run.failed(text, "constraint_failed", f"Constraint {formula} was not satisfied")
    return run.done(f"finds {apply(step.formula, found, run.knowledge)}", found)


def _because_of_annotations(formula: Term) -> str:
    """Where two literals would unify but for the annotations of the left one, which must all be
    among those of the right one."""
    match formula:
        case Compare("=", Literal() as left, Literal() as right) if (
            unify(without_annotations(left), right, {}) is not None
        ):
            there = right.known_annotations
            missing = [
                each
                for each in left.known_annotations
                if all(unify(each, known, {}) is None for known in there)
            ]
            return f": {', '.join(map(str, missing))} not among the annotations of {right}"
    return ""


def value_of(step: VariableStep, run: StepContext) -> Sequence[StepResult]:
    """A variable: its value is the step; a body comes in its place."""
    value = run.value(step.variable)
    if isinstance(value, BracedTerm) and isinstance(value.content, tuple):
        return (
            _spliced(value.content, run) if value.content else run.done("has nothing to do in {}")
        )
    if not isinstance(value, Literal):
        return _no_literal(value, run)
    return _spliced(
        (
            InternalAction(value, span=step.span)
            if value.is_internal
            else Act(value, span=step.span),
        ),
        run,
    )


def _spliced(body: Body, run: StepContext) -> Sequence[StepResult]:
    """The first step of a body that stands in the place of the current one, at once."""
    rest = run.rest.prepend(body)
    return execute(
        run.mind, run.intention.with_top(with_continuation(run.intention.top, rest, run.bindings))
    )


def _no_literal(value: Term, run: StepContext) -> list[StepResult]:
    name = "body_var_without_value" if isinstance(value, Variable) else "body_var_not_literal"
    return run.failed(
        f"cannot execute {run.step}, as {value} is no literal", name, f"{value} is no literal"
    )


# --- beliefs --------------------------------------------------------------------------------------


def add_belief(step: AddBelief, run: StepContext) -> list[StepResult]:
    """``+b``: if there is an event the plan waits until it has been handled."""
    belief = run.value(step.belief)
    if not isinstance(belief, Literal):
        return _no_literal(belief, run)
    return _believe(belief, run, own_intention=step.own_intention, last=step.last)


def _believe(
    belief: Literal, run: StepContext, *, own_intention: bool = False, last: bool = False
) -> list[StepResult]:
    belief, _ = goal_for_event(belief)
    run.mind.check_term_size(belief)
    beliefs, event = base.add(run.mind.beliefs, belief, last=last)
    run.revise(beliefs)
    run.mind.check_bound("M_Bel", len(run.mind.beliefs), "beliefs")
    if event is None:
        return run.done(f"adds {belief}, which it believes already")
    return _after_change(
        Event("+", "belief", event),
        f"adds {belief}",
        run,
        run.bindings,
        own_intention=own_intention,
    )


def _after_change(
    event: Event, text: str, run: StepContext, bindings: Bindings, *, own_intention: bool
) -> list[StepResult]:
    """The event of a belief that the plan itself has changed is internal, unless it is to be
    handled in an intention of its own."""
    if own_intention or run.mind.agent.settings.int_bels == "newFocus":
        post(run.mind, event)
        return run.done(text, bindings)
    top = run.intention.top
    post(
        run.mind,
        event._replace(
            intention=run.intention.with_top(with_continuation(top, top.body, bindings))
        ),
    )
    return run.detached(text)


def remove_belief(step: RemoveBelief, run: StepContext) -> list[StepResult]:
    """``-b``: the first match; nothing happens without one."""
    belief = run.value(step.belief)
    if not isinstance(belief, Literal):
        return _no_literal(belief, run)
    event, bindings = _disbelieve(belief, run)
    if event is None:
        return run.done(f"removes {belief}", bindings)
    return _after_change(
        Event("-", "belief", event),
        f"removes {apply(belief, bindings)}",
        run,
        bindings,
        own_intention=step.own_intention,
    )


def _disbelieve(pattern: Literal, run: StepContext) -> tuple[Literal | None, Bindings]:
    """Remove the first belief that matches; return the literal of the event, if there is one, and
    what the variables are then."""
    after, event, bindings = base.remove(run.mind.beliefs, pattern, run.bindings)
    run.revise(
        after,
        lost=() if event is None else event.known_annotations,
        keeps_list=not is_ground(pattern),
    )
    return event, bindings


def replace_belief(step: ReplaceBelief, run: StepContext) -> list[StepResult]:
    """``-+b``: one own belief of the predicate goes, with an external event; then as ``+b``."""
    belief = run.value(step.belief)
    if not isinstance(belief, Literal):
        return _no_literal(belief, run)
    belief, _ = goal_for_event(belief)
    run.mind.check_term_size(belief)
    removed, _ = _disbelieve(base.replaced_by(belief), run)
    beliefs, added = base.add(run.mind.beliefs, belief)
    run.revise(beliefs)
    run.mind.check_bound("M_Bel", len(run.mind.beliefs), "beliefs")
    if removed is not None:
        post(run.mind, Event("-", "belief", removed))
    if added is None:
        return run.done(f"keeps {belief}")
    return _after_change(
        Event("+", "belief", added), f"replaces by {belief}", run, run.bindings, own_intention=False
    )


# --- control --------------------------------------------------------------------------------------


def conditional(step: If, run: StepContext) -> list[StepResult]:
    """``if``: the first solution of the condition; its bindings stay."""
    found = first_solution(step.condition, run.bindings, run.knowledge)
    body = step.otherwise if found is None else step.then
    holds = "does not follow" if found is None else "follows"
    return run.done(
        f"finds that {run.value(step.condition)} {holds}", found, run.rest.prepend(body)
    )


def for_each(step: For, run: StepContext) -> list[StepResult]:
    """``for``: the first round begins in this step."""
    start = dict(normalise_bindings(run.bindings, Continuation((step,)).next_use))
    return _go_round(
        step, _before(run), *first_loop_solution(step.query, start, run.knowledge), run
    )


def while_true(step: While, run: StepContext) -> list[StepResult]:
    """``while``: the first round begins in this step."""
    return next_round(LoopEnd(step, _before(run)), run)


def next_round(step: LoopEnd, run: StepContext) -> list[StepResult]:
    """The values from before the loop come back; then the next solution of ``for``, or the
    condition of ``while``."""
    if isinstance(step.loop, For):
        return _go_round(
            step.loop,
            step.saved_bindings,
            *next_loop_solution(step.remaining_solutions, run.knowledge),
            run,
        )
    before = dict(step.saved_bindings)
    found = first_solution(step.loop.condition, before, run.knowledge)
    if found is None:
        return run.done(f"ends {_head(step.loop)}", before)
    return run.done(
        f"goes round {_head(step.loop)}", found, run.rest.prepend((*step.loop.body, step))
    )


def _go_round(
    loop: For,
    before: Values,
    found: Bindings | None,
    untried: tuple[SuspendedChoicePoint, ...],
    run: StepContext,
) -> list[StepResult]:
    """The body once more, with a solution of ``for``; without one the loop ends."""
    if found is None:
        return run.done(f"ends {_head(loop)}", dict(before))
    values = dict(normalise_bindings(found, Continuation((loop,)).next_use))
    return run.done(
        f"goes round {_head(loop)}",
        values,
        run.rest.prepend((*loop.body, LoopEnd(loop, before, untried))),
    )


def _before(run: StepContext) -> Values:
    """What is to be known again after a loop, and in it."""
    top = run.intention.top
    return with_continuation(top, top.body, run.bindings).bindings


def _head(loop: For | While) -> str:
    return f"for ({loop.query})" if isinstance(loop, For) else f"while ({loop.condition})"


# --- internal actions -----------------------------------------------------------------------------


def internal_action(step: InternalAction, run: StepContext) -> Sequence[StepResult]:
    """At once: the first solution; none is failure."""
    try:
        if (deed := _DEEDS.get(step.action.functor)) is not None:
            return deed(step.action.arguments, run)
        return _query(step, run)
    except ActionError as problem:
        return run.failed(
            f"calls {run.value(step.action)} in vain: {problem}", "ia_failed", str(problem)
        )


def _query(step: InternalAction, run: StepContext) -> Sequence[StepResult]:
    found = next(iter(run.knowledge.call(step.action, run.bindings)), None)
    if found is None:
        return run.failed(f"calls {run.value(step.action)} in vain", "ia_failed")
    return run.done(f"calls {apply(step.action, found, run.knowledge)}", found)


def draw(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """One of some numbers for the step behind it, which follows at once."""
    numbers, variable = arguments
    assert isinstance(numbers, List)
    assert isinstance(variable, Variable)
    known = {**run.bindings, variable.name: numbers.items[run.mind.choose(len(numbers.items))]}
    return execute(
        run.mind, run.intention.with_top(with_continuation(run.intention.top, run.rest, known))
    )


_DEEDS = {
    **intentions.STATEFUL_ACTIONS,
    **communication.STATEFUL_ACTIONS,
    **timing.STATEFUL_ACTIONS,
    DRAW: draw,
}

_FUNCTIONS: dict[
    type[Step | LoopEnd | BranchEnd], Callable[[Any, StepContext], Sequence[StepResult]]
] = {
    Act: environment_action,
    InternalAction: internal_action,
    Achieve: achieve,
    Test: test,
    AddBelief: add_belief,
    RemoveBelief: remove_belief,
    ReplaceBelief: replace_belief,
    Constraint: constraint,
    If: conditional,
    For: for_each,
    While: while_true,
    LoopEnd: next_round,
    Fork: fork,
    BranchEnd: join,
    VariableStep: value_of,
}
