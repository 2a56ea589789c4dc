"""A stream of tokens with the small steps of which the parser is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from volition.diagnostics import Diagnostic, InputError, Source, Span
from volition.logic.reading.tokens import Token, tokenize

__all__ = ["TokenReader"]


class TokenReader:
    """Looks at the next tokens, takes them, and fails with a place and a hint."""

    def __init__(self, source: Source, start: int, end: int) -> None:
        self._source, self._end = source, end
        self._tokens = tokenize(source, start, end)
        self._at = 0

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
        found = "end" if token.kind == "end" else f"'{token.text}'"
        self._fail("LOG001", f"unexpected {found}", token.span, f"expected {expected}")

    @staticmethod
    def _fail(code: str, message: str, span: Span | None, hint: str | None = None) -> NoReturn:
        raise InputError([Diagnostic(code, message, span, hint)])

    def _since(self, start: Span) -> Span:
        """From ``start`` to the last token taken."""
        return self._source.span(start.start, self._tokens[self._at - 1].span.end)

    def _touches(self, start: Span) -> bool:
        """Whether the next token follows the last one without a space."""
        return self._since(start).end == self._next.span.start

    def _skip_to(self, offset: int) -> None:
        while self._next.kind != "end" and self._next.span.start < offset:
            self._take()

    def _in_brackets(self, content: Callable[[], Any]) -> Any:
        opening = self._take()
        closing = {"(": ")", "[": "]", "{": "}"}[opening.kind]
        result = content()
        if self._next.kind == "end":
            self._fail("LOG002", f"'{opening.text}' is never closed", opening.span, f"add '{closing}'")
        self._expect(closing)
        return result
