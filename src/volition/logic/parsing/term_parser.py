"""Parser for the arguments of an atom such as ``Bel(ag1, bid(4))``, into the tree of
:mod:`volition.logic.terms`.

The arguments belong to the programming language of the agents and may contain any character. Only
brackets and quotation marks must be closed. A single quote opens a quotation only if no letter
precedes it, so that an apostrophe (``I don't know``) does not.
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
    """Parse a bracket at the offset ``opening`` and everything up to its closing bracket. Raise
    :class:`InputError` if the bracket is not closed before the offset ``end``."""
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
    """Parse arguments, separated by commas, that are not enclosed in brackets. Raise
    :class:`InputError` if a bracket or a quotation mark is not closed."""
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
    """Parse arguments, separated by commas, from a text that is not part of a formula. Error
    messages refer to the text by ``name``."""
    return parse_arguments(Source(name, text).span(0, len(text)))


def _read(source: Source, levels: list[_OpenBracket], end: int) -> BracketTerm | None:
    """Read up to the bracket that closes the outermost level and return the term in these brackets;
    None if the text ends first.

    ``levels`` is the stack of open brackets. It is a list instead of the call stack, so that
    brackets may be nested to any depth.
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
    """Bracket that is not closed yet: the arguments before the last comma, the offset where the
    next argument begins, and the terms of that argument read so far.

    ``opening`` is the offset of the bracket. It is None for the outermost level of arguments that
    are not enclosed in brackets.
    """

    source: Source
    opening: int | None
    begin: int
    arguments: list[Term] = field(default_factory=list)
    parts: list[Term] = field(default_factory=list)

    def add(self, group: BracketTerm) -> None:
        """Add a bracketed term to the current argument. If it has round brackets and follows a
        name, combine both into a call."""
        functor = self.parts[-1] if self.parts else None
        if isinstance(functor, NameTerm) and group.bracket == "(":
            self.parts[-1] = CallTerm(
                self.source.span(functor.span.start, group.span.end), functor, group.arguments
            )
        else:
            self.parts.append(group)

    def next_argument(self, begin: int) -> None:
        """Finish the argument that was read since the last comma. The next one starts at the offset
        ``begin``."""
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
        """Finish the last argument and return all arguments; an empty tuple if there is nothing
        between the brackets."""
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
