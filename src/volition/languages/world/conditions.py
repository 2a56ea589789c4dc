"""When a condition of a world holds, and for which values of its variables."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

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
    TOO_LARGE,
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
    """Where names get their meaning: the values of parameters, the agents, and a state.

    ``facts`` gives the facts and percepts with a functor in that state, ``variables`` the names of
    the world's variables.
    """

    parameters: Mapping[str, Term]
    agents: Sequence[str]
    variables: Mapping[str, str]
    facts: Callable[[SlotView, str], Sequence[Structure]]
    state: SlotView

    def matches(
        self, pattern: Structure, bindings: Bindings, span: Span
    ) -> Iterator[dict[str, Term]]:
        """Each way in which a fact or percept matches a pattern, in the order of the facts."""
        query = _arguments(pattern, self, bindings, span)
        for fact in self.facts(self.state, query.functor):
            extended = unify(query, fact, bindings)
            if extended is not None:
                yield extended


def _arguments(
    pattern: Structure, scene: EvaluationScope, bindings: Bindings, span: Span
) -> Structure:
    return Structure(
        pattern.functor, tuple(evaluate(each, scene, bindings, span) for each in pattern.arguments)
    )


def evaluate(term: Term, scene: EvaluationScope, bindings: Bindings, span: Span) -> Term:
    """The value of an expression; variables without a value stay."""
    if not isinstance(term, Structure):
        return substitute(term, bindings)
    if term.functor == COUNT and len(term.arguments) == 1:
        counted = term.arguments[0]
        return (
            sum(1 for _ in scene.matches(counted, bindings, span))
            if isinstance(counted, Structure)
            else 0
        )
    if not term.arguments:
        if term.functor in scene.variables:
            value: Term = scene.state[scene.variables[term.functor]]
            return value
        return scene.parameters.get(term.functor, term)
    arguments = _arguments(term, scene, bindings, span)
    if term.functor in ARITHMETIC and len(term.arguments) == 2:
        return compute(term.functor, *arguments.arguments, span=span)
    return arguments


def compute(function: str, left: Term, right: Term, *, span: Span | None) -> Number:
    """The result of an operator of :data:`~.syntax.ARITHMETIC`; raises :class:`InputError` where
    there is none."""
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
        raise InputError([Diagnostic("WLD034", f"a number here {TOO_LARGE}", span)])
    return (
        number(result) if isinstance(result, int | Fraction) else result
    )  # a function of parameters that are left open stays one


def _divide(left: Number, right: Number) -> Number:
    return Fraction(1) * left / right


def solutions(
    condition: Condition, scene: EvaluationScope, bindings: Bindings
) -> Iterator[Bindings]:
    """Each way to make the condition true, as bindings that extend the given ones."""
    match condition:
        case BooleanLiteral(value):
            if value:
                yield bindings
        case FactCondition(pattern):
            yield from _holding(condition, pattern, scene, bindings)
        case Compare():
            yield from _comparing(condition, scene, bindings)
        case Not(operand):
            if next(solutions(operand, scene, bindings), None) is None:
                yield bindings
        case And(left, right):
            for found in solutions(left, scene, bindings):
                yield from solutions(right, scene, found)
        case Or(left, right):
            yield from solutions(left, scene, bindings)
            yield from solutions(right, scene, bindings)
        case Quantified("every", variable, domain, operand):
            values = domain_values(domain, scene, bindings, condition.span)
            if all(
                next(solutions(operand, scene, {**bindings, variable: value}), None) is not None
                for value in values
            ):
                yield bindings
        case Quantified("some", variable, domain, operand):
            for each in domain_values(domain, scene, bindings, condition.span):
                yield from solutions(operand, scene, {**bindings, variable: each})


def _holding(
    condition: FactCondition, pattern: Structure, scene: EvaluationScope, bindings: Bindings
) -> Iterator[Bindings]:
    if pattern.functor in scene.variables and not pattern.arguments:
        if scene.state[scene.variables[pattern.functor]] == TRUE:
            yield bindings
    else:
        yield from scene.matches(pattern, bindings, condition.span)


def _comparing(
    condition: Compare, scene: EvaluationScope, bindings: Bindings
) -> Iterator[Bindings]:
    left = evaluate(condition.left, scene, bindings, condition.span)
    right = evaluate(condition.right, scene, bindings, condition.span)
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
    domain: Domain, scene: EvaluationScope, bindings: Bindings, span: Span
) -> Sequence[Term]:
    """The values that a variable ranges over."""
    if isinstance(domain, RangeDomain):
        first, last = (
            evaluate(each, scene, bindings, span) for each in (domain.first, domain.last)
        )
        if not isinstance(first, int) or not isinstance(last, int):
            raise InputError(
                [Diagnostic("WLD032", "the bounds of a range must be whole numbers", span)]
            )
        return range(first, last + 1)
    if domain.items is None:
        return [constant(agent) for agent in scene.agents]
    return [evaluate(each, scene, bindings, span) for each in domain.items]
