"""Reads what stands between the brackets of an atom into the tree of :mod:`volition.logic.terms`.

Any character may stand there, since it belongs to the programming language; only brackets and quotations must be closed.
A single quote opens a quotation only where no letter stands before it, so that an apostrophe (``I don't know``) does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn, cast

from volition.diagnostics import Diagnostic, InputError, Source, Span
from volition.logic.reading.reader import SYMBOLS
from volition.logic.terms import Bracket, Call, Group, Name, Numeral, Phrase, Quotation, Symbol, Term

__all__ = ["arguments_in", "read_group"]

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPERATORS = sorted((each for each in SYMBOLS if not re.search(r"[][(){},]", each)), key=len, reverse=True)

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
_LEAVES: Mapping[str, Callable[[Span], Term]] = {"quotation": Quotation, "numeral": Numeral, "name": Name, "symbol": Symbol}


def read_group(source: Source, opening: int, end: int) -> Group:
    """The brackets that open at a place and what is in them, up to the bracket that closes them; raises :class:`InputError`.

    The brackets that are open wait in a list, so that any number of them may be nested.
    """
    levels = [_Level(source, opening, opening + 1)]
    for token in _PATTERN.finditer(source.text, opening + 1, end):
        kind, text, span, level = token.lastgroup or "", token[0], source.span(*token.span()), levels[-1]
        if kind == "space":
            continue
        if kind == "comma":
            level.next_argument(span.end)
        elif text in _CLOSING:
            levels.append(_Level(source, span.start, span.end))
        elif kind == "bracket":
            expected = _CLOSING[source.text[level.opening]]
            if text != expected:
                _fail("LOG002", f"'{text}' does not close '{source.text[level.opening]}'", span, f"expected '{expected}'")
            group = levels.pop().closed(span.end)
            if not levels:
                return group
            levels[-1].add(group)
        elif text == '"':
            _fail("LOG002", "missing closing quotation mark", span, 'add a closing "')
        else:
            level.parts.append(_LEAVES[kind](span))
    place = levels[-1].opening
    return _fail(
        "LOG002", f"'{source.text[place]}' is never closed", source.span(place, place + 1), f"add '{_CLOSING[source.text[place]]}'"
    )


def arguments_in(text: str, name: str = "<formula>") -> tuple[Term, ...]:
    """The arguments in a text that has no place in a formula; ``name`` is what messages call it.

    Raises :class:`InputError` where brackets or quotations are not closed.
    """
    source = Source(name, f"({text})")
    group = read_group(source, 0, len(source.text))
    if group.span.end < len(source.text):
        extra = source.span(group.span.end - 1, group.span.end)
        _fail("LOG002", f"'{extra.text}' closes nothing", extra, "add '(' or leave it out")
    return group.arguments


@dataclass
class _Level:
    """Brackets that are not closed yet: the arguments before the last comma, where the next one begins, and its parts so far."""

    source: Source
    opening: int
    begin: int
    arguments: list[Term] = field(default_factory=list)
    parts: list[Term] = field(default_factory=list)

    def add(self, group: Group) -> None:
        """Brackets that were closed; after a name, round ones hold its arguments."""
        functor = self.parts[-1] if self.parts else None
        if isinstance(functor, Name) and group.bracket == "(":
            self.parts[-1] = Call(self.source.span(functor.span.start, group.span.end), functor, group.arguments)
        else:
            self.parts.append(group)

    def next_argument(self, begin: int) -> None:
        """What was read since the last comma is one argument."""
        if len(self.parts) == 1:
            self.arguments += self.parts
        else:
            first, last = (self.parts[0].span.start, self.parts[-1].span.end) if self.parts else (self.begin, self.begin)
            self.arguments.append(Phrase(self.source.span(first, last), tuple(self.parts)))
        self.begin, self.parts = begin, []

    def closed(self, end: int) -> Group:
        if self.arguments or self.parts:
            self.next_argument(end)
        bracket = cast(Bracket, self.source.text[self.opening])
        return Group(self.source.span(self.opening, end), bracket, tuple(self.arguments))


def _fail(code: str, message: str, span: Span, hint: str) -> NoReturn:
    raise InputError([Diagnostic(code, message, span, hint)])
