"""Tokens of the formula language, and the token reader on which the formula parser is built.

One table lists every spelling of every operator, so that formulas in the notation of PRISM, Storm,
Spin, NuSMV and the literature are accepted. Words whose meaning depends on the context become
tokens of kind ``name``, and the parser distinguishes them. For example, ``R`` is release between
two formulas and a reward operator in front of one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from volition.diagnostics import Diagnostic, InputError, Source, Span

__all__ = ["SYMBOLS", "WORDS", "FormulaToken", "TokenReader", "tokenize"]

SYMBOLS: dict[str, str] = {
    "<->": "iff",
    "<=>": "iff",
    "↔": "iff",
    "⇔": "iff",
    "->": "implies",
    "=>": "implies",
    "→": "implies",
    "⇒": "implies",
    "||": "or",
    "|": "or",
    "\\/": "or",
    "∨": "or",
    "&&": "and",
    "&": "and",
    "/\\": "and",
    "∧": "and",
    "~": "not",
    "!": "not",
    "¬": "not",
    "[]": "always",
    "□": "always",
    "◻": "always",
    "<>": "eventually",
    "◇": "eventually",
    "◊": "eventually",
    "○": "next",
    "◯": "next",
    "∀": "forall",
    "∃": "exists",
    "⊤": "true",
    "⊥": "false",
    "=?": "=?",
    "<=": "<=",
    "≤": "<=",
    ">=": ">=",
    "≥": ">=",
    "!=": "!=",
    "≠": "!=",
    "==": "=",
    "=": "=",
    "<": "<",
    ">": ">",
    "+": "+",
    "-": "-",
    "*": "*",
    "/": "/",
    "(": "(",
    ")": ")",
    "[": "[",
    "]": "]",
    "{": "{",
    "}": "}",
    ",": ",",
    ".": ".",
}
"""Token kind of each symbol in a formula. Different spellings of an operator have the same kind."""

WORDS: dict[str, str] = {
    "not": "not",
    "and": "and",
    "or": "or",
    "true": "true",
    "false": "false",
    "forall": "forall",
    "exists": "exists",
}
"""Token kind of each word that has the same meaning in every context of a formula."""

_PATTERN = re.compile(
    r"(?P<space>\s+|//[^\n]*)"
    r'|(?P<string>"[^"\n]*")'
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d]\w*'*)"
    r"|(?P<symbol>"
    + "|".join(re.escape(symbol) for symbol in sorted(SYMBOLS, key=len, reverse=True))
    + ")"
)


@dataclass(frozen=True, slots=True)
class FormulaToken:
    """Token of a formula. ``kind`` is ``name``, ``number``, ``string``, ``unknown``, ``end``, or a
    kind from :data:`SYMBOLS` or :data:`WORDS`."""

    kind: str
    text: str
    span: Span


def tokenize(source: Source, start: int, end: int) -> list[FormulaToken]:
    """Return all tokens of ``source.text[start:end]``, followed by a token of kind ``end``.

    Characters that belong to no token become tokens of kind ``unknown``. They are not errors yet,
    because the text inside an atom belongs to the programming language and may contain any
    character.
    """
    tokens: list[FormulaToken] = []
    position = start
    while position < end:
        match = _PATTERN.match(source.text, position, end)
        if match is None:
            tokens.append(
                FormulaToken("unknown", source.text[position], source.span(position, position + 1))
            )
            position += 1
            continue
        text, position = match.group(), match.end()
        if match.lastgroup == "space":
            continue
        kind = match.lastgroup or ""
        if kind == "symbol":
            kind = SYMBOLS[text]
        elif kind == "name":
            kind = WORDS.get(text, "name")
        tokens.append(FormulaToken(kind, text, source.span(match.start(), match.end())))
    last = max(start, start + len(source.text[start:end].rstrip()))
    tokens.append(FormulaToken("end", "", source.span(last, last + 1)))
    return tokens


class TokenReader:
    """Base class of the formula parser: it looks ahead, consumes tokens, and raises errors with a
    span and a hint."""

    def __init__(self, source: Source, start: int, end: int) -> None:
        self._source, self._end = source, end
        self._tokens = tokenize(source, start, end)
        self._at = 0

    @property
    def _next(self) -> FormulaToken:
        return self._tokens[self._at]

    def _ahead(self, distance: int) -> FormulaToken:
        return self._tokens[min(self._at + distance, len(self._tokens) - 1)]

    def _take(self) -> FormulaToken:
        token = self._next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _accept(self, kind: str) -> FormulaToken | None:
        return self._take() if self._next.kind == kind else None

    def _is_name(self, *texts: str) -> bool:
        return self._next.kind == "name" and self._next.text in texts

    def _expect(self, kind: str, what: str | None = None) -> FormulaToken:
        if self._next.kind != kind:
            self._unexpected(what or f"'{kind}'")
        return self._take()

    def _unexpected(self, expected: str) -> NoReturn:
        token = self._next
        found = "end" if token.kind == "end" else f"'{token.text}'"
        self._fail("LOG001", f"unexpected {found}", token.span, f"expected {expected}")

    @staticmethod
    def _fail(code: str, message: str, span: Span | None, hint: str | None = None) -> NoReturn:
        raise InputError([Diagnostic(code, message, span, hint)])

    def _since(self, start: Span) -> Span:
        """Return the span from ``start`` to the last token that was consumed."""
        return self._source.span(start.start, self._tokens[self._at - 1].span.end)

    def _touches(self, start: Span) -> bool:
        """Return whether the next token directly follows the last token that was consumed, without
        a space."""
        return self._since(start).end == self._next.span.start

    def _skip_to(self, offset: int) -> None:
        while self._next.kind != "end" and self._next.span.start < offset:
            self._take()

    def _in_brackets(self, content: Callable[[], Any]) -> Any:
        opening = self._take()
        closing = {"(": ")", "[": "]", "{": "}"}[opening.kind]
        result = content()
        if self._next.kind == "end":
            self._fail(
                "LOG002", f"'{opening.text}' is never closed", opening.span, f"add '{closing}'"
            )
        self._expect(closing)
        return result
