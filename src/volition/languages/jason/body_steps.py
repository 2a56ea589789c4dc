"""Execution of one step of a plan body (rule ExecInt of the reasoning cycle): one function for each
kind of step.

A function may change the agent's state. It returns the effect on the intention as a list of
:class:`StepResult`, one for each possible outcome.
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
    """Execute the current step of an intention that has been removed from I, the running intentions
    (rule ExecInt). Return one result for each possible outcome."""
    run = StepContext(mind, intention)
    return _FUNCTIONS[type(run.step)](run.step, run)


# --- steps: actions and goals ---------------------------------------------------------------------


def environment_action(step: Act, run: StepContext) -> list[StepResult]:
    """Request an action of the environment. The intention waits for its result in PA (pending
    actions)."""
    action = run.value(step.action)
    assert isinstance(action, Literal)
    top_goal_state_changed(run.mind, run.intention, "waiting", Literal("action", (action,)))
    run.mind.request(
        action, run.intention, ends_all=completion_is_unobservable(run.mind.agent, run.intention)
    )
    return run.detached(f"requests {action}")


def achieve(step: Achieve, run: StepContext) -> list[StepResult]:
    """Execute ``!g`` or ``!!g``: post the event ``+!g``. For ``!g`` the intention is attached to
    the event until a plan is selected; for ``!!g`` the event is external."""
    goal = run.value(step.goal)
    if not isinstance(goal, Literal):
        return _not_a_literal(goal, run)
    goal, returns = goal_for_event(base.with_source(goal, SELF))
    timing.start_deadline(run.mind, goal)
    if step.new_intention:
        post(run.mind, Event("+", "achieve", goal))
        return run.done(f"wants !!{goal}")
    post(run.mind, Event("+", "achieve", goal, run.intention, returns))
    return run.detached(f"wants !{goal}")


def test(step: Test, run: StepContext) -> list[StepResult]:
    """Execute ``?q`` with the first solution of the query q. If there is no solution, post an event
    ``+?q`` if a plan exists for it, otherwise fail."""
    found = first_solution(step.query, run.bindings, run.knowledge)
    query = run.value(step.query)
    if found is not None:
        return run.done(f"tests ?{query}", found)
    if isinstance(query, Literal) and not query.is_internal:
        goal, returns = goal_for_event(base.with_source(query, SELF))
        if run.mind.agent.library.candidates("+", "test", goal):
            post(run.mind, Event("+", "test", goal, run.intention, returns))
            return run.detached(f"wants ?{goal}")
    return run.failed(
        f"tests ?{query}, which does not hold", "test_goal_failed", f"Failed to test '{query}'"
    )


def constraint(step: Constraint, run: StepContext) -> list[StepResult]:
    found = first_solution(step.formula, run.bindings, run.knowledge)
    formula = run.value(step.formula)
    if found is None:
        text = f"finds that {formula} does not hold{_annotation_mismatch(formula)}"
        return run.failed(text, "constraint_failed", f"Constraint {formula} was not satisfied")
    return run.done(_solution_text(step.formula, found, run), found)


def _solution_text(formula: Term, found: Bindings, run: StepContext) -> str:
    """Return the trace text for a constraint that holds. For ``X = ..`` with X unbound, the text
    shows the new value of X. Otherwise it shows the formula with the values of its variables."""
    match formula:
        case Compare("=", Variable(name), right) if name not in run.bindings:
            return f"sets {name} = {apply(right, found, run.knowledge)}"
        case _:
            pass
    return f"finds that {apply(formula, found, run.knowledge)} holds"


def _annotation_mismatch(formula: Term) -> str:
    """Return the explanation of a failed ``left = right`` whose literals unify except for
    annotations: the annotations of ``left`` must be a subset of those of ``right``. Return an empty
    text for any other formula."""
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
        case _:
            pass
    return ""


def value_of(step: VariableStep, run: StepContext) -> Sequence[StepResult]:
    """Execute a step that is a variable. If its value is a literal, the literal is executed as an
    action. If its value is a plan body, the step is replaced by the steps of this body."""
    value = run.value(step.variable)
    if isinstance(value, BracedTerm) and isinstance(value.content, tuple):
        return (
            _execute_spliced(value.content, run)
            if value.content
            else run.done("has nothing to do in {}")
        )
    if not isinstance(value, Literal):
        return _not_a_literal(value, run)
    return _execute_spliced(
        (
            InternalAction(value, span=step.span)
            if value.is_internal
            else Act(value, span=step.span),
        ),
        run,
    )


def _execute_spliced(body: Body, run: StepContext) -> Sequence[StepResult]:
    """Replace the current step by the steps of ``body``, and execute the first of them in the same
    transition."""
    rest = run.rest.prepend(body)
    return execute(
        run.mind, run.intention.with_top(with_continuation(run.intention.top, rest, run.bindings))
    )


def _not_a_literal(value: Term, run: StepContext) -> list[StepResult]:
    name = "body_var_without_value" if isinstance(value, Variable) else "body_var_not_literal"
    return run.failed(
        f"cannot execute {run.step}: {value} is not a literal", name, f"{value} is not a literal"
    )


# --- steps: belief changes ------------------------------------------------------------------------


def add_belief(step: AddBelief, run: StepContext) -> list[StepResult]:
    """Execute ``+b``. If the addition raises an event, the plan waits until the event has been
    handled, except with ``++b``."""
    belief = run.value(step.belief)
    if not isinstance(belief, Literal):
        return _not_a_literal(belief, run)
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
    """Post the event of a belief change that a plan has made.

    Usually the current intention waits until the event has been handled. There are two exceptions:
    ``own_intention`` is True (``++b``, ``--b``), or the agent has the option ``intBels=newFocus``.
    Then the event is external, and the current intention continues.
    """
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
    """Execute ``-b``: remove the first belief that matches b. Succeed without effect if there is
    none."""
    belief = run.value(step.belief)
    if not isinstance(belief, Literal):
        return _not_a_literal(belief, run)
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
    """Remove the first belief that matches ``pattern``. Return the literal of the removal event, or
    None if there is no event, and the bindings after the match."""
    after, event, bindings = base.remove(run.mind.beliefs, pattern, run.bindings)
    run.revise(
        after,
        lost=() if event is None else event.known_annotations,
        keeps_list=not is_ground(pattern),
    )
    return event, bindings


def replace_belief(step: ReplaceBelief, run: StepContext) -> list[StepResult]:
    """Execute ``-+b``: remove one belief with the predicate of b and the source ``self``, which
    raises an external event, then continue as for ``+b``."""
    belief = run.value(step.belief)
    if not isinstance(belief, Literal):
        return _not_a_literal(belief, run)
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
        Event("+", "belief", added),
        f"updates its belief to {belief}",
        run,
        run.bindings,
        own_intention=False,
    )


# --- steps: conditionals and loops ----------------------------------------------------------------


def conditional(step: If, run: StepContext) -> list[StepResult]:
    """Execute ``if`` with the first solution of its condition. The bindings of that solution stay
    in force after the ``if``."""
    found = first_solution(step.condition, run.bindings, run.knowledge)
    body = step.otherwise if found is None else step.then
    holds = "does not hold" if found is None else "holds"
    return run.done(
        f"finds that {run.value(step.condition)} {holds}", found, run.rest.prepend(body)
    )


def for_each(step: For, run: StepContext) -> list[StepResult]:
    """Execute a ``for`` loop: find the first solution of its query, then continue with its body."""
    start = dict(normalise_bindings(run.bindings, Continuation((step,)).next_use))
    return _start_iteration(
        step, _bindings_to_restore(run), *first_loop_solution(step.query, start, run.knowledge), run
    )


def while_true(step: While, run: StepContext) -> list[StepResult]:
    """Execute a ``while`` loop: test its condition and continue with the loop body."""
    return next_round(LoopEnd(step, _bindings_to_restore(run)), run)


def next_round(step: LoopEnd, run: StepContext) -> list[StepResult]:
    """Start the next iteration of a loop, or end the loop.

    A ``for`` loop takes the next solution of its query. A ``while`` loop restores the bindings from
    before the loop and tests its condition under them. When a loop ends, the bindings from before
    the loop are restored.
    """
    if isinstance(step.loop, For):
        return _start_iteration(
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
        f"starts an iteration of {_head(step.loop)}",
        found,
        run.rest.prepend((*step.loop.body, step)),
    )


def _start_iteration(
    loop: For,
    before: Values,
    found: Bindings | None,
    untried: tuple[SuspendedChoicePoint, ...],
    run: StepContext,
) -> list[StepResult]:
    """Continue with the body of a ``for`` loop under the bindings ``found``, the next solution of
    its query. If ``found`` is None, the query has no further solution, and the loop ends.
    ``before`` are the bindings from before the loop, ``untried`` the alternatives for later
    iterations."""
    if found is None:
        return run.done(f"ends {_head(loop)}", dict(before))
    values = dict(normalise_bindings(found, Continuation((loop,)).next_use))
    return run.done(
        f"starts an iteration of {_head(loop)}",
        values,
        run.rest.prepend((*loop.body, LoopEnd(loop, before, untried))),
    )


def _bindings_to_restore(run: StepContext) -> Values:
    """Return the current bindings, to be restored after each iteration of a loop and at the end of
    the loop."""
    top = run.intention.top
    return with_continuation(top, top.body, run.bindings).bindings


def _head(loop: For | While) -> str:
    return f"for ({loop.query})" if isinstance(loop, For) else f"while ({loop.condition})"


# --- steps: internal actions ----------------------------------------------------------------------


def internal_action(step: InternalAction, run: StepContext) -> Sequence[StepResult]:
    """Execute an internal action within the current step, with its first solution. Fail if it has
    none."""
    try:
        if (deed := _STATEFUL_ACTIONS.get(step.action.functor)) is not None:
            return deed(step.action.arguments, run)
        return _query(step, run)
    except ActionError as problem:
        return run.failed(
            f"calls {run.value(step.action)}, which fails: {problem}", "ia_failed", str(problem)
        )


def _query(step: InternalAction, run: StepContext) -> Sequence[StepResult]:
    found = next(iter(run.knowledge.call(step.action, run.bindings)), None)
    if found is None:
        return run.failed(f"calls {run.value(step.action)}, which fails", "ia_failed")
    return run.done(f"calls {apply(step.action, found, run.knowledge)}", found)


def draw(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``volition.draw(Numbers, X)``: bind X to one of several numbers, chosen
    nondeterministically, and execute the next step in the same transition."""
    numbers, variable = arguments
    assert isinstance(numbers, List)
    assert isinstance(variable, Variable)
    known = {**run.bindings, variable.name: numbers.items[run.mind.choose(len(numbers.items))]}
    return execute(
        run.mind, run.intention.with_top(with_continuation(run.intention.top, run.rest, known))
    )


_STATEFUL_ACTIONS = {
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
