"""Wrapper of Lark, used for all grammars, that turns syntax errors into diagnostics.

To report several syntax errors at once, a language splits its text into statements and parses each
with :meth:`Parser.parse`, giving the statement's ``start`` and ``end``. Positions stay relative to
the whole source.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lark import (
    Lark,
    TextSlice,
    Token,
    Tree,
    UnexpectedCharacters,
    UnexpectedInput,
    UnexpectedToken,
)

from volition.diagnostics import Diagnostic, InputError, Source, Span

__all__ = ["Parser", "span_of"]


class Parser:
    """LALR parser for one grammar.

    ``code`` is the error code of its syntax errors. ``names`` maps terminals of the grammar to the
    names used in messages, such as ``{"NAME": "a name"}``. Messages show a terminal for a fixed
    text as that text.
    """

    def __init__(
        self,
        grammar: str,
        *,
        code: str,
        start: str | list[str] = "start",
        names: Mapping[str, str] | None = None,
    ) -> None:
        self._lark = Lark(
            grammar, parser="lalr", start=start, propagate_positions=True, maybe_placeholders=True
        )
        self._code = code
        self._names = dict(names or {})

    def parse(
        self, source: Source, rule: str | None = None, *, start: int = 0, end: int | None = None
    ) -> Tree[Token]:
        """Return the syntax tree of ``source.text[start:end]``; raise :class:`InputError` on a
        syntax error.

        ``rule`` is the rule of the grammar to start from.
        """
        stop = len(source.text) if end is None else end
        try:
            return self._lark.parse(TextSlice(source.text, start, stop), start=rule)
        except UnexpectedInput as error:
            raise InputError([self._explain(error, source, start, stop)]) from None

    def _explain(self, error: UnexpectedInput, source: Source, start: int, stop: int) -> Diagnostic:
        expected: set[str] = set()
        if isinstance(error, UnexpectedCharacters):
            found, index = (
                repr(error.char),
                (error.pos_in_stream or 0, (error.pos_in_stream or 0) + 1),
            )
            expected = set(error.allowed or ())
        elif isinstance(error, UnexpectedToken) and error.token.type != "$END":
            token = error.token
            found, index = repr(str(token)), (token.start_pos or 0, token.end_pos or 0)
            expected = set(error.accepts or error.expected)
        else:
            last = len(source.text[start:stop].rstrip()) + start
            found, index = "end", (max(start, last - 1), max(last, start + 1))
            expected = set(getattr(error, "expected", ()))
        requested = sorted({self._name(terminal) for terminal in expected if terminal != "$END"})
        hint = f"expected {' or '.join(requested)}" if 0 < len(requested) <= 8 else None
        return Diagnostic(self._code, f"unexpected {found}", source.span(*index), hint)

    def _name(self, terminal: str) -> str:
        if terminal in self._names:
            return self._names[terminal]
        definition = next((each for each in self._lark.terminals if each.name == terminal), None)
        if definition is not None and definition.pattern.type == "str":
            return f"'{definition.pattern.value}'"
        return terminal.lower()


def span_of(source: Source, node: Tree[Any] | Token) -> Span:
    """Return the span of a token, or the span from the first to the last token of a syntax tree."""
    if isinstance(node, Token):
        return source.span(node.start_pos or 0, node.end_pos or 0)
    if node.meta.empty:
        return source.span(0, 0)
    return source.span(node.meta.start_pos, node.meta.end_pos)
