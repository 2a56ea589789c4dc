"""Logical consequence: the solutions of a formula over beliefs and rules.

From left to right, depth first, with backtracking, each solution when it is asked for; ``not`` is
failure to prove and binds nothing; there is no cut and nothing is remembered.  The search keeps its
own stack, so that rules may call each other as deep as they need.

A rule is looked at in a scope of its own: its variables are called as they are written, and those
of the query that have no value ``?1``, ``?2``, ..  So no name depends on what was asked before.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from volition.diagnostics import Diagnostic, InputError
from volition.languages.common.state_buffer import BoundExceeded
from volition.languages.jason.ordering import sort_key
from volition.languages.jason.substitution import apply, renamed, variables
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.terms import (
    FALSE,
    TRUE,
    And,
    Bindings,
    Compare,
    Literal,
    Not,
    Or,
    Term,
    Variable,
    indicator,
    is_fixed,
)
from volition.languages.jason.unification import unifications, unify
from volition.languages.jason.univ import solve_univ

__all__ = [
    "MAX_CALLS",
    "MAX_QUERIES",
    "ActionError",
    "ChoicePoint",
    "GoalList",
    "ProofGoal",
    "ProofState",
    "QueryContext",
    "RuleReturn",
    "UnboundedRecursion",
    "first_solution",
    "holds",
    "resolve_among",
    "search",
    "solutions",
    "solve_by_rules",
]  # fmt: skip

MAX_CALLS = 5_000
"""So many rules inside each other are taken as a recursion without end."""

MAX_QUERIES = 200
"""So many queries inside of internal actions inside each other are taken as a recursion without
end."""


class ActionError(Exception):
    """An internal action cannot work with its arguments: no solution in a query, failure
    ``ia_failed`` in a body."""


class UnboundedRecursion(BoundExceeded):
    """A rule calls itself without end."""

    def __init__(self, rule: BeliefRule) -> None:
        message = (
            f"a query for {indicator(rule.head)} calls rules {MAX_CALLS:,} deep, and "
            "probably without end"
        )
        InputError.__init__(
            self,
            [
                Diagnostic(
                    "JSN056",
                    message,
                    rule.span,
                    "put the case in which it ends before the one that goes on",
                )
            ],
        )


class QueryContext(Protocol):
    """What a query may ask: beliefs with rules, and the agent's mind."""

    @property
    def agent(self) -> str:
        """The agent's name."""

    @property
    def agents(self) -> tuple[str, ...]:
        """All names, in the order of their declaration."""

    def candidates(self, query: Literal | Variable) -> Iterable[Literal | BeliefRule]:
        """Beliefs and rules of the predicate, newest first; all for a variable without a value."""

    def call(self, action: Literal, bindings: Bindings) -> Iterator[Bindings]:
        """The solutions of an internal action; its arguments are as written, with values in the
        bindings."""

    def function(self, name: str, arity: int) -> str | None:
        """The predicate that is registered as a function of this name (``register_function``)."""

    def evaluate(self, call: Literal) -> Term | None:
        """The value of a function over beliefs, None if there is none.

        ``.count(q)`` is the number of solutions, a registered function what its predicate gives as
        one more argument.
        """
        if call.functor == ".count" and len(call.arguments) == 1:
            return sum(1 for _ in solutions(call.arguments[0], {}, self))
        predicate = self.function(call.functor, len(call.arguments))
        if predicate is None:
            return None
        found = first_solution(Literal(predicate, (*call.arguments, Variable(_RESULT))), {}, self)
        return None if found is None else apply(Variable(_RESULT), found)


_RESULT = "?result"


def first_solution(formula: Term, bindings: Bindings, knowledge: QueryContext) -> Bindings | None:
    """What contexts, ``?q``, constraints and ``if`` take."""
    return next(solutions(formula, bindings, knowledge), None)


def holds(relation: str, left: Term, right: Term) -> bool:
    """A comparison of two instances: ``==`` of everything, annotations too, the others in the order
    of terms."""
    if relation == "==":
        return left == right
    if relation == "\\==":
        return left != right
    mine, yours = sort_key(left), sort_key(right)
    match relation:
        case "<":
            return mine < yours
        case "<=":
            return mine <= yours
        case ">":
            return mine > yours
    return mine >= yours


# --- the search -----------------------------------------------------------------------------------


