"""Intentions as stacks of intended means: adding a plan (with last-call optimisation), removing
finished means (rule ClrInt), and reducing bindings to the variables that are still used."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from volition.languages.jason.continuations import Continuation, Values
from volition.languages.jason.plans import ApplicablePlan
from volition.languages.jason.state import Event, IntendedMeans, Intention
from volition.languages.jason.substitution import renamed
from volition.languages.jason.terms import Bindings, Literal, Term, Variable, indicator
from volition.languages.jason.unification import apply, unify, variables

__all__ = [
    "advance",
    "canonical_variables",
    "clear",
    "complete_step",
    "goal_for_event",
    "normalise_bindings",
    "push",
    "return_from_goal",
    "tail_call_target",
    "with_continuation",
]


# --- bindings of variables ------------------------------------------------------------------------


def normalise_bindings(bindings: Bindings, next_use: Callable[[str], int | None]) -> Values:
    """Return the bindings of live variables in a canonical form, so that equivalent states are
    equal.

    ``next_use`` returns the position of a variable's next use, or None if it is not used any more.
    Variables that are aliases of each other and have no value are named after the one that is used
    first. Other free variables are named ``?0``, ``?1``, .. in order, skipping names that are in
    use. The cost does not depend on the number of variables without a value.
    """
    values = {
        name: apply(Variable(name), bindings) for name in bindings if next_use(name) is not None
    }
    unknown = {
        free for value in values.values() for free in variables(value) if free not in bindings
    }
    values |= {name: Variable(name) for name in unknown if next_use(name) is not None}
    found = [(name, values[name]) for name in sorted(values, key=lambda name: next_use(name) or 0)]
    called: dict[str, str] = {}
    for name, value in found:
        if isinstance(value, Variable):
            called.setdefault(value.name, name)
    fresh = (each for each in map("?{}".format, count()) if next_use(each) is None)
    settled = []
    for name, value in found:
        for free in variables(value):
            if free not in called:
                called[free] = next(fresh)
        reported = renamed(value, called)
        if reported != Variable(name):
            settled.append((name, reported))
    return tuple(sorted(settled))


def goal_for_event(literal: Literal) -> tuple[Literal, Values]:
    """Rename the free variables of a literal to ``?0``, ``?1``, .. in order, so that it can be
    posted as an event. Return the renamed literal, and pairs of an old and a new variable. Through
    these pairs, the plan that posts the event gets the values of its variables."""
    names = list(dict.fromkeys(variables(literal)))
    outside = {name: f"?{number}" for number, name in enumerate(names)}
    reported = renamed(literal, outside)
    assert isinstance(reported, Literal)
    return reported, tuple((name, Variable(outside[name])) for name in names)


def canonical_variables(term: Term) -> Term:
    """Return a term with its free variables renamed to ``?0``, ``?1``, .. in order. Terms that
    leave a plan, such as contents of messages, then do not depend on variable names in the plan."""
    names = dict.fromkeys(variables(term))
    return renamed(term, {name: f"?{number}" for number, name in enumerate(names)})


def with_continuation(
    means: IntendedMeans, body: Continuation, bindings: Bindings
) -> IntendedMeans:
    """Return an intended means with its remaining plan body replaced by ``body``, and its bindings
    by those of ``bindings`` that are still needed.

    A binding is needed if the body uses its variable. Outside of loops, it is also needed if its
    variable occurs in the literal of the event or in the values that the means returns to its
    caller. These variables come first in the canonical order of :func:`normalise_bindings`. Inside
    a loop they do not count, because the loop restores their bindings when it ends.
    """
    first = {} if body.is_in_loop else _head_variables(means.literal, means.return_bindings)

    def next_use(name: str) -> int | None:
        if name in first:
            return first[name]
        index = body.next_use(name)
        return None if index is None else len(first) + index

    return means._replace(body=body, bindings=normalise_bindings(bindings, next_use))


def _head_variables(literal: Literal, returns: Values) -> dict[str, int]:
    names = dict.fromkeys(
        name for term in (literal, *(term for _, term in returns)) for name in variables(term)
    )
    return {name: index for index, name in enumerate(names)}


# --- stack of an intention ------------------------------------------------------------------------


def advance(intention: Intention, bindings: Bindings) -> Intention:
    """Return the intention with its current step removed and the given bindings."""
    top = intention.top
    return intention.with_top(with_continuation(top, top.body.tail, bindings))


def push(event: Event, option: ApplicablePlan, *, last_call: bool) -> Intention:
    """Return the intention that pursues a selected plan (rule AddIM): the intention that waits for
    the event, with the plan on top, or a new intention if the event is external.

    With ``last_call`` (Jason's option ``tro``), the plan may replace the plan below it, which has
    posted the goal. This happens if the goal was the last step of that plan and has the name, arity
    and kind of the goal of that plan.
    """
    plan = option.plan
    below = event.intention.stack if event.intention else ()
    depth = event.below if event.operator == "-" and event.is_goal else len(below)
    bindings, literal, returns = _rename_apart(option.bindings, event)
    if last_call and tail_call_target(event):
        returns = _tail_call_returns(below[0], event)
        depth, below = below[0].depth_after_return, below[1:]
    values = {name: apply(term, bindings) for name, term in returns}
    trigger = apply(literal, bindings)
    names = dict.fromkeys(name for term in (trigger, *values.values()) for name in variables(term))
    called = {name: f"?{number}" for number, name in enumerate(names)}
    reported = renamed(trigger, called)
    assert isinstance(reported, Literal)
    returned = tuple((name, renamed(value, called)) for name, value in values.items())
    means = IntendedMeans(
        plan.label,
        event.operator,
        event.kind,
        reported,
        option.body,
        (),
        returned,
        depth,
        plan.is_atomic,
    )
    means = with_continuation(
        means, option.body, {**bindings, **{new: Variable(old) for old, new in called.items()}}
    )
    return (
        event.intention._replace(stack=(means, *below)) if event.intention else Intention((means,))
    )


_OUTSIDE = "outside "
"""Prefix for the names of an event's variables while a plan is added for the event. It
distinguishes them from the variables ``?0``, ``?1``, .. of the new means."""


def _rename_apart(bindings: Bindings, event: Event) -> tuple[dict[str, Term], Literal, Values]:
    """Return the bindings of a plan selected for an event, the literal of the event, and the
    ``returns`` of the :class:`Event`. In all three, the variables of the event are renamed so that
    they differ from all others."""
    names = {name for name in bindings if name.startswith("?")}
    for term in (event.literal, *bindings.values(), *(term for _, term in event.returns)):
        names |= {name for name in variables(term) if name.startswith("?")}
    apart = {name: _OUTSIDE + name for name in names}
    literal = renamed(event.literal, apart)
    assert isinstance(literal, Literal)
    values = {apart.get(name, name): renamed(value, apart) for name, value in bindings.items()}
    return values, literal, tuple((name, renamed(term, apart)) for name, term in event.returns)


def _is_last_call(top: IntendedMeans, event: Event) -> bool:
    return (
        (top.operator, event.operator) == ("+", "+")
        and top.kind == event.kind != "belief"
        and len(top.body) == 1
        and indicator(top.literal) == indicator(event.literal)
    )


def _tail_call_returns(top: IntendedMeans, event: Event) -> Values:
    """Return the ``return_bindings`` of the new intended means that replaces ``top`` by last-call
    optimisation. The new means returns what ``top`` would have returned. These values are expressed
    in the variables of the goal of ``event``."""
    bindings = dict(top.bindings)
    values = [(name, apply(term, bindings)) for name, term in top.return_bindings]
    called = {
        name: _OUTSIDE + term.name for name, term in event.returns if isinstance(term, Variable)
    }
    for _, value in values:
        for free in variables(value):
            called.setdefault(free, f"gone {free}")
    return tuple((name, renamed(value, called)) for name, value in values)


def tail_call_target(event: Event) -> IntendedMeans | None:
    """Return the intended means that a plan for ``event`` replaces by last-call optimisation, or
    None. It is the means that has posted the event. The event's goal must be its last step, and
    must have the name, arity and kind of its own goal."""
    top = event.intention.top if event.intention else None
    return top if top is not None and _is_last_call(top, event) else None


def clear(intention: Intention, finished: list[IntendedMeans] | None = None) -> Intention | None:
    """Remove finished plans (intended means) from the top of an intention (rule ClrInt) and return
    the rest, or None if nothing is left. The removed means are appended to ``finished``."""
    while not intention.top.body:
        ended = intention.top
        if finished is not None:
            finished.append(ended)
        if not ended.depth_after_return:
            return None
        intention = return_from_goal(
            intention._replace(stack=intention.stack[-ended.depth_after_return :]),
            ended.return_bindings,
            dict(ended.bindings),
        )
    return intention


def return_from_goal(intention: Intention, returns: Values, bindings: Bindings) -> Intention:
    """Return the intention after the goal posted by its current step has been handled: the step is
    removed, and its variables get the values that the goal returns."""
    top = intention.top
    known = dict(top.bindings)
    for name, term in returns:
        value = apply(term, bindings)
        value = renamed(value, {free: f"above {free}" for free in variables(value)})
        known = unify(Variable(name), value, known) or known
    return intention.with_top(with_continuation(top, top.body.tail, known))


def complete_step(
    intention: Intention, finished: list[IntendedMeans] | None = None
) -> Intention | None:
    """Return the intention after its current step, which returns no values, has ended. Finished
    plans (intended means) are removed from its stack and appended to ``finished``. Return None if
    nothing is left of the intention."""
    return clear(advance(intention, dict(intention.top.bindings)), finished)
