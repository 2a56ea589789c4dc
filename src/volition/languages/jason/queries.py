"""Evaluation of queries: the solutions of a formula over the beliefs and rules of an agent.

The search is left to right and depth first, with backtracking, and computes solutions lazily.
``not`` is negation as failure and binds nothing. Cut and tabling are not supported. The search has
an explicit stack, so that recursion of rules is not limited by Python's stack.

Each rule is evaluated in its own scope: its variables keep their names, and unbound variables of
the query are called ``?1``, ``?2``, .. So no name depends on earlier queries.
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
"""Maximum depth of nested rule calls. A deeper recursion is considered unbounded."""

MAX_QUERIES = 200
"""Maximum depth of nested queries inside internal actions. A deeper recursion is considered
unbounded."""


class ActionError(Exception):
    """Error: an internal action was called with invalid arguments. In a query the action then has
    no solution; in a plan body it fails with ``ia_failed``."""


class UnboundedRecursion(BoundExceeded):
    """Error: rules call rules more than ``MAX_CALLS`` levels deep."""

    def __init__(self, rule: BeliefRule) -> None:
        message = (
            f"a query for {indicator(rule.head)} calls rules more than {MAX_CALLS:,} levels "
            "deep: the recursion probably does not end"
        )
        InputError.__init__(
            self,
            [
                Diagnostic(
                    "JSN056",
                    message,
                    rule.span,
                    "put the case that ends the recursion before the recursive one",
                )
            ],
        )


class QueryContext(Protocol):
    """Data of an agent that the evaluation of a query can access: beliefs and rules, internal
    actions, and functions."""

    @property
    def agent(self) -> str:
        """Name of the agent whose beliefs are queried."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Names of all agents of the system, in the order of their declaration."""

    def candidates(self, query: Literal | Variable) -> Iterable[Literal | BeliefRule]:
        """Return the beliefs and rules that may match a query: those of its predicate, newest
        first, or all of them if the query is an unbound variable."""

    def call(self, action: Literal, bindings: Bindings) -> Iterator[Bindings]:
        """Return the solutions of an internal action as extended bindings. Variables in its
        arguments have not been replaced by their values, which ``bindings`` contains."""

    def function(self, name: str, arity: int) -> str | None:
        """Return the predicate that the directive ``register_function`` has registered for this
        function name and arity, or None."""

    def evaluate(self, call: Literal) -> Term | None:
        """Return the value of a function that depends on beliefs, or None if it has no value.

        ``.count(q)`` is the number of solutions of q. The value of a registered function is the
        additional last argument of its predicate.
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
    """Return the bindings of the first solution of a formula, or None if it has none. Contexts,
    test goals, constraints and ``if`` use the first solution."""
    return next(solutions(formula, bindings, knowledge), None)


def holds(relation: str, left: Term, right: Term) -> bool:
    r"""Return whether a relation holds between two terms whose variables have been replaced by
    their values. ``==`` and ``\==`` compare the structure, including annotations; the other
    relations use Jason's order of terms."""
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
        case _:
            pass
    return mine >= yours


# --- proof search ---------------------------------------------------------------------------------


class GoalList(NamedTuple):
    """Linked list of the goals that a proof has yet to prove, in order."""

    first: ProofGoal
    rest: GoalList | None


class ProofState(NamedTuple):
    """State of a proof: the goals left to prove, the bindings, and the depth of nested rule calls
    (``calls``)."""

    goals: GoalList | None
    bindings: Bindings
    calls: int


@dataclass(frozen=True, slots=True)
class RuleReturn:
    """Special goal at the end of a rule body: return to the caller of the rule with the values of
    the arguments of its head. Arguments that were known at the call are left out."""

    head: Literal
    query: Literal | Variable
    names: dict[str, str]
    caller: ProofState


@dataclass(frozen=True, slots=True)
class _NegatedGoalProved:
    """Special goal after the operand of ``not``: if it is reached, the operand has been proved, so
    the negation fails. All choice points from index ``height`` of the stack on are removed."""

    height: int


ProofGoal = Term | RuleReturn | _NegatedGoalProved


class ChoicePoint(NamedTuple):
    """Alternatives of a proof that have not been tried yet. ``ways`` yields the proof state of
    each.

    If the alternatives result from matching a query with beliefs and rules, ``query`` is this
    query, ``entries`` are the beliefs and rules that have not been tried, and ``after`` is the
    proof state to continue with after a match.
    """

    ways: Iterator[ProofState]
    entries: Iterator[Literal | BeliefRule] = iter(())
    query: Literal | Variable | None = None
    after: ProofState | None = None


