"""Parser for the operands of a formula: atoms, names, numbers, comparisons and bracketed
expressions.

When a name is read, it is not yet known whether it is a formula or part of an arithmetic
expression. Operands are therefore kept as either (``Any``) until an operator requires one of the
two; see :meth:`OperandReader._as_formula` and :meth:`OperandReader._expression_of`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import Any, cast

from volition.diagnostics import Span, did_you_mean
from volition.logic.numbers import read_number
from volition.logic.parsing.lexer import TokenReader
from volition.logic.parsing.term_parser import parse_arguments, parse_group
from volition.logic.syntax import (
    MODALITIES,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Expression,
    Formula,
    Identifier,
    Number,
    Probability,
    Proposition,
    Relation,
    Reward,
    SteadyState,
)
from volition.logic.traversal import constant_value

__all__ = ["CTL_OPERATORS", "OPERATORS", "QUESTIONS", "OperandReader"]

_PREFIXED = ("Bel", "Des", "Int", "Does")
"""Names of the atoms that Winikoff et al. and Bordini et al. write without brackets, as in ``Bel ag
p``."""

CTL_OPERATORS = {quantifier + operator for quantifier in "AE" for operator in "XFG"}
QUESTIONS = {letter + optimum for letter in "PRS" for optimum in ("", "min", "max")}
OPERATORS = {*"XFG", *"UWRV", *"AE", *CTL_OPERATORS, *QUESTIONS}
"""Names that are operators. A label with one of these names must be written in quotation marks."""

_RELATIONS = ("<", "<=", ">", ">=", "=", "!=")


class OperandReader(TokenReader, ABC):
    """Parser for the operands of a formula. Each method is named after the construct that it
    parses."""

    @abstractmethod
    def _any_expression(self) -> Any:
        """Parse a formula or expression with any operators, for example the content of brackets."""

    # --- comparisons and numbers ------------------------------------------------------------------

    def _comparison(self) -> Any:
        left = self._sum()
        if self._next.kind not in _RELATIONS:
            return left
        relation = cast(Relation, self._take().kind)
        right = self._sum()
        if self._next.kind in _RELATIONS:
            self._fail(
                "LOG001", "comparisons cannot be chained", self._next.span, "write a < b & b < c"
            )
        span = self._source.span(left.span.start, right.span.end)
        return Comparison(
            relation, self._expression_of(left), self._expression_of(right), span=span
        )

    def _sum(self) -> Any:
        return self._arithmetic(self._product, ("+", "-"))

    def _product(self) -> Any:
        return self._arithmetic(self._signed, ("*", "/"))

    def _arithmetic(self, operand: Callable[[], Any], operators: tuple[str, ...]) -> Any:
        left = operand()
        while self._next.kind in operators:
            operator = cast(Any, self._take().kind)
            right = self._expression_of(operand())
            span = self._source.span(left.span.start, cast(Span, right.span).end)
            if operator == "/":
                self._reject_zero_divisor(right)
            left = Arithmetic(operator, self._expression_of(left), right, span=span)
        return left

    def _signed(self) -> Any:
        minus = self._accept("-")
        if minus is None:
            return self._primary()
        operand = self._expression_of(self._signed())
        span = self._since(minus.span)
        if isinstance(operand, Number):
            return Number(-operand.value, span=span)
        return Arithmetic("-", Number(Fraction(0), span=minus.span), operand, span=span)

    def _extremum(self, term: Identifier) -> Expression:
        """Parse the name with arguments ``min(x, y)`` or ``max(x, y, ...)`` a second time, as an
        arithmetic expression. This is done where a number is required."""
        after = self._at
        self._at = self._token_index(term)
        function = cast(Any, self._take().text)
        arguments: list[Expression] = self._in_brackets(self._numbers)
        self._at = after
        if len(arguments) == 1:
            self._fail("LOG028", f"'{function}' expects at least 2 arguments, got 1", term.span)
        return reduce(
            lambda left, right: Arithmetic(function, left, right, span=term.span), arguments
        )

    def _token_index(self, term: Identifier) -> int:
        """Return the index in the list of tokens at which ``term`` (a name, already parsed) begins.
        If the name is in brackets, as in ``((min(x, y)))``, the opening brackets before it are
        skipped."""
        index = bisect_left(
            self._tokens, cast(Span, term.span).start, key=lambda token: token.span.start
        )
        while self._tokens[index].kind == "(":
            index += 1
        return index

    def _numbers(self) -> list[Expression]:
        numbers = [self._expression_of(self._sum())]
        while self._accept(","):
            numbers.append(self._expression_of(self._sum()))
        return numbers

    def _reject_zero_divisor(self, divisor: Expression) -> None:
        """Raise :class:`InputError` if a divisor is constantly 0. Every comparison with the
        quotient would be false."""
        if constant_value(divisor) == 0:
            self._fail("LOG029", "division by zero", divisor.span)

    # --- operands ---------------------------------------------------------------------------------

    def _primary(self) -> Any:
        token = self._next
        if token.kind == "(":
            inner = self._in_brackets(self._any_expression)
            return replace(inner, span=self._since(token.span))
        if token.kind in ("true", "false"):
            return Constant(self._take().kind == "true", span=token.span)
        if token.kind == "number":
            return Number(read_number(self._take().text, token.span), span=token.span)
        if token.kind == "string":
            self._take()
            if not token.text[1:-1].strip():
                self._fail("LOG003", "empty name", token.span, 'a label is written as "done"')
            return Proposition(token.text[1:-1], span=token.span)
        if token.kind == "name":
            return self._name()
        if token.kind == "unknown" and token.text == '"':
            self._fail("LOG002", "missing closing quotation mark", token.span, 'add a closing "')
        return self._unexpected("a formula")

    def _name(self) -> Any:
        token = self._next
        bracket = self._ahead(1)
        called = bracket.kind in ("(", "{") and bracket.span.start == token.span.end
        if token.text in MODALITIES and bracket.kind in ("(", "{"):
            return self._atom()
        if token.text in _PREFIXED:
            return self._prefixed_atom()
        if token.text in OPERATORS:
            self._fail(
                "LOG001",
                f"missing operand: '{token.text}' is an operator and needs a formula on its left",
                token.span,
                f'"{token.text}" in quotes is a label',
            )
        if called and token.text[0].isupper():
            hint = (
                did_you_mean(token.text, MODALITIES)
                or f"expected one of {', '.join(sorted(set(MODALITIES.values())))}"
            )
            self._fail("LOG004", f"unknown atom '{token.text}(...)'", token.span, hint)
        return Identifier(self._term().text, span=self._since(token.span))

    def _term(self) -> Span:
        """Consume a name, which may be dotted and have arguments (``winner(ag3)``, ``car.speed``),
        and return its span."""
        start = self._take().span
        while self._next.kind == "." and self._touches(start) and self._ahead(1).kind == "name":
            self._take()
            self._take()
        if self._next.kind == "(" and self._touches(start):
            self._skip_to(parse_group(self._source, self._next.span.start, self._end).span.end)
        return self._since(start)

    def _atom(self) -> Atom:
        token = self._take()
        group = parse_group(self._source, self._next.span.start, self._end)
        self._skip_to(group.span.end)
        span = self._source.span(token.span.start, group.span.end)
        if (
            not group.arguments and group.bracket != "{"
        ):  # a belief or goal base in braces may be empty
            self._fail(
                "LOG003", f"missing argument of {token.text}", span, "the brackets are empty"
            )
        text = group.span.text[1:-1].strip()
        return Atom(MODALITIES[token.text], text, group.arguments, span=span)

    def _prefixed_atom(self) -> Atom:
        """Parse an atom without brackets: ``Bel p`` or ``Bel ag p``, the notation of Winikoff et
        al. (Sect. 2.1) and Bordini et al. (Sect. 4.2)."""
        token = self._take()
        words: list[Span] = []
        while self._next.kind == "name" and self._next.text not in OPERATORS and len(words) < 2:
            words.append(self._term())
        if not words:
            self._fail(
                "LOG003",
                f"missing argument of {token.text}",
                token.span,
                f"write {token.text}(agent, what)",
            )
        arguments = tuple(argument for word in words for argument in parse_arguments(word))
        return Atom(
            MODALITIES[token.text],
            ", ".join(word.text for word in words),
            arguments,
            span=self._since(token.span),
        )

    # --- formulas and expressions -----------------------------------------------------------------

    def _as_formula(self, operand: Any) -> Formula:
        if isinstance(operand, Identifier):
            return Proposition(operand.name, span=operand.span)
        if isinstance(operand, Number | Arithmetic):
            self._fail(
                "LOG005",
                "expected a condition, found a number",
                operand.span,
                "compare it: ... >= 1",
            )
        return cast(Formula, operand)

    def _expression_of(self, operand: Any) -> Expression:
        if not isinstance(operand, Number | Identifier | Arithmetic):
            self._fail(
                "LOG005",
                "expected a number, found a condition",
                operand.span,
                "use & | ! <-> between formulas",
            )
        if isinstance(operand, Identifier) and operand.name.startswith(("min(", "max(")):
            return self._extremum(operand)
        return operand

    def _truth(self, operand: Any) -> Formula:
        formula = self._as_formula(operand)
        self._reject_query(formula)
        return formula

    def _reject_query(self, formula: Formula) -> None:
        if isinstance(formula, Probability | Reward | SteadyState) and formula.relation is None:
            self._fail(
                "LOG008",
                "expected a condition, but '=?' asks for a number",
                formula.span,
                "compare it instead: P>=0.9 [ ... ]",
            )
