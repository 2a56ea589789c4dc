"""Conversion of parse trees of conditions and arithmetic to syntax nodes. It reports an error for a
number where a condition is expected, and for a condition where a number is expected."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import cast, get_args

from lark import Token, Tree

from volition.diagnostics import Diagnostics, Source, did_you_mean
from volition.languages.can.conditions import (
    Arithmetic,
    BeliefAtom,
    BooleanLiteral,
    Comparison,
    Condition,
    Conjunction,
    Constant,
    Disjunction,
    EventPhase,
    Expression,
    Extremum,
    Negation,
    NumericBelief,
    Operator,
    Parameter,
    PhaseKind,
    Relation,
)
from volition.languages.common.trampoline import DeferredCall, run_iteratively
from volition.logic.numbers import LIMITS, exact_number
from volition.parsing import span_of

__all__ = ["ConditionReader"]

_OPERATORS: Mapping[str, Operator] = {"plus": "+", "minus": "-", "times": "*", "divided": "/"}
_RELATIONS: Mapping[str, Relation] = {
    "<": "<",
    "<=": "<=",
    "≤": "<=",
    ">": ">",
    ">=": ">=",
    "≥": ">=",
    "=": "=",
    "==": "=",
    "!=": "!=",
    "≠": "!=",
}
_PHASES = get_args(PhaseKind)
_ARGUMENTS = {"left": [["name", "text"], ["number", "text"]], "others": [["name"], ["number"]]}
"""Kinds of arguments that a condition on the phase of an event accepts. ``left(e, "program")``
takes an event and a text. All other phases, such as ``finished(e)``, take only an event."""


class ConditionReader:
    """Reader of conditions and arithmetic expressions in one source text. Names in ``parameters``
    are parameters; all others are beliefs."""

    def __init__(
        self, source: Source, diagnostics: Diagnostics, parameters: Collection[str]
    ) -> None:
        self._source = source
        self._diagnostics = diagnostics
        self._parameters = parameters

    def condition(self, tree: Tree[Token], *, phases: bool = False) -> Condition:
        """Return the condition that a parse tree represents. Phases of events, such as
        ``finished(e)``, are allowed only if ``phases`` is set."""
        return run_iteratively(self._condition(tree, phases))

    def expression(self, tree: Tree[Token]) -> Expression:
        """Return the arithmetic expression that a parse tree represents."""
        return run_iteratively(self._expression(tree))

    def _condition(self, tree: Tree[Token], phases: bool) -> DeferredCall[Condition]:
        span = span_of(self._source, tree)
        match tree.data:
            case "true" | "false":
                return BooleanLiteral(tree.data == "true", span=span)
            case "name":
                return BeliefAtom(str(tree.children[0]), span=span)
            case "comparison":
                left, relation, right = tree.children
                return Comparison(
                    _RELATIONS[str(relation)],
                    self.expression(_tree(left)),
                    self.expression(_tree(right)),
                    span=span,
                )
            case "negation":
                return Negation((yield self._condition(_tree(tree.children[0]), phases)), span=span)
            case "conjunction" | "disjunction":
                left, right = tree.children
                first, second = (
                    (yield self._condition(_tree(left), phases)),
                    (yield self._condition(_tree(right), phases)),
                )
                return (Conjunction if tree.data == "conjunction" else Disjunction)(
                    first, second, span=span
                )
            case "function" if str(tree.children[0]) in _PHASES:
                return self._phase(tree, phases)
            case _:
                pass
        self._diagnostics.error(
            "CAN010",
            "expected a condition, found a number",
            span,
            hint="compare it with another number",
        )
        return BooleanLiteral(True, span=span)

    def _expression(self, tree: Tree[Token]) -> DeferredCall[Expression]:
        span = span_of(self._source, tree)
        match tree.data:
            case "number":
                number = exact_number(str(tree.children[0]))
                if number is None:
                    self._diagnostics.error(
                        "CAN016", "number too large, too small or too long", span, hint=LIMITS
                    )
                return Constant(number or Fraction(0), span=span)
            case "name":
                name = str(tree.children[0])
                return (
                    Parameter(name, span=span)
                    if name in self._parameters
                    else NumericBelief(name, span=span)
                )
            case "plus" | "minus" | "times" | "divided":
                left, right = tree.children
                first, second = (
                    (yield self._expression(_tree(left))),
                    (yield self._expression(_tree(right))),
                )
                return Arithmetic(_OPERATORS[tree.data], first, second, span=span)
            case "opposite":
                return self._opposite((yield self._expression(_tree(tree.children[0]))), tree)
            case "function":
                called: Expression = yield self._function(tree)
                return called
            case _:
                pass
        self._diagnostics.error("CAN011", "expected a number, found a condition", span)
        return Constant(Fraction(0), span=span)

    def _opposite(self, operand: Expression, tree: Tree[Token]) -> Expression:
        span = span_of(self._source, tree)
        if isinstance(operand, Constant):
            return Constant(-operand.number, span=span)
        return Arithmetic("-", Constant(Fraction(0), span=span), operand, span=span)

    def _function(self, tree: Tree[Token]) -> DeferredCall[Expression]:
        span = span_of(self._source, tree)
        name, *arguments = tree.children
        if str(name) not in ("min", "max"):
            hint = (
                did_you_mean(str(name), ["min", "max", *_PHASES])
                or "expected min(x, y) or max(x, y)"
            )
            self._diagnostics.error("CAN017", f"unknown function '{name}'", span, hint=hint)
            return Constant(Fraction(0), span=span)
        numbers: list[Expression] = []
        for argument in arguments:
            numbers.append((yield self._expression(_tree(argument))))
        if len(numbers) < 2:
            self._diagnostics.error(
                "CAN012", f"'{name}' expects at least 2 arguments, got {len(numbers)}", span
            )
        result = numbers[0]
        for number in numbers[1:]:
            result = Extremum("min" if str(name) == "min" else "max", result, number, span=span)
        return result

    def _phase(self, tree: Tree[Token], allowed: bool) -> Condition:
        span = span_of(self._source, tree)
        name, *arguments = tree.children
        if not allowed:
            self._diagnostics.error(
                "CAN013",
                f"'{name}' is only allowed in labels and decisions: it is about the agent, not its "
                "beliefs",
                span,
            )
        elif [_tree(each).data for each in arguments] not in _ARGUMENTS[
            "left" if str(name) == "left" else "others"
        ]:
            text = ", and its remaining program in quotes" if str(name) == "left" else ""
            self._diagnostics.error(
                "CAN012", f"'{name}' expects one external event, by name or number{text}", span
            )
        else:
            event, *texts = (str(_tree(each).children[0]) for each in arguments)
            return EventPhase(
                cast(PhaseKind, str(name)), event, texts[0].strip('"') if texts else "", span=span
            )
        return BooleanLiteral(True, span=span)


def _tree(child: Tree[Token] | Token) -> Tree[Token]:
    assert isinstance(child, Tree)
    return child
