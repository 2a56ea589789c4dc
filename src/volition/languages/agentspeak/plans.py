"""Selection of a plan for an event: the first plan that is relevant and applicable (Bordini et al.,
Sect. 2 and 4.1)."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, assert_never

from volition.languages.agentspeak.state import Belief, BoundExceeded, Event
from volition.languages.agentspeak.syntax import (
    BeliefCondition,
    Compare,
    Compute,
    Condition,
    NegatedBeliefCondition,
    Plan,
    Relation,
    Trigger,
    Unify,
)
from volition.languages.world.terms import (
    TOO_LARGE_NUMBER,
    Bindings,
    Number,
    Structure,
    Term,
    Variable,
    is_large_number,
    number,
    rename,
    substitute,
    unify,
    variables,
)

__all__ = [
    "FUNCTIONS",
    "ORDER",
    "applicable",
    "compare",
    "compute",
    "first_match",
    "rename_free_variables",
    "resolve_bindings",
]

_FRESH = "?"
"""Prefix of the names that replace the free variables of a goal in the event for the goal. A
program cannot contain such names."""

_RELATIONS: dict[Relation, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ORDER = frozenset(_RELATIONS)
"""Comparison relations that are defined only for numbers."""
FUNCTIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def applicable(
    plans: Sequence[Plan], event: Event, beliefs: Sequence[Belief]
) -> tuple[int, Bindings] | None:
    """Return the first plan that is relevant for an event and whose context follows from the
    beliefs, as the plan's index and the first unifier found. Return None if there is no such plan.

    The selection function S_O of Bordini et al. is the order of the plans.
    """
    for index, plan in enumerate(plans):
        bindings = relevant(plan.trigger, event)
        if bindings is not None:
            found = next(_consequences(plan.context, beliefs, bindings), None)
            if found is not None:
                return index, resolve_bindings(found)
    return None


def relevant(trigger: Trigger, event: Event) -> Bindings | None:
    """Return the unifier of a plan's triggering event and an event that occurred, or None if they
    do not match."""
    if (trigger.sign, trigger.kind) != (event.sign, event.kind):
        return None
    return unify(trigger.pattern, event.atom, {})


def _consequences(
    context: Sequence[Condition], beliefs: Sequence[Belief], bindings: Bindings
) -> Iterator[Bindings]:
    """Yield the bindings for which a plan's context is a logical consequence of the beliefs. The
    conditions of the context are solved from left to right, with backtracking."""
    if not context:
        yield bindings
        return
    loops = [_solutions(context[0], beliefs, bindings)]
    while loops:
        found = next(loops[-1], None)
        if found is None:
            loops.pop()
        elif len(loops) == len(context):
            yield found
        else:
            loops.append(_solutions(context[len(loops)], beliefs, found))


def _solutions(
    condition: Condition, beliefs: Sequence[Belief], bindings: Bindings
) -> Iterator[Bindings]:
    """Yield the extensions of ``bindings`` for which one condition of a context holds."""
    match condition:
        case BeliefCondition(atom):
            yield from matches(atom, beliefs, bindings)
        case NegatedBeliefCondition(atom):
            if next(matches(atom, beliefs, bindings), None) is None:
                yield bindings
        case Compare(relation, left, right):
            if compare(relation, substitute(left, bindings), substitute(right, bindings)):
                yield bindings
        case Unify(left, right):
            unified = unify(left, right, bindings)
            if unified is not None:
                yield unified
        case Compute():
            computed = compute(condition, bindings)
            if computed is not None:
                yield computed
        case _:
            assert_never(condition)


def matches(atom: Structure, beliefs: Sequence[Belief], bindings: Bindings) -> Iterator[Bindings]:
    """Yield the extensions of ``bindings`` for which an atom is believed, in the order in which the
    beliefs were acquired."""
    for belief in beliefs:
        extended = unify(atom, belief.atom, bindings)
        if extended is not None:
            yield extended


def first_match(
    atom: Structure, beliefs: Sequence[Belief], bindings: Bindings
) -> tuple[Structure, Bindings] | None:
    """Return the first belief that matches an atom, and the bindings extended by the match. Return
    None if no belief matches."""
    found = ((each.atom, unify(atom, each.atom, bindings)) for each in beliefs)
    return next(((belief, extended) for belief, extended in found if extended is not None), None)


def compare(relation: Relation, left: Term, right: Term) -> bool:
    """Return whether a relation holds between two terms. Any two terms can be compared for
    equality; only numbers are ordered."""
    if relation == "=":
        return left == right
    if relation == "!=":
        return left != right
    return (
        isinstance(left, Number) and isinstance(right, Number) and _RELATIONS[relation](left, right)
    )


def compute(formula: Compute, bindings: Bindings) -> Bindings | None:
    """Return the bindings extended by the result of a computation such as ``.plus(X,Y,Z)``. Return
    None if an operand is not a number, or if the result variable already has another value."""
    left, right = substitute(formula.left, bindings), substitute(formula.right, bindings)
    if not isinstance(left, Number) or not isinstance(right, Number):
        return None
    result = number(FUNCTIONS[formula.function](left, right))
    if is_large_number(result):
        message = f"'{formula}' computes a number that {TOO_LARGE_NUMBER}"
        raise BoundExceeded(
            "ASP051", message, "a number that keeps growing leads to infinitely many states"
        )
    return unify(formula.result, result, bindings)


def resolve_bindings(bindings: Bindings) -> Bindings:
    """Return the value of each variable of a plan, with the variables in these values replaced by
    their own values.

    A variable without a value is omitted. Exception: if two variables must have the same value and
    this value is not known yet, both stay, bound to the same new variable.
    """
    values = {
        name: substitute(Variable(name), bindings)
        for name in bindings
        if not name.startswith(_FRESH)
    }
    occurrences = Counter(name for value in values.values() for name in variables(value))
    return {
        name: value
        for name, value in values.items()
        if not _is_unknown(value, occurrences) and value != Variable(name)
    }


def _is_unknown(value: Term, occurrences: Mapping[str, int]) -> bool:
    return (
        isinstance(value, Variable)
        and value.name.startswith(_FRESH)
        and occurrences[value.name] == 1
    )


def rename_free_variables(atom: Term, known: Bindings | None = None) -> Structure:
    """Return an atom with new names for its free variables. A new name occurs neither in a plan nor
    in the values of ``known``."""
    taken = [
        name
        for value in (known or {}).values()
        for name in variables(value)
        if name.startswith(_FRESH)
    ]
    longest = max((len(name) - len(name.lstrip(_FRESH)) for name in taken), default=0)
    renamed = rename(atom, {}, _FRESH * (longest + 1))
    assert isinstance(renamed, Structure)
    return renamed
