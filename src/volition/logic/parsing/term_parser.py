"""Parser for the arguments of an atom, into the tree of :mod:`volition.logic.terms`.

The arguments belong to the programming language and may contain any character. Only brackets and
quotation marks must be closed. A single quote opens a quotation only if no letter precedes it, so
that an apostrophe (``I don't know``) does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn, cast

from volition.diagnostics import Diagnostic, InputError, Source, Span
from volition.logic.parsing.lexer import SYMBOLS
from volition.logic.terms import (
    Bracket,
    BracketTerm,
    CallTerm,
    NameTerm,
    NumberTerm,
    QuotedTerm,
    SymbolTerm,
    Term,
    TermSequence,
)

__all__ = ["arguments_in", "parse_arguments", "parse_group"]

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}
_OPERATORS = sorted(
    (each for each in SYMBOLS if not re.search(r"[][(){},]", each)), key=len, reverse=True
)

_PATTERN = re.compile(
    r"(?P<space>\s+|//[^\n]*\n|/\*.*?\*/)"
    r"""|(?P<quotation>"[^"]*"|(?<![^\W_])'[^']*')"""
    r"|(?P<numeral>[0-9]+(?:\.[0-9]+)?(?!\w))"
    r"|(?P<name>\w+(?:'+(?!\w))?)"
    r"|(?P<bracket>[][(){}])"
    r"|(?P<comma>,)"
    rf"|(?P<symbol>{'|'.join(map(re.escape, _OPERATORS))}|.)",
    re.DOTALL,
)
_LEAVES: Mapping[str, Callable[[Span], Term]] = {
    "quotation": QuotedTerm,
    "numeral": NumberTerm,
    "name": NameTerm,
    "symbol": SymbolTerm,
}


def parse_group(source: Source, opening: int, end: int) -> BracketTerm:
    """Parse the brackets that open at a position, with their content. Raise :class:`InputError` if
    they are not closed."""
    levels = [_OpenBracket(source, opening, opening + 1)]
    group = _read(source, levels, end)
    if group is None:
        bracket = _bracket(levels[-1])
        _fail(
            "LOG002",
            f"'{bracket.text}' is never closed",
            bracket,
            f"add '{_CLOSING[bracket.text]}'",
        )
    return group


def parse_arguments(span: Span) -> tuple[Term, ...]:
    """Parse arguments that are not enclosed in brackets. Raise :class:`InputError` if a bracket or
    a quotation mark is not closed."""
    levels = [_OpenBracket(span.source, None, span.start)]
    _read(span.source, levels, span.end)
    if len(levels) > 1:
        bracket = _bracket(levels[-1])
        _fail(
            "LOG002",
            f"'{bracket.text}' is never closed",
            bracket,
            f"add '{_CLOSING[bracket.text]}'",
        )
    return levels[0].ended()


def arguments_in(text: str, name: str = "<formula>") -> tuple[Term, ...]:
    """Parse arguments from a text that is not part of a formula. Messages refer to the text by
    ``name``."""
    return parse_arguments(Source(name, text).span(0, len(text)))


def _read(source: Source, levels: list[_OpenBracket], end: int) -> BracketTerm | None:
    """Read up to the end of the outermost brackets and return them; None if the text ends first.

    Open brackets are kept in a list instead of the call stack, so that they may be nested to any
    depth.
    """
    for token in _PATTERN.finditer(source.text, levels[0].begin, end):
        kind, text, span, level = (
            token.lastgroup or "",
            token[0],
            source.span(*token.span()),
            levels[-1],
        )
        if kind == "space":
            continue
        if kind == "comma":
            level.next_argument(span.end)
        elif text in _CLOSING:
            levels.append(_OpenBracket(source, span.start, span.end))
        elif kind == "bracket":
            if level.opening is None:
                _fail(
                    "LOG002",
                    f"unmatched '{text}'",
                    span,
                    f"add '{_OPENING[text]}' or remove it",
                )
            expected = _CLOSING[_bracket(level).text]
            if text != expected:
                _fail(
                    "LOG002",
                    f"'{text}' does not close '{_bracket(level).text}'",
                    span,
                    f"expected '{expected}'",
                )
            group = levels.pop().closed(level.opening, span.end)
            if not levels:
                return group
            levels[-1].add(group)
        elif text == '"':
            _fail("LOG002", "missing closing quotation mark", span, 'add a closing "')
        else:
            level.parts.append(_LEAVES[kind](span))
    return None


@dataclass
class _OpenBracket:
    """Brackets that are not closed yet: the arguments before the last comma, the position where the
    next argument begins, and its parts so far.

    ``opening`` is None for the outermost level if no brackets enclose it.
    """

    source: Source
    opening: int | None
    begin: int
    arguments: list[Term] = field(default_factory=list)
    parts: list[Term] = field(default_factory=list)

    def add(self, group: BracketTerm) -> None:
        """Add closed brackets. Round brackets after a name are its arguments."""
        functor = self.parts[-1] if self.parts else None
        if isinstance(functor, NameTerm) and group.bracket == "(":
            self.parts[-1] = CallTerm(
                self.source.span(functor.span.start, group.span.end), functor, group.arguments
            )
        else:
            self.parts.append(group)

    def next_argument(self, begin: int) -> None:
        """Finish the argument that was read since the last comma."""
        if len(self.parts) == 1:
            self.arguments += self.parts
        else:
            first, last = (
                (self.parts[0].span.start, self.parts[-1].span.end)
                if self.parts
                else (self.begin, self.begin)
            )
            self.arguments.append(TermSequence(self.source.span(first, last), tuple(self.parts)))
        self.begin, self.parts = begin, []

    def ended(self) -> tuple[Term, ...]:
        """Return all arguments; none if there is nothing between the brackets."""
        if self.arguments or self.parts:
            self.next_argument(self.begin)
        return tuple(self.arguments)

    def closed(self, opening: int, end: int) -> BracketTerm:
        bracket = cast(Bracket, self.source.text[opening])
        return BracketTerm(self.source.span(opening, end), bracket, self.ended())


def _bracket(level: _OpenBracket) -> Span:
    assert level.opening is not None
    return level.source.span(level.opening, level.opening + 1)


def _fail(code: str, message: str, span: Span, hint: str) -> NoReturn:
    raise InputError([Diagnostic(code, message, span, hint)])
