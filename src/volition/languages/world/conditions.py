"""Evaluation of expressions and conditions in the rules of a world."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, assert_never

from volition.diagnostics import Diagnostic, InputError, Span
from volition.kernel.system import SlotView
from volition.languages.world.syntax import (
    ARITHMETIC,
    COUNT,
    And,
    BooleanLiteral,
    Compare,
    Condition,
    Domain,
    FactCondition,
    Not,
    Or,
    Quantified,
    RangeDomain,
    Relation,
)  # fmt: skip
from volition.languages.world.terms import (
    TOO_LARGE_NUMBER,
    TRUE,
    Bindings,
    Number,
    Structure,
    Term,
    Text,
    Variable,
    constant,
    is_large_number,
    number,
    show,
    substitute,
    unify,
)  # fmt: skip

__all__ = ["EvaluationScope", "compute", "domain_values", "evaluate", "solutions"]

_ORDER: dict[Relation, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class EvaluationScope:
    """Data that determines the value of an expression of a world: parameter values, agents, and a
    state.

    ``facts`` is a function that returns the facts and percepts with a given functor in a state.
    ``variables`` maps the world's variables to their slots.
    """

    parameters: Mapping[str, Term]
    agents: Sequence[str]
    variables: Mapping[str, str]
    facts: Callable[[SlotView, str], Sequence[Structure]]
    state: SlotView

    def matches(
        self, pattern: Structure, bindings: Bindings, span: Span
    ) -> Iterator[dict[str, Term]]:
        """Yield every extension of ``bindings`` under which a fact or percept of the state matches
        a pattern, in the order of the facts."""
        query = _arguments(pattern, self, bindings, span)
        for fact in self.facts(self.state, query.functor):
            extended = unify(query, fact, bindings)
            if extended is not None:
                yield extended


def _arguments(
    pattern: Structure, scope: EvaluationScope, bindings: Bindings, span: Span
) -> Structure:
    return Structure(
        pattern.functor, tuple(evaluate(each, scope, bindings, span) for each in pattern.arguments)
    )


def evaluate(term: Term, scope: EvaluationScope, bindings: Bindings, span: Span) -> Term:
    """Return the value of an expression of a world. Unbound variables stay in it."""
    if not isinstance(term, Structure):
        return substitute(term, bindings)
    if term.functor == COUNT and len(term.arguments) == 1:
        counted = term.arguments[0]
        return (
            sum(1 for _ in scope.matches(counted, bindings, span))
            if isinstance(counted, Structure)
            else 0
        )
    if not term.arguments:
        if term.functor in scope.variables:
            value: Term = scope.state[scope.variables[term.functor]]
            return value
        return scope.parameters.get(term.functor, term)
    arguments = _arguments(term, scope, bindings, span)
    if term.functor in ARITHMETIC and len(term.arguments) == 2:
        return compute(term.functor, *arguments.arguments, span=span)
    return arguments


def compute(function: str, left: Term, right: Term, *, span: Span | None) -> Number:
    """Return the result of an arithmetic operator, one of :data:`~.syntax.ARITHMETIC`.

    Raise :class:`InputError` if an operand is not a number, for division by zero, and for huge
    results.
    """
    for each in (left, right):
        if isinstance(each, Variable | Text | Structure):
            raise InputError(
                [
                    Diagnostic(
                        "WLD030", f"'{function}' needs numbers, but '{show(each)}' is not one", span
                    )
                ]
            )
    if function in ("/", "mod") and right == 0:
        raise InputError([Diagnostic("WLD031", "division by zero", span)])
    functions: dict[str, Callable[[Any, Any], Any]] = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": _divide,
        "mod": operator.mod,
        "min": min,
        "max": max,
    }
    result: Number = functions[function](left, right)
    if is_large_number(result):
        raise InputError([Diagnostic("WLD034", f"a number here {TOO_LARGE_NUMBER}", span)])
    return (
        number(result) if isinstance(result, int | Fraction) else result
    )  # a function of symbolic parameters stays symbolic


def _divide(left: Number, right: Number) -> Number:
    return Fraction(1) * left / right


def solutions(
    condition: Condition, scope: EvaluationScope, bindings: Bindings
) -> Iterator[Bindings]:
    """Yield every extension of ``bindings`` under which the condition holds."""
    match condition:
        case BooleanLiteral(value):
            if value:
                yield bindings
        case FactCondition(pattern):
            yield from _fact_solutions(condition, pattern, scope, bindings)
        case Compare():
            yield from _comparison_solutions(condition, scope, bindings)
        case Not(operand):
            if next(solutions(operand, scope, bindings), None) is None:
                yield bindings
        case And(left, right):
            for found in solutions(left, scope, bindings):
                yield from solutions(right, scope, found)
        case Or(left, right):
            yield from solutions(left, scope, bindings)
            yield from solutions(right, scope, bindings)
        case Quantified("every", variable, domain, operand):
            values = domain_values(domain, scope, bindings, condition.span)
            if all(
                next(solutions(operand, scope, {**bindings, variable: value}), None) is not None
                for value in values
            ):
                yield bindings
        case Quantified("some", variable, domain, operand):
            for each in domain_values(domain, scope, bindings, condition.span):
                yield from solutions(operand, scope, {**bindings, variable: each})
        case Quantified():
            pass
        case _:
            assert_never(condition)


def _fact_solutions(
    condition: FactCondition, pattern: Structure, scope: EvaluationScope, bindings: Bindings
) -> Iterator[Bindings]:
    if pattern.functor in scope.variables and not pattern.arguments:
        if scope.state[scope.variables[pattern.functor]] == TRUE:
            yield bindings
    else:
        yield from scope.matches(pattern, bindings, condition.span)


def _comparison_solutions(
    condition: Compare, scope: EvaluationScope, bindings: Bindings
) -> Iterator[Bindings]:
    left = evaluate(condition.left, scope, bindings, condition.span)
    right = evaluate(condition.right, scope, bindings, condition.span)
    if condition.relation == "=":
        extended = unify(left, right, bindings)
        if extended is not None:
            yield extended
    elif condition.relation == "!=":
        if unify(left, right, bindings) is None:
            yield bindings
    else:
        for each in (left, right):
            if not isinstance(each, int | Fraction):
                message = f"'{condition.relation}' compares numbers, but '{show(each)}' is not one"
                raise InputError([Diagnostic("WLD030", message, condition.span)])
        if _ORDER[condition.relation](left, right):
            yield bindings


def domain_values(
    domain: Domain, scope: EvaluationScope, bindings: Bindings, span: Span
) -> Sequence[Term]:
    """Return the values in a domain, such as ``1..3`` or ``agents``. Quantified variables and
    arguments of free percepts (which appear and disappear at any time) have domains."""
    if isinstance(domain, RangeDomain):
        first, last = (
            evaluate(each, scope, bindings, span) for each in (domain.first, domain.last)
        )
        if not isinstance(first, int) or not isinstance(last, int):
            raise InputError(
                [Diagnostic("WLD032", "the bounds of a range must be whole numbers", span)]
            )
        return range(first, last + 1)
    if domain.items is None:
        return [constant(agent) for agent in scope.agents]
    return [evaluate(each, scope, bindings, span) for each in domain.items]