def solutions(formula: Term, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Return the solutions of a formula lazily, in Jason's order: the bindings under which it
    holds."""
    return search(
        [ChoicePoint(iter([ProofState(GoalList(formula, None), bindings, 0)]))], knowledge
    )


def solve_by_rules(
    action: Literal,
    rules: Iterable[Literal | BeliefRule],
    bindings: Bindings,
    knowledge: QueryContext,
) -> Iterator[Bindings]:
    """Return the solutions of an internal action that is declared by rules and facts in the options
    file. The arguments may contain variables, which ``bindings`` maps to their values."""
    arguments = tuple(apply(each, bindings, knowledge) for each in action.arguments)
    return search(
        [resolve_among(replace(action, arguments=arguments), rules, ProofState(None, bindings, 0))],
        knowledge,
    )


def search(stack: list[ChoicePoint], knowledge: QueryContext) -> Iterator[Bindings]:
    """Yield the solutions of a proof search that starts from a stack of choice points, the last one
    first. After each solution the stack contains the untried alternatives."""
    while (state := _next_solution(stack, knowledge)) is not None:
        yield state.bindings


def _next_solution(stack: list[ChoicePoint], knowledge: QueryContext) -> ProofState | None:
    """Return the proof state of the next solution, or None if there is none.

    Queries inside internal actions and functions are recursive Python calls. Their depth has its
    own bound, because with a high recursion limit the stack of the Python process would overflow
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
    """Number of queries that are nested inside each other in the current thread."""

    queries = 0


_running = _Running()


def _nested_too_deeply() -> BoundExceeded:
    message = (
        "queries inside internal actions are nested too deeply: the recursion probably does not end"
    )
    return BoundExceeded(
        "JSN053",
        message,
        "a rule that queries itself inside .findall or .count needs a case that ends the recursion",
    )


def _step(
    state: ProofState, stack: list[ChoicePoint], knowledge: QueryContext
) -> ProofState | None:
    """Resolve the first goal of a proof state. Return the proof state that follows if there is
    exactly one. Otherwise return None, after pushing the alternatives, if any, on the stack."""
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
        case _:
            pass
    return None  # numbers, strings and lists are never provable


def resolve_among(
    query: Literal | Variable, entries: Iterable[Literal | BeliefRule], after: ProofState
) -> ChoicePoint:
    """Return the choice point for matching a query with the beliefs and rules in ``entries``.
    ``after`` is the proof state to continue with after a match."""
    left = iter(entries)
    return ChoicePoint(_believed(query, left, after), left, query, after)


def _believed(
    query: Literal | Variable, entries: Iterable[Literal | BeliefRule], after: ProofState
) -> Iterator[ProofState]:
    """Yield the proof states that follow from matching a query with each belief and rule."""
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
        back = RuleReturn(
            _without_known_arguments(entry.head, query),  # type: ignore[arg-type]
            _without_known_arguments(query, query),
            names,
            after,
        )
        yield ProofState(GoalList(entry.body, GoalList(back, None)), local, after.calls + 1)


def _without_known_arguments(
    literal: Literal | Variable, query: Literal | Variable
) -> Literal | Variable:
    """Return a literal with only those arguments whose counterparts in ``query`` contain variables
    or have yet to be evaluated. The functor of the result is empty: with its own functor and fewer
    arguments, the result might denote a function and be evaluated."""
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
    """Return the proof state in which the caller of a rule continues after the body of the rule has
    been proved. The caller's bindings are extended by the values that the rule has found. Return
    None if these values do not match the query.

    Inside the rule, variables of the query have other names. They get their old names back, and
    other unbound variables get unused names.
    """
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
    """Yield variable names ``?1``, ``?2``, .. that do not occur in ``names`` or in the bindings."""
    used = {*names, *bindings}.union(*(variables(value) for value in bindings.values()))
    number = 0
    while True:
        number += 1
        if f"?{number}" not in used:
            yield f"?{number}"


def _internal_action_solutions(
    action: Literal, after: ProofState, knowledge: QueryContext
) -> Iterator[ProofState]:
    """Yield the proof states that follow from the solutions of an internal action. If it raises
    ActionError, there are no more solutions."""
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
