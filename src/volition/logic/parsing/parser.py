"""Parser for formulas.

This is a recursive-descent parser, because the meaning of many words depends on the context
(``R``, ``P``, ``S``, ``C``), and the text inside an atom belongs to the programming language.
Operators, from loosest to tightest::

    forall x. f   exists x. f                  extend as far to the right as possible
    <->   ->   U W R V                         -> and U W R V associate to the right
    X f   F f   G f                            as in PRISM and Storm: F a & b is F (a & b)
    |   &
    !f   [] f   <> f   AF f  AG f  EF f ...    next operand only, as in Spin and NuSMV
    a < b   a + b   a * b

A path formula without ``A``, ``E`` or ``P`` applies to all runs: ``[] p`` is ``A [ G p ]``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn, cast

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, Span
from volition.logic.numbers import read_number
from volition.logic.parsing.lexer import FormulaToken
from volition.logic.parsing.operands import CTL_OPERATORS, QUESTIONS, OperandReader
from volition.logic.parsing.other_tools import remedy
from volition.logic.parsing.property_file import reject_results
from volition.logic.syntax import (
    AgentQuantifier,
    And,
    Cumulative,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Instantaneous,
    LongRun,
    Multi,
    Next,
    Not,
    Number,
    Optimum,
    Or,
    PathQuantifier,
    Probability,
    Relation,
    Release,
    Reward,
    SteadyState,
    StepBound,
    Total,
    Until,
    WeakUntil,
)
from volition.logic.traversal import depth, is_path_formula, is_state_formula, mentions_variable

__all__ = ["parse"]

DEEPEST = 2_500
"""Maximum nesting depth of a formula. Deeper formulas are rejected, so that all later code may be
recursive."""

FRAMES = 25 * DEEPEST
"""Python recursion limit needed to parse and process a formula of the maximum depth."""

DEEP = 200
"""Length of a formula in characters up to which Python's default recursion limit is sufficient to
parse it."""

_NEXT, _PREFIX = {"X"}, {"X": Next, "F": Finally, "G": Globally}
_INFIX: dict[str, type[Until] | type[WeakUntil] | type[Release]] = {
    "U": Until,
    "W": WeakUntil,
    "R": Release,
    "V": Release,
}


def parse(
    text: str | None = None,
    *,
    source: Source | None = None,
    start: int = 0,
    end: int | None = None,
    diagnostics: Diagnostics | None = None,
) -> Formula:
    """Return the syntax tree of the formula in ``text``, or in ``source.text[start:end]`` with
    spans in that source.

    Raise :class:`InputError` if it is not a formula. Warnings about formulas that other tools read
    differently are added to ``diagnostics``.
    """
    if source is None:
        source, misplaced = Source("<formula>", text or ""), Diagnostics()
        reject_results(source, misplaced)
        misplaced.raise_errors()
    stop = len(source.text) if end is None else end
    if stop - start > DEEP:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
    try:
        formula = _Parser(
            source, start, stop, Diagnostics() if diagnostics is None else diagnostics
        ).whole()
    except RecursionError:
        formula = None
    except InputError:
        meant = remedy(source, start, stop, _reads)
        if meant is None:
            raise
        raise InputError([meant]) from None
    if formula is None or depth(formula) > DEEPEST:
        raise InputError(
            [Diagnostic("LOG015", "this formula is nested too deeply", source.span(start, stop))]
        )
    return formula


def _reads(text: str) -> bool:
    """Return whether a text can be parsed as a formula."""
    try:
        _Parser(Source("<formula>", text), 0, len(text), Diagnostics()).whole()
    except (InputError, RecursionError):
        return False
    return True


class _Parser(OperandReader):
    """Parser for formulas. Each method is named after the construct that it parses."""

    def __init__(self, source: Source, start: int, end: int, diagnostics: Diagnostics) -> None:
        super().__init__(source, start, end)
        self._diagnostics = diagnostics
        self._quantitative = False

    # --- complete formulas ------------------------------------------------------------------------

    def whole(self) -> Formula:
        if self._next.kind == "end":
            self._fail(
                "LOG001",
                "missing formula",
                self._next.span,
                "a formula looks like A [ G (Does(a) -> Bel(b)) ]",
            )
        formula = (
            self._multi()
            if self._is_name("multi") and self._ahead(1).kind == "("
            else self._formula()
        )
        if self._next.kind != "end":
            self._trailing_input()
        if is_path_formula(formula):
            formula = PathQuantifier("A", formula, span=formula.span)
        return formula

    def _trailing_input(self) -> NoReturn:
        token = self._next
        if token.kind in (")", "]", "}"):
            self._fail(
                "LOG002",
                f"unmatched '{token.text}'",
                token.span,
                "remove it, or add the opening bracket",
            )
        hint = (
            "join two formulas with & | -> <-> U W or R"
            if token.kind in ("name", "string", "number", "(")
            else None
        )
        self._fail("LOG001", f"unexpected '{token.text}' after the formula", token.span, hint)

    def _multi(self) -> Multi:
        start = self._take().span
        self._expect("(")
        objectives = [self._formula(queries=True)]
        while self._accept(","):
            objectives.append(self._formula(queries=True))
        self._expect(")", "',' or ')'")
        for each in objectives:
            if not isinstance(each, Probability | Reward | SteadyState):
                self._fail(
                    "LOG030",
                    "an objective of multi(...) must be a P, R or S operator",
                    each.span,
                    'such as Pmax=? [ F done ] or R{"fuel"}<=5 [ C ]',
                )
        return Multi(tuple(objectives), span=self._since(start))

    # --- boolean and temporal operators -----------------------------------------------------------

    def _formula(self, *, queries: bool = False) -> Formula:
        """Parse a formula. A query (``=?``) is allowed only as the whole formula, or if ``queries``
        is set."""
        at_top = self._at == 0 or queries
        formula = self._as_formula(self._any_expression())
        if not at_top:
            self._reject_query(formula)
        return formula

    def _any_expression(self) -> Any:
        return self._left_associative(self._implies, {"iff": Iff})

    def _implies(self) -> Any:
        left = self._until()
        token = self._accept("implies")
        if token is None:
            return left
        self._warn_letter_operator(left, token)
        right = self._implies()
        self._warn_chain(right, token, Implies)
        return self._join(Implies, left, right)

    def _until(self) -> Any:
        left = self._or()
        if self._next.kind != "name" or self._next.text not in _INFIX:
            return left
        token = self._take()
        self._warn_letter_operator(left, token)
        bound = self._bound()
        right = self._until()
        self._warn_chain(right, token, Until, WeakUntil, Release)
        self._warn_boolean_operand(left, token, "left")
        self._warn_boolean_operand(right, token, "right")
        return replace(self._join(_INFIX[token.text], left, right), bound=bound)

    def _or(self) -> Any:
        return self._left_associative(self._and, {"or": Or})

    def _and(self) -> Any:
        return self._left_associative(self._unary, {"and": And})

    def _left_associative(self, operand: Callable[[], Any], operators: dict[str, Any]) -> Any:
        left = operand()
        while self._next.kind in operators:
            operator = operators[self._take().kind]
            left = self._join(operator, left, operand())
        return left

    def _join(self, operator: Any, left: Any, right: Any) -> Any:
        first, second = self._as_formula(left), self._as_formula(right)
        self._reject_query(first)
        self._reject_query(second)
        start, end = left.span.start, right.span.end
        return operator(first, second, span=self._source.span(start, end))

    def _unary(self) -> Any:
        token = self._next
        if token.kind in ("not", "always", "eventually", "next"):
            self._take()
            bound = self._bound() if token.kind in ("always", "eventually") else None
            operand = self._truth(self._unary())
            span = self._since(token.span)
            if token.kind == "not":
                return Not(operand, span=span)
            if token.kind == "next":
                return Next(operand, span=span)
            return (Globally if token.kind == "always" else Finally)(operand, bound, span=span)
        if token.kind in ("forall", "exists"):
            return self._for_agents()
        if token.kind == "name" and token.text in _PREFIX:
            return self._letter_operator()
        if token.kind == "name" and token.text in CTL_OPERATORS:
            return self._ctl_operator()
        if self._is_name("A", "E"):
            return self._path_quantifier()
        if token.kind == "name" and token.text in QUESTIONS:
            return self._quantitative_operator()
        return self._comparison()

    def _letter_operator(self) -> Formula:
        token = self._take()
        bound = None if token.text in _NEXT else self._bound()
        operand = self._in_brackets(self._formula) if self._next.kind == "[" else self._or()
        self._warn_boolean_operand(operand, token, "right")
        return self._temporal(token.text, self._truth(operand), bound, self._since(token.span))

    def _ctl_operator(self) -> Formula:
        token = self._take()
        bound = None if token.text[1] in _NEXT else self._bound()
        operand = self._truth(self._unary())
        span = self._since(token.span)
        path = self._temporal(token.text[1], operand, bound, span)
        return PathQuantifier("A" if token.text[0] == "A" else "E", path, span=span)

    @staticmethod
    def _temporal(letter: str, operand: Formula, bound: StepBound | None, span: Span) -> Formula:
        if letter == "X":
            return Next(operand, span=span)
        return (Finally if letter == "F" else Globally)(operand, bound, span=span)

    def _path_quantifier(self) -> Formula:
        token = self._take()
        path = (
            self._in_brackets(self._formula)
            if self._next.kind in ("[", "(")
            else self._truth(self._unary())
        )
        self._warn_one_state(path, token)
        return PathQuantifier("A" if token.text == "A" else "E", path, span=self._since(token.span))

    def _for_agents(self) -> Formula:
        token = self._take()
        variable = self._expect("name", "a variable for agents")
        self._expect(".", "'.' after the variable")
        body = self._truth(self._any_expression())
        if not mentions_variable(body, variable.text):
            message = (
                f"the variable '{variable.text}' is never used, so the formula is the same for "
                "every agent"
            )
            self._diagnostics.warning(
                "LOG025",
                message,
                variable.span,
                hint=f"use it as the first argument of an atom: Bel({variable.text}, ...)",
            )
        return AgentQuantifier(
            "forall" if token.kind == "forall" else "exists",
            variable.text,
            body,
            span=self._since(token.span),
        )

    # --- bounds -----------------------------------------------------------------------------------

    def _bound(self) -> StepBound | None:
        """Parse an optional step bound: ``<=5``, ``<5``, ``>=2``, ``>2``, ``=3`` or ``[2,5]``."""
        start = self._next.span
        if self._next.kind in ("<", "<=", ">", ">=", "=") and self._ahead(1).kind == "number":
            relation = self._take().kind
            steps = self._whole_number()
            lower, upper = {
                "<": (0, steps - 1),
                "<=": (0, steps),
                ">": (steps + 1, None),
                ">=": (steps, None),
                "=": (steps, steps),
            }[relation]
        elif (
            self._next.kind == "["
            and self._ahead(1).kind == "number"
            and self._ahead(2).kind == ","
        ):
            self._take()
            lower = self._whole_number()
            self._expect(",")
            upper = self._whole_number()
            self._expect("]")
        else:
            return None
        if upper is not None and upper < lower:
            self._fail("LOG006", "this step bound is empty", self._since(start))
        return StepBound(lower, upper)

    def _whole_number(self) -> int:
        token = self._expect("number", "a whole number")
        value = read_number(token.text, token.span)
        if value.denominator != 1:
            self._fail("LOG006", f"'{token.text}' is not a whole number of steps", token.span)
        return int(value)

    # --- P, R and S -------------------------------------------------------------------------------

    def _quantitative_operator(self) -> Formula:
        head = self._take()
        letter, optimum = head.text[0], cast(Optimum | None, head.text[1:] or None)
        name = None
        if letter == "R" and self._next.kind == "{":
            self._take()
            name = self._expect("string", 'the name of a reward, such as "fuel"').text[1:-1]
            self._expect("}")
            if self._is_name("min", "max") and optimum is None:
                optimum = cast(Optimum, self._take().text)
        relation, threshold = self._query_or_bound(head)
        with self._reading_quantities():
            if letter == "R":
                of = (
                    self._in_brackets(self._reward_path)
                    if self._next.kind in ("[", "(")
                    else self._reward_path()
                )
                return Reward(of, name, optimum, relation, threshold, span=self._since(head.span))
            path = (
                self._in_brackets(self._formula)
                if self._next.kind in ("[", "(")
                else self._truth(self._unary())
            )
        operator = Probability if letter == "P" else SteadyState
        if letter == "P":
            self._warn_one_state(path, head)
        self._warn_trivial_bound(relation, threshold, head)
        if threshold is not None and not 0 <= threshold <= 1:
            self._fail(
                "LOG007",
                f"a {'probability' if letter == 'P' else 'fraction of time'} must be between 0 and "
                "1",
                self._since(head.span),
            )
        return operator(path, optimum, relation, threshold, span=self._since(head.span))

    def _query_or_bound(self, head: FormulaToken) -> tuple[Relation | None, Fraction | None]:
        """Parse the text after a P, R or S operator: ``=?``, or a relation and a threshold such as
        ``>=0.9``. Return the relation and the threshold; None for both if it is ``=?``."""
        if self._accept("=?"):
            return None, None
        if self._next.kind not in ("<", "<=", ">", ">="):
            hint = (
                f'"{head.text}" in quotes is a label'
                if self._next.kind in ("and", "or", "implies", "iff", "end", ")", "]")
                else None
            )
            self._fail(
                "LOG001",
                f"expected '=?' or a bound such as '>=0.9' after '{head.text}'",
                head.span,
                hint,
            )
        relation = cast(Relation, self._take().kind)
        token = self._expect("number", "a number")
        value = read_number(token.text, token.span)
        if self._next.kind == "/" and self._ahead(1).kind == "number":
            self._take()
            token = self._take()
            divisor = Number(read_number(token.text, token.span), span=token.span)
            self._reject_zero_divisor(divisor)
            value /= divisor.value
        return relation, value

    @contextmanager
    def _reading_quantities(self) -> Iterator[None]:
        """Mark the formulas parsed inside the ``with`` block as operands of P, R or S. There
        :meth:`_warn_boolean_operand` does not warn, because PRISM and Storm read these formulas in
        the same way."""
        before, self._quantitative = self._quantitative, True
        yield
        self._quantitative = before

    def _reward_path(self) -> Finally | Cumulative | Instantaneous | Total | LongRun:
        token = self._next
        if self._is_name("F") or token.kind == "eventually":
            path = self._formula()
            if isinstance(path, Finally) and path.bound is None:
                return path
            self._fail(
                "LOG031",
                "a reachability reward cannot have a step bound",
                path.span,
                "for k steps write C<=k",
            )
        if self._is_name("C"):
            self._take()
            if self._next.kind in ("<=", "<"):
                strict = self._take().kind == "<"
                return Cumulative(self._whole_number() - strict, span=self._since(token.span))
            return Total(span=token.span)
        if self._is_name("I"):
            self._take()
            self._expect("=")
            return Instantaneous(self._whole_number(), span=self._since(token.span))
        if self._is_name("S", "LRA"):
            self._take()
            return LongRun(span=token.span)
        return self._unexpected("F formula, C<=k, C, I=k or S")

    # --- warnings: other tools read the formula differently ---------------------------------------

    def _warn_letter_operator(self, left: Any, arrow: FormulaToken) -> None:
        """Warn about ``G a -> b`` and ``F a U b``, which tools read differently. Volition and Spin
        read the first as ``(G a) -> b``, PRISM reads it as ``G (a -> b)``."""
        if (
            isinstance(left, Next | Finally | Globally)
            and not self._parenthesised(left)
            and left.span is not None
        ):
            letter = left.span.text[0]
            if letter in _PREFIX:
                sign = arrow.text
                hint = (
                    f"add brackets to make it clear: {letter} (... {sign} ...) or ({letter} "
                    f"...) {sign} ..."
                )
                self._diagnostics.warning(
                    "LOG009",
                    f"this is read as ({letter} ...) {arrow.text} ...",
                    left.span,
                    hint=hint,
                )

    def _warn_boolean_operand(self, operand: Any, operator: FormulaToken, side: str) -> None:
        """Warn about ``F a & b`` and ``a & b U c``, which tools read differently. The Boolean
        operator binds tighter in Volition and PRISM, but not in Spin."""
        if self._quantitative or not isinstance(operand, And | Or) or self._parenthesised(operand):
            return
        shown = f"(...) {operator.text}" if side == "left" else f"{operator.text} (...)"
        self._diagnostics.warning(
            "LOG009",
            f"'{operator.text}' applies to all of this: it is read as {shown}",
            operand.span,
            hint="add brackets to make it clear",
        )

    def _warn_chain(self, right: Any, operator: FormulaToken, *kinds: type[Formula]) -> None:
        """Warn about ``a U b U c`` and ``a -> b -> c``. These operators associate to the right in
        Volition and to the left in some tools; other tools reject such formulas."""
        if isinstance(right, kinds) and not self._parenthesised(right):
            message = f"this is read as ... {operator.text} ({_shortened(right.span)})"
            self._diagnostics.warning(
                "LOG009", message, right.span, hint="add brackets to make it clear"
            )

    def _warn_one_state(self, path: Formula, operator: FormulaToken) -> None:
        """Warn about a path formula without temporal operators, such as in ``Pmax=? [ clean ]``. It
        is only about the first state."""
        if is_state_formula(path):
            message = (
                f"'{operator.text}' expects a path formula, but this formula is only about the "
                "first state"
            )
            self._diagnostics.warning(
                "LOG023",
                message,
                path.span,
                hint=f"if it is to become true at some point, write F ({_shortened(path.span)})",
            )

    def _warn_trivial_bound(
        self, relation: Relation | None, threshold: Fraction | None, head: FormulaToken
    ) -> None:
        """Warn about bounds on probabilities that always hold, such as ``P>=0``, or never hold,
        such as ``P>1``."""
        if (threshold == 0 and relation in (">=", "<")) or (
            threshold == 1 and relation in ("<=", ">")
        ):
            says = "true" if relation in ("<=", ">=") else "false"
            span = self._since(head.span)
            self._diagnostics.warning(
                "LOG026",
                f"this bound is always {says}",
                span,
                hint="a probability is between 0 and 1",
            )

    @staticmethod
    def _parenthesised(node: Any) -> bool:
        return (
            node.span is not None
            and node.span.text.startswith("(")
            and node.span.text.endswith(")")
            and _balanced(node.span.text[1:-1])
        )


def _shortened(span: Span | None) -> str:
    text = " ".join(span.text.split()) if span is not None else "..."
    return text if len(text) <= 40 else "..."


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0