class GoalList(NamedTuple):
    """What is left to prove, first things first."""

    first: ProofGoal
    rest: GoalList | None


class ProofState(NamedTuple):
    """What is left to prove, what is known, and how many rules are inside each other."""

    goals: GoalList | None
    bindings: Bindings
    calls: int


@dataclass(frozen=True, slots=True)
class RuleReturn:
    """The body of a rule is proved: its head tells the caller what he did not know.  Arguments that
    were known are not among them."""

    head: Literal
    query: Literal | Variable
    names: dict[str, str]
    caller: ProofState


@dataclass(frozen=True, slots=True)
class _NegatedGoalProved:
    """What stands after ``not`` is proved: all that was begun for it, and what comes after it, is
    given up."""

    height: int


ProofGoal = Term | RuleReturn | _NegatedGoalProved


class ChoicePoint(NamedTuple):
    """Ways to go on that have not been tried.  Those over beliefs and rules know which ``entries``
    are left, and what for."""

    ways: Iterator[ProofState]
    entries: Iterator[Literal | BeliefRule] = iter(())
    query: Literal | Variable | None = None
    after: ProofState | None = None


def solutions(formula: Term, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """The bindings under which a formula follows, in Jason's order."""
    return search(
        [ChoicePoint(iter([ProofState(GoalList(formula, None), bindings, 0)]))], knowledge
    )


def solve_by_rules(
    action: Literal,
    rules: Iterable[Literal | BeliefRule],
    bindings: Bindings,
    knowledge: QueryContext,
) -> Iterator[Bindings]:
    """The solutions of an internal action that is declared by rules and facts."""
    arguments = tuple(apply(each, bindings, knowledge) for each in action.arguments)
    return search(
        [resolve_among(replace(action, arguments=arguments), rules, ProofState(None, bindings, 0))],
        knowledge,
    )


def search(stack: list[ChoicePoint], knowledge: QueryContext) -> Iterator[Bindings]:
    """Solutions by way of what has not been tried, the last of these first; what is left then is on
    the stack."""
    while (state := _next_solution(stack, knowledge)) is not None:
        yield state.bindings


def _next_solution(stack: list[ChoicePoint], knowledge: QueryContext) -> ProofState | None:
    """Search for the next solution.

    Queries inside of internal actions and functions are Python's own calls.  The bound on them does
    not depend on Python's recursion limit: where that limit is high, the stack of the process ends
    first.
    """
    _running.queries += 1
    try:
        if _running.queries > MAX_QUERIES:
            raise _nested_too_deeply()
        while stack:
            state = next(stack[-1].ways, None)
            if state is None:
                stack.pop()
                continue
            while state is not None and state.goals is not None:
                state = _step(state, stack, knowledge)
            if state is not None:
                return state
        return None
    except RecursionError:
        raise _nested_too_deeply() from None
    finally:
        _running.queries -= 1


class _Running(threading.local):
    """The number of queries that run inside of each other in one thread."""

    queries = 0


_running = _Running()


def _nested_too_deeply() -> BoundExceeded:
    message = (
        "queries inside of internal actions ask for the same again, deeper than can be followed"
    )
    return BoundExceeded(
        "JSN053",
        message,
        "a rule that asks for itself inside of .findall or .count must come to an end",
    )


def _step(
    state: ProofState, stack: list[ChoicePoint], knowledge: QueryContext
) -> ProofState | None:
    """Takes the first goal apart: one state that follows, or None, with all that follow on the
    stack."""
    assert state.goals is not None
    goal, rest = state.goals
    bindings, calls = state.bindings, state.calls
    if isinstance(goal, Variable):
        goal = apply(goal, bindings, knowledge)
    match goal:
        case And(left, right):
            return ProofState(GoalList(left, GoalList(right, rest)), bindings, calls)
        case Or(left, right):
            stack.append(ChoicePoint(iter([ProofState(GoalList(right, rest), bindings, calls)])))
            return ProofState(GoalList(left, rest), bindings, calls)
        case Not(operand):
            stack.append(ChoicePoint(iter([ProofState(rest, bindings, calls)])))
            return ProofState(
                GoalList(operand, GoalList(_NegatedGoalProved(len(stack) - 1), None)),
                bindings,
                calls,
            )
        case _NegatedGoalProved(height):
            del stack[height:]
            return None
        case RuleReturn():
            return _return_to_caller(goal, bindings, knowledge)
        case Compare():
            found = _compared(goal, bindings, knowledge)
            return None if found is None else ProofState(rest, found, calls)
        case Literal() if goal == TRUE:
            return ProofState(rest, bindings, calls)
        case Literal() if goal == FALSE:
            return None
        case Literal() if goal.is_internal:
            stack.append(
                ChoicePoint(
                    _internal_action_solutions(goal, ProofState(rest, bindings, calls), knowledge)
                )
            )
        case Literal() | Variable():
            query = apply(goal, bindings, knowledge)
            assert isinstance(query, Literal | Variable)
            stack.append(
                resolve_among(query, knowledge.candidates(query), ProofState(rest, bindings, calls))
            )
    return None  # numbers, strings, lists: nothing follows from them


def resolve_among(
    query: Literal | Variable, entries: Iterable[Literal | BeliefRule], after: ProofState
) -> ChoicePoint:
    """What follows from some beliefs and rules."""
    left = iter(entries)
    return ChoicePoint(_believed(query, left, after), left, query, after)


def _believed(
    query: Literal | Variable, entries: Iterable[Literal | BeliefRule], after: ProofState
) -> Iterator[ProofState]:
    """What follows from each belief and rule in turn."""
    names: dict[str, str] | None = None
    inside: Literal | Variable = query
    for entry in entries:
        if isinstance(entry, Literal):
            for found in unifications(query, entry, {}):
                yield ProofState(after.goals, {**after.bindings, **found}, after.calls)
            continue
        if names is None:
            names = {
                name: f"?{number}" for number, name in enumerate(dict.fromkeys(variables(query)), 1)
            }
            inside = renamed(query, names)
        local = unify(inside, entry.head, {})
        if local is None:
            continue
        if after.calls >= MAX_CALLS:
            raise UnboundedRecursion(entry)
        back = RuleReturn(_unknown(entry.head, query), _unknown(query, query), names, after)  # type: ignore[arg-type]
        yield ProofState(GoalList(entry.body, GoalList(back, None)), local, after.calls + 1)


def _unknown(literal: Literal | Variable, query: Literal | Variable) -> Literal | Variable:
    """A literal with those of its arguments alone that are not known in the query; its name with
    fewer arguments may be a function's."""
    if isinstance(literal, Variable) or isinstance(query, Variable):
        return literal
    pairs = zip(literal.arguments, query.arguments, strict=True)
    return replace(
        literal,
        functor="",
        arguments=tuple(mine for mine, queried in pairs if not is_fixed(queried)),
    )


def _return_to_caller(
    goal: RuleReturn, local: Bindings, knowledge: QueryContext
) -> ProofState | None:
    """What the rule found, in the scope of its caller: variables of the query are called there as
    before, others get a new name."""
    if not goal.names:
        return goal.caller
    head = apply(goal.head, local, knowledge)
    free = list(dict.fromkeys(variables(head)))
    if free:
        back = {new: old for old, new in goal.names.items()}
        back |= dict(
            zip(
                [name for name in free if name not in back],
                _unused(goal.caller.bindings, goal.names),
                strict=False,
            )
        )
        head = renamed(head, back)
    found = unify(goal.query, head, goal.caller.bindings)
    return None if found is None else ProofState(goal.caller.goals, found, goal.caller.calls)


def _unused(bindings: Bindings, names: Iterable[str]) -> Iterator[str]:
    """Names that nothing in a scope has."""
    used = {*names, *bindings}.union(*(variables(value) for value in bindings.values()))
    number = 0
    while True:
        number += 1
        if f"?{number}" not in used:
            yield f"?{number}"


def _internal_action_solutions(
    action: Literal, after: ProofState, knowledge: QueryContext
) -> Iterator[ProofState]:
    """The solutions of an internal action; an error in it is none."""
    try:
        for found in knowledge.call(action, after.bindings):
            yield ProofState(after.goals, found, after.calls)
    except ActionError:
        return


def _compared(formula: Compare, bindings: Bindings, knowledge: QueryContext) -> Bindings | None:
    left, right = (
        apply(formula.left, bindings, knowledge),
        apply(formula.right, bindings, knowledge),
    )
    if formula.relation == "=":
        return unify(left, right, bindings)
    if formula.relation == "=..":
        return solve_univ(left, right, bindings)
    return bindings if holds(formula.relation, left, right) else None
