"""Reading formulas.

A recursive descent parser, since many words mean something only in their place (``R``, ``P``, ``S``, ``C``) and
what stands inside an atom is not ours to read.  From loosest to tightest::

    forall x. f   exists x. f                    reach as far right as they can
    <->   ->   U W R V                           ``->`` and ``U W R V`` associate to the right
    X f   F f   G f                              reach over ``|`` and ``&``, as in PRISM and Storm: F a & b is F (a & b)
    |   &
    !f   [] f   <> f   AF f  AG f  EF f ...      reach over the next operand only, as in Spin and NuSMV
    a < b   a + b   a * b

A formula that speaks of runs without saying of which (no ``A``, ``E``, ``P``) means all of them: ``[] p`` is ``A [ G p ]``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn, cast

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, Span, did_you_mean
from volition.logic.shape import is_path_formula
from volition.logic.syntax import (
    And,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Cumulative,
    Expression,
    Finally,
    ForAgents,
    Formula,
    Globally,
    Identifier,
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
    Proposition,
    Relation,
    Release,
    Reward,
    SteadyState,
    StepBound,
    Total,
    Until,
    WeakUntil,
)
from volition.logic.tokens import Token, closing_bracket, tokenize

__all__ = ["MODALITIES", "parse"]

MODALITIES: dict[str, str] = {
    "Bel": "Bel", "B": "Bel", "Des": "Des", "Int": "Int", "I": "Int", "ItD": "ItD", "Does": "Does", "D": "Does",
    "Goal": "Goal", "Plan": "Plan", "Percept": "Percept", "Bels": "Bels", "Bs": "Bels", "Goals": "Goals", "Gs": "Goals",
}  # fmt: skip
"""Names of atoms, short and long ▶ the name that languages see."""

_PREFIXED = ("Bel", "Des", "Int", "Does")
"""Atoms that seeds 001 and 002 write without brackets: ``Bel ag p``."""

_RELATIONS = ("<", "<=", ">", ">=", "=", "!=")
_NEXT, _PREFIX = {"X"}, {"X": Next, "F": Finally, "G": Globally}
_INFIX: dict[str, type[Until] | type[WeakUntil] | type[Release]] = {"U": Until, "W": WeakUntil, "R": Release, "V": Release}
_CTL = {quantifier + operator for quantifier in "AE" for operator in "XFG"}
_ASKS = {head + optimum for head in "PRS" for optimum in ("", "min", "max")}
_RESERVED = {*_PREFIX, *_INFIX, *_CTL, *_ASKS, "A", "E"}


def parse(
    text: str | None = None, *, source: Source | None = None, start: int = 0, end: int | None = None, diagnostics: Diagnostics | None = None
) -> Formula:
    """The formula written in ``text``, or in ``source.text[start:end]`` with places in that source.

    Raises :class:`InputError`.  Readings that other tools do not share are added as warnings to ``diagnostics``.
    """
    if source is None:
        source = Source("<formula>", text or "")
    return _Parser(source, start, len(source.text) if end is None else end, diagnostics or Diagnostics()).whole()


class _Parser:
    """The methods are named after what they read.

    Names and numbers may turn out to be formulas or expressions, so operands are kept as either (``Any``) until
    an operator asks for one of the two: see :meth:`_formula_of` and :meth:`_expression_of`.
    """

    def __init__(self, source: Source, start: int, end: int, diagnostics: Diagnostics) -> None:
        self._source, self._end, self._diagnostics = source, end, diagnostics
        self._tokens = tokenize(source, start, end)
        self._at = 0
        self._quantitative = False

    # --- tokens ------------------------------------------------------------------------------------------------------

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _ahead(self, distance: int) -> Token:
        return self._tokens[min(self._at + distance, len(self._tokens) - 1)]

    def _take(self) -> Token:
        token = self._next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _accept(self, kind: str) -> Token | None:
        return self._take() if self._next.kind == kind else None

    def _is_name(self, *texts: str) -> bool:
        return self._next.kind == "name" and self._next.text in texts

    def _expect(self, kind: str, what: str | None = None) -> Token:
        if self._next.kind != kind:
            self._unexpected(what or f"'{kind}'")
        return self._take()

    def _unexpected(self, expected: str) -> NoReturn:
        token = self._next
        found = "the end" if token.kind == "end" else f"'{token.text}'"
        self._fail("LOG001", f"unexpected {found}", token.span, f"expected {expected}")

    @staticmethod
    def _fail(code: str, message: str, span: Span | None, hint: str | None = None) -> NoReturn:
        raise InputError([Diagnostic(code, message, span, hint)])

    def _since(self, start: Span) -> Span:
        """From ``start`` to the last token taken."""
        return self._source.span(start.start, self._tokens[self._at - 1].span.end)

    # --- the whole ---------------------------------------------------------------------------------------------------

    def whole(self) -> Formula:
        if self._next.kind == "end":
            self._fail("LOG001", "there is no formula here", self._next.span, "a formula looks like A [ G (Does(a) -> Bel(b)) ]")
        formula = self._multi() if self._is_name("multi") and self._ahead(1).kind == "(" else self._formula()
        if self._next.kind != "end":
            self._stray()
        if is_path_formula(formula):
            formula = PathQuantifier("A", formula, span=formula.span)
        return formula

    def _stray(self) -> NoReturn:
        token = self._next
        if token.kind in (")", "]", "}"):
            self._fail("LOG002", f"'{token.text}' closes nothing", token.span, "remove it, or add the opening bracket")
        hint = "join two formulas with & | -> <-> U W or R" if token.kind in ("name", "string", "number", "(") else None
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
                    "LOG008",
                    "an objective of multi(...) is a P, R or S operator",
                    each.span,
                    'such as Pmax=? [ F done ] or R{"fuel"}<=5 [ C ]',
                )
        return Multi(tuple(objectives), span=self._since(start))

    # --- boolean and temporal operators ------------------------------------------------------------------------------

    def _formula(self, *, queries: bool = False) -> Formula:
        """A formula; one that stands in for a truth value must not be a query."""
        at_top = self._at == 0 or queries
        operand = self._iff()
        formula = self._formula_of(operand)
        if not at_top:
            self._no_query(formula)
        return formula

    def _iff(self) -> Any:
        return self._left_associative(self._implies, {"iff": Iff})

    def _implies(self) -> Any:
        left = self._until()
        token = self._accept("implies")
        if token is None:
            return left
        self._warn_letter_operator(left, token)
        right = self._implies()
        return self._join(Implies, left, right)

    def _until(self) -> Any:
        left = self._or()
        if self._next.kind != "name" or self._next.text not in _INFIX:
            return left
        token = self._take()
        bound = self._bound()
        right = self._until()
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
        first, second = self._formula_of(left), self._formula_of(right)
        self._no_query(first)
        self._no_query(second)
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
        if token.kind == "name" and token.text in _CTL:
            return self._ctl_operator()
        if self._is_name("A", "E"):
            return self._path_quantifier()
        if token.kind == "name" and token.text in _ASKS:
            return self._question()
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
        path = self._in_brackets(self._formula) if self._next.kind in ("[", "(") else self._truth(self._unary())
        return PathQuantifier("A" if token.text == "A" else "E", path, span=self._since(token.span))

    def _for_agents(self) -> Formula:
        token = self._take()
        variable = self._expect("name", "a variable for agents").text
        self._expect(".", "'.' after the variable")
        body = self._truth(self._iff())
        return ForAgents("forall" if token.kind == "forall" else "exists", variable, body, span=self._since(token.span))

    def _in_brackets(self, content: Callable[[], Any]) -> Any:
        opening = self._take()
        closing = {"(": ")", "[": "]", "{": "}"}[opening.kind]
        result = content()
        if self._next.kind == "end":
            self._fail("LOG002", f"'{opening.text}' is never closed", opening.span, f"add '{closing}'")
        self._expect(closing)
        return result

    # --- bounds ------------------------------------------------------------------------------------------------------

    def _bound(self) -> StepBound | None:
        """``<=5``, ``<5``, ``>=2``, ``>2``, ``=3``, ``[2,5]``, or nothing."""
        start = self._next.span
        if self._next.kind in ("<", "<=", ">", ">=", "=") and self._ahead(1).kind == "number":
            relation = self._take().kind
            steps = self._whole_number()
            lower, upper = {
                "<": (0, steps - 1), "<=": (0, steps), ">": (steps + 1, None), ">=": (steps, None), "=": (steps, steps),
            }[relation]  # fmt: skip
        elif self._next.kind == "[" and self._ahead(1).kind == "number" and self._ahead(2).kind == ",":
            self._take()
            lower = self._whole_number()
            self._expect(",")
            upper = self._whole_number()
            self._expect("]")
        else:
            return None
        if upper is not None and upper < lower:
            self._fail("LOG006", "no number of steps is within this bound", self._since(start))
        return StepBound(lower, upper)

    def _whole_number(self) -> int:
        token = self._expect("number", "a whole number")
        value = Fraction(token.text)
        if value.denominator != 1:
            self._fail("LOG006", f"'{token.text}' is not a whole number of steps", token.span)
        return int(value)

    # --- P, R and S --------------------------------------------------------------------------------------------------

    def _question(self) -> Formula:
        head = self._take()
        letter, optimum = head.text[0], cast(Optimum | None, head.text[1:] or None)
        name = None
        if letter == "R" and self._next.kind == "{":
            self._take()
            name = self._expect("string", 'the name of a reward, such as "fuel"').text[1:-1]
            self._expect("}")
            if self._is_name("min", "max") and optimum is None:
                optimum = cast(Optimum, self._take().text)
        relation, threshold = self._asked(head)
        with self._reading_quantities():
            if letter == "R":
                of = self._in_brackets(self._reward_path) if self._next.kind in ("[", "(") else self._reward_path()
                return Reward(of, name, optimum, relation, threshold, span=self._since(head.span))
            path = self._in_brackets(self._formula) if self._next.kind in ("[", "(") else self._truth(self._unary())
        operator = Probability if letter == "P" else SteadyState
        if threshold is not None and not 0 <= threshold <= 1:
            self._fail("LOG007", f"a {'probability' if letter == 'P' else 'fraction of time'} is between 0 and 1", self._since(head.span))
        return operator(path, optimum, relation, threshold, span=self._since(head.span))

    def _asked(self, head: Token) -> tuple[Relation | None, Fraction | None]:
        """``=?``, or a relation and a threshold."""
        if self._accept("=?"):
            return None, None
        if self._next.kind not in ("<", "<=", ">", ">="):
            hint = f'"{head.text}" in quotes is a label' if self._next.kind in ("and", "or", "implies", "iff", "end", ")", "]") else None
            self._fail("LOG001", f"'{head.text}' asks for '=?' or a bound such as '>=0.9'", head.span, hint)
        relation = cast(Relation, self._take().kind)
        value = Fraction(self._expect("number", "a number").text)
        if self._next.kind == "/" and self._ahead(1).kind == "number":
            self._take()
            divisor = self._take()
            if Fraction(divisor.text) == 0:
                self._fail("LOG005", "division by zero", divisor.span)
            value /= Fraction(divisor.text)
        return relation, value

    @contextmanager
    def _reading_quantities(self) -> Iterator[None]:
        """Inside P, R and S formulas are read as PRISM and Storm read them, so no warning is due."""
        before, self._quantitative = self._quantitative, True
        yield
        self._quantitative = before

    def _reward_path(self) -> Finally | Cumulative | Instantaneous | Total | LongRun:
        token = self._next
        if self._is_name("F") or token.kind == "eventually":
            path = self._formula()
            if isinstance(path, Finally) and path.bound is None:
                return path
            self._fail("LOG008", "a reward until a goal needs F without a bound", path.span, "for k steps write C<=k")
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

    # --- comparisons and numbers -------------------------------------------------------------------------------------

    def _comparison(self) -> Any:
        left = self._sum()
        if self._next.kind not in _RELATIONS:
            return left
        relation = cast(Relation, self._take().kind)
        right = self._sum()
        if self._next.kind in _RELATIONS:
            self._fail("LOG001", "comparisons do not chain", self._next.span, "write a < b & b < c")
        span = self._source.span(left.span.start, right.span.end)
        return Comparison(relation, self._expression_of(left), self._expression_of(right), span=span)

    def _sum(self) -> Any:
        return self._arithmetic(self._product, ("+", "-"))

    def _product(self) -> Any:
        return self._arithmetic(self._signed, ("*", "/"))

    def _arithmetic(self, operand: Callable[[], Any], operators: tuple[str, ...]) -> Any:
        left = operand()
        while self._next.kind in operators:
            operator = cast(Any, self._take().kind)
            right = operand()
            span = self._source.span(left.span.start, right.span.end)
            left = Arithmetic(operator, self._expression_of(left), self._expression_of(right), span=span)
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

    # --- operands ----------------------------------------------------------------------------------------------------

    def _primary(self) -> Any:
        token = self._next
        if token.kind == "(":
            inner = self._in_brackets(self._iff)
            return replace(inner, span=self._since(token.span))
        if token.kind in ("true", "false"):
            return Constant(self._take().kind == "true", span=token.span)
        if token.kind == "number":
            return Number(Fraction(self._take().text), span=token.span)
        if token.kind == "string":
            self._take()
            return Proposition(token.text[1:-1], span=token.span)
        if token.kind == "name":
            return self._name()
        if token.kind == "unknown" and token.text == '"':
            self._fail("LOG002", "this quotation is not closed", token.span, 'add a closing "')
        return self._unexpected("a formula")

    def _name(self) -> Any:
        token = self._next
        bracket = self._ahead(1)
        called = bracket.kind in ("(", "{") and bracket.span.start == token.span.end
        if token.text in MODALITIES and bracket.kind in ("(", "{"):
            return self._atom()
        if token.text in _PREFIXED:
            return self._prefixed_atom()
        if token.text in _RESERVED:
            self._fail(
                "LOG001",
                f"'{token.text}' is an operator and needs a formula on its left",
                token.span,
                f'"{token.text}" in quotes is a label',
            )
        if called and token.text[0].isupper():
            hint = did_you_mean(token.text, MODALITIES) or f"atoms are {', '.join(sorted(set(MODALITIES.values())))}"
            self._fail("LOG004", f"there is no atom '{token.text}(...)'", token.span, hint)
        return Identifier(self._term(), span=self._since(token.span))

    def _term(self) -> str:
        """A name, perhaps dotted, perhaps with arguments, as one text: ``winner(ag3)``, ``car.speed``."""
        start = self._take().span
        while self._next.kind == "." and self._touches(start) and self._ahead(1).kind == "name":
            self._take()
            self._take()
        if self._next.kind == "(" and self._touches(start):
            self._skip_to(closing_bracket(self._source, self._next.span.start, self._end) + 1)
        return self._since(start).text

    def _touches(self, start: Span) -> bool:
        """Whether the next token follows the last one without a space."""
        return self._since(start).end == self._next.span.start

    def _skip_to(self, offset: int) -> None:
        while self._next.kind != "end" and self._next.span.start < offset:
            self._take()

    def _atom(self) -> Atom:
        token = self._take()
        opening = self._next.span.start
        closing = closing_bracket(self._source, opening, self._end)
        self._skip_to(closing + 1)
        inner = self._stripped(opening + 1, closing)
        if not inner.text and self._source.text[opening] != "{":  # a base in braces may be empty
            self._fail(
                "LOG004",
                f"{token.text} of what?",
                self._source.span(token.span.start, closing + 1),
                "something must stand between the brackets",
            )
        return Atom(MODALITIES[token.text], inner.text, inner, span=self._source.span(token.span.start, closing + 1))

    def _stripped(self, start: int, end: int) -> Span:
        text = self._source.text[start:end]
        left = len(text) - len(text.lstrip())
        return self._source.span(start + left, start + max(left, len(text.rstrip())))

    def _prefixed_atom(self) -> Atom:
        """``Bel p`` or ``Bel ag p``, the spelling of seeds 001 (Sect. 2.1) and 002 (Sect. 4.2)."""
        token = self._take()
        words: list[str] = []
        while self._next.kind == "name" and self._next.text not in _RESERVED and len(words) < 2:
            words.append(self._term())
        if not words:
            self._fail("LOG004", f"{token.text} of what?", token.span, f"write {token.text}(agent, what)")
        text = ", ".join(words)
        return Atom(MODALITIES[token.text], text, Source("<formula>", text).span(0, len(text)), span=self._since(token.span))

    # --- formulas and expressions --------------------------------------------------------------------------------------

    def _formula_of(self, operand: Any) -> Formula:
        if isinstance(operand, Identifier):
            return Proposition(operand.name, span=operand.span)
        if isinstance(operand, Number | Arithmetic):
            self._fail("LOG005", "a number is neither true nor false", operand.span, "compare it: ... >= 1")
        return cast(Formula, operand)

    def _expression_of(self, operand: Any) -> Expression:
        if not isinstance(operand, Number | Identifier | Arithmetic):
            self._fail("LOG005", "a number is expected here, and this is true or false", operand.span, "use & | ! <-> between formulas")
        return operand

    def _truth(self, operand: Any) -> Formula:
        formula = self._formula_of(operand)
        self._no_query(formula)
        return formula

    def _no_query(self, formula: Formula) -> None:
        if isinstance(formula, Probability | Reward | SteadyState) and formula.relation is None:
            self._fail(
                "LOG008", "'=?' asks for a number, but true or false is needed here", formula.span, "compare it instead: P>=0.9 [ ... ]"
            )

    # --- readings that other tools do not share ------------------------------------------------------------------------

    def _warn_letter_operator(self, left: Any, arrow: Token) -> None:
        """``G a -> b``: here and in Spin ``(G a) -> b``, in PRISM ``G (a -> b)``."""
        if isinstance(left, Next | Finally | Globally) and not self._parenthesised(left) and left.span is not None:
            letter = left.span.text[0]
            if letter in _PREFIX:
                hint = f"if you mean {letter} (... -> ...), add the brackets; if not, write ({letter} ...) -> ..."
                self._diagnostics.warning("LOG009", f"read as ({letter} ...) {arrow.text} ...", left.span, hint=hint)

    def _warn_boolean_operand(self, operand: Any, operator: Token, side: str) -> None:
        """``F a & b`` and ``a & b U c``: the boolean operator binds tighter here and in PRISM, not in Spin."""
        if self._quantitative or not isinstance(operand, And | Or) or self._parenthesised(operand):
            return
        shown = f"(...) {operator.text}" if side == "left" else f"{operator.text} (...)"
        self._diagnostics.warning(
            "LOG009", f"'{operator.text}' is read as {shown}, over the whole of this", operand.span, hint="brackets make it plain"
        )

    @staticmethod
    def _parenthesised(node: Any) -> bool:
        return node.span is not None and node.span.text.startswith("(") and node.span.text.endswith(")") and _balanced(node.span.text[1:-1])


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0
