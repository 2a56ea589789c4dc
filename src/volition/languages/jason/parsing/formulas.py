"""Parser for Jason's terms and formulas.

Precedence, weakest first: ``|`` and ``&`` (right-associative), ``not``, one relation, ``+ -`` and
``* / div mod`` (left-associative), ``**`` (right-associative), sign. Arguments of a literal are
formulas; items of a list are terms, or formulas in brackets.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from itertools import count
from typing import TypeVar, cast

from volition.diagnostics import Diagnostics, Source, Span
from volition.languages.jason.namespaces import DEFAULT, Namespaces
from volition.languages.jason.ordering import annotation_set
from volition.languages.jason.parsing.tokens import (
    MAX_LEVELS,
    NAME,
    NUMBER,
    STRING,
    VARIABLE,
    Token,
    Tokens,
    syntax_error,
)
from volition.languages.jason.terms import (
    FALSE,
    TRUE,
    And,
    Arithmetic,
    BracedTerm,
    Compare,
    List,
    Literal,
    Negative,
    Not,
    Number,
    Operator,
    Or,
    Relation,
    Term,
    Text,
    Variable,
)

__all__ = ["RELATIONS", "FormulaReader"]

RELATIONS = frozenset(["<", "<=", ">", ">=", "==", "\\==", "=", "=.."])
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "div": 2, "mod": 2, "**": 3}
"""Map from an arithmetic operator to its precedence; a higher number binds more tightly. ``**`` is
right-associative, the others are left-associative."""

_ATOMS = (NAME, "begin", "end")
"""Kinds of tokens that can be the name of a literal. The reserved words ``begin`` and ``end`` are
also allowed as names."""

_THIS = Literal("this_ns")
T = TypeVar("T")
_NUMBERED = re.compile(r"(?<!\w)_(\d+)")
_ESCAPES = {'\\"': '"', "\\n": "\n"}
_MAX_DIGITS = 300
_MAX_PARTS = 100
"""Maximum number of operands of a formula or sum without brackets. It limits the depth of the
syntax tree, which is as deep as the formula is long."""


class FormulaReader(Tokens):
    """Parser for terms and formulas. Its methods raise :class:`InputError` for invalid input."""

    def __init__(
        self, source: Source, diagnostics: Diagnostics, start: int = 0, end: int | None = None
    ) -> None:
        super().__init__(source, diagnostics, start, end)
        self._level = 0
        self.namespaces = Namespaces()
        self._first_anonymous = 1 + max(
            (int(each[1][:_MAX_DIGITS]) for each in _NUMBERED.finditer(source.text)), default=-1
        )
        self.begin_statement()

    def begin_statement(self) -> None:
        """Begin a statement of the program. Variables are local to it, so the numbering of
        anonymous variables starts anew."""
        super().begin_statement()
        self._anonymous = count(self._first_anonymous)
        self._level = 0
        self.implied = self.namespaces.this
        """Namespace of unqualified names at the current position."""

    @contextmanager
    def deeper(self, token: Token) -> Iterator[None]:
        """Context manager for the content of a bracket or block, which is one level deeper. Raises
        a syntax error at ``token`` if there are more than ``MAX_LEVELS`` levels, so that deeply
        nested input does not overflow the stack."""
        self._level += 1
        if self._level > MAX_LEVELS:
            raise syntax_error(
                f"this is nested more than {MAX_LEVELS} levels deep",
                self.token_span(token),
                "split it into several statements",
            )
        yield
        self._level -= 1

    @contextmanager
    def _terms(self, token: Token) -> Iterator[None]:
        """Context manager for the content of a bracket that contains terms, where unqualified names
        have no namespace."""
        outside, self.implied = self.implied, None
        with self.deeper(token):
            yield
        self.implied = outside

    # --- parsing formulas -------------------------------------------------------------------------

    def formula(self) -> Term:
        """Parse a formula with ``&`` and ``|``, such as ``a & b | c``."""
        cases: list[list[Term]] = [[self._condition()]]
        parts = 1
        while sign := self.taken("&", "|"):
            if sign.kind == "|":
                cases.append([])
            cases[-1].append(self._condition())
            parts += 1
            self._expect_short(parts, sign)
        return reduce(
            lambda right, left: Or(left, right), reversed([_conjunction(each) for each in cases])
        )

    def _condition(self) -> Term:
        """Parse an operand of ``&`` or ``|``: a term or a relation such as ``left < right``,
        possibly after ``not``."""
        negation = self.taken("not")
        condition = self.term()
        if self.next.kind in RELATIONS:
            relation = cast(Relation, self.take().text)
            condition = Compare(relation, self._as_term(condition), self._as_term(self.term()))
        return condition if negation is None else Not(condition)

    def _as_term(self, term: Term) -> Term:
        """Return an operand of a relation or an arithmetic expression without the namespace that
        unqualified beliefs have at this position. Such operands are terms, not beliefs."""
        is_literal = (
            isinstance(term, Literal | Variable)
            and term.namespace is not None
            and term.namespace == self.implied
        )
        return replace(term, namespace=None) if is_literal else term  # type: ignore[type-var]

    def _expect_short(self, parts: int, token: Token) -> None:
        """Raise a syntax error at ``token`` if a formula without brackets has too many operands
        (``parts``), because its syntax tree is as deep as the formula is long."""
        if parts > _MAX_PARTS:
            raise syntax_error(
                f"this formula has more than {_MAX_PARTS} operands",
                self.token_span(token),
                "split it into several rules",
            )

    # --- parsing terms ----------------------------------------------------------------------------

    def term(self) -> Term:
        """Parse an arithmetic expression over numbers, literals and formulas in brackets, or a
        single string, list or block in braces."""
        token = self.next
        if token.kind == STRING:
            self.take()
            return Text(re.sub(r'\\["n]', lambda found: _ESCAPES[found[0]], token.text[1:-1]))
        if token.kind == "[":
            return self.list()
        if token.kind == "{":
            with self.deeper(token):
                return self._block()
        operands, signs, parts = [self._unit()], list[Operator](), 1
        while self.next.kind in _BINDING and not self._begins_step():
            sign = self.take()
            _reduce(operands, signs, _BINDING[sign.kind])
            signs.append(cast(Operator, sign.kind))
            operands[-1] = self._as_term(operands[-1])
            operands.append(self._as_term(self._unit()))
            parts += 1
            self._expect_short(parts, sign)
        _reduce(operands, signs, 0)
        return operands[0]

    def _begins_step(self) -> bool:
        """Return whether the ``+`` or ``-`` that comes next begins a step such as ``+!g``, because
        a ``;`` before it is missing. The caller then reports the missing ``;``, which is the more
        helpful error."""
        return self.ahead().kind in ("!", "?", "!!")

    def _unit(self) -> Term:
        sign = self.taken("+", "-")
        token = self.next
        if token.kind == NUMBER:
            value = self._number(self.take())
            return -value if sign and sign.kind == "-" else value
        if token.kind == "(":
            with self.deeper(token):
                self.take()
                operand = self.formula()
                self.expect(")")
        else:
            operand = self.literal()
        return Negative(self._as_term(operand)) if sign and sign.kind == "-" else operand

    def _number(self, token: Token) -> Number:
        value = float(token.text) if len(token.text) <= _MAX_DIGITS else math.inf
        if math.isinf(value):
            raise syntax_error(
                "this number is too large", self.token_span(token), "numbers of Jason are doubles"
            )
        return int(value) if value.is_integer() else value

    def list(self) -> List:
        """Parse a list ``[a, b | Tail]``. If the tail is itself a list, its items are appended."""
        opening = self.expect("[")
        with self._terms(opening):
            items: list[Term] = []
            if self.next.kind not in ("]", "|"):
                items.append(self.term())
                while self.taken(","):
                    items.append(self.term())
            tail: Term | None = None
            if self.taken("|"):
                tail = self._variable(self.take()) if self.next.kind == VARIABLE else self.list()
            self.close("]", *([] if tail is not None else [",", "|"]))
        if isinstance(tail, List):
            return List((*items, *tail.items), tail.tail)
        return List(tuple(items), tail)

    # --- parsing literals and variables -----------------------------------------------------------

    def literal(self) -> Literal | Variable:
        """Parse a literal ``n::~p(t)[a]`` with optional namespace, negation, arguments and
        annotations, or a variable."""
        first = self.next
        if first.kind in ("true", "false"):
            self.take()
            return TRUE if first.kind == "true" else FALSE
        namespace = self._namespace()
        negated = self.taken("~") is not None
        token = self.next
        if token.kind == VARIABLE:
            variable = self._variable(self.take())
            annotations = self.list() if self.next.kind == "[" else None
            return Variable(variable.name, annotations, negated, namespace)
        if token.kind not in _ATOMS:
            self.fail(hint=self._hint(token))
        literal = self.predication()
        span = self.span(first)
        if literal.is_internal and literal.annotations:
            self.diagnostics.error(
                "JSN002",
                f"an internal action such as {literal.functor} cannot have annotations",
                span,
            )
        if literal.is_internal and negated:
            self.diagnostics.error(
                "JSN002",
                f"an internal action such as {literal.functor} cannot be strongly negated",
                span,
                hint="use not",
            )
        if literal == _THIS:
            return Literal(self.namespaces.this or DEFAULT)
        return replace(literal, negated=negated, namespace=self.namespaces.of(literal, namespace))

    def _namespace(self) -> str | None:
        """Parse an optional namespace: ``n::``, or ``::`` for the namespace of the surrounding
        ``{begin namespace(n)}`` or included file. Report an error if the namespace is a variable,
        because its value is known only at run time."""
        if self.next.kind == "::":
            self.take()
            return self.namespaces.this
        if self.ahead().kind != "::" or self.next.kind not in (NAME, VARIABLE):
            return self.implied
        token = self.take()
        self.take()
        if token.kind == VARIABLE:
            self.refuse(
                "namespaces that are values of variables",
                "it is known only at run time which namespace is meant",
                self.token_span(token),
                "write the namespace's name",
            )
        return self.namespaces.named(token.text)

    def predication(self) -> Literal:
        """Parse a literal without namespace and negation: ``p(t1, .., tn)[a1, .., am]``."""
        name = self.expect(*_ATOMS)
        arguments: list[Term] = []
        if opening := self.taken("("):
            if self.next.kind == ")":
                self.fail(hint=f"without arguments, write {name.text} without brackets")
            with self._terms(opening):
                arguments.append(self.formula())
                while self.taken(","):
                    arguments.append(self.formula())
                self.close(")", ",")
        annotations = self.list() if self.next.kind == "[" else List()
        known = annotation_set(annotations.items)
        return Literal(
            name.text,
            tuple(arguments),
            known if annotations.tail is None else List(known, annotations.tail),
        )

    def _variable(self, token: Token) -> Variable:
        """Return the variable that a token denotes. Each occurrence of ``_`` or ``_name`` is a new
        variable; ``_12`` is an ordinary variable."""
        is_anonymous = token.text.startswith("_") and not token.text[1:2].isdigit()
        return Variable(f"_{next(self._anonymous)}" if is_anonymous else token.text)

    def _hint(self, token: Token) -> str | None:
        if token.kind in ("=", "=="):
            return "expected a term"
        if token.kind == "not":
            return "write not before the whole condition; use brackets to negate it twice"
        return "expected a term or formula"

    # --- parsing blocks in braces, and errors -----------------------------------------------------

    @abstractmethod
    def _block(self) -> BracedTerm:
        """Parse braces with their content as a term."""

    def refuse(self, what: str, reason: str, span: Span, hint: str) -> None:
        """Report the error that a construct of Jason, described by ``what``, cannot be verified,
        and why (``reason``)."""
        message = f"{what} cannot be verified, because {reason}"
        self.diagnostics.error("JSN003", message, span, hint=hint)

    def whole(self, read: Callable[[], T]) -> T:
        """Return the result of the parsing function ``read``. Raises a syntax error if it does not
        consume the whole text."""
        result = read()
        if not self.at_end:
            self.fail()
        return result


def _conjunction(conjuncts: Sequence[Term]) -> Term:
    return reduce(lambda right, left: And(left, right), reversed(conjuncts))


def _reduce(operands: list[Term], signs: list[Operator], binding: int) -> None:
    """Combine the last operands while the operators between them bind more tightly than
    ``binding``, or equally tightly and are left-associative. This is one step of
    operator-precedence parsing; ``signs`` are the operators that have not been combined yet."""
    while signs and (
        _BINDING[signs[-1]] > binding or (_BINDING[signs[-1]] == binding and signs[-1] != "**")
    ):
        right = operands.pop()
        operands.append(Arithmetic(signs.pop(), operands.pop(), right))
