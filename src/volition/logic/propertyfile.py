"""Property files: a text of properties, each with the result its author expects.

::

    // what the agent must never do
    // RESULT: true
    "no collision": A [ G !Bel(car, crashed) ]

    // RESULT: 0.6561
    Pmax=? [ F Bel(success1)
             & Bel(success2) ];

A property ends at ``;``, or at the end of a line when all its brackets are closed.  ``//`` starts a comment; a comment
``RESULT:`` belongs to the property before it on its line, or else to the next one.  Quotations may contain anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from volition.diagnostics import Diagnostic, InputError, Source, Span

__all__ = ["StatedProperty", "read_properties"]

_NAME = re.compile(r'\s*(?:"(?P<quoted>[^"\n]*)"|(?P<plain>[^\W\d]\w*))\s*:(?!=)')
_PIECE = re.compile(r'//(?P<comment>[^\n]*)|"[^"\n]*"|[^/"]|.', re.DOTALL)
_RESULT = re.compile(r"\s*RESULT\s*:\s*(?P<value>.*?)\s*$")


@dataclass(frozen=True, slots=True)
class StatedProperty:
    """A property that a file carries, with the result its author expects (as written), if any.

    ``text`` is the formula, ``span`` its place in the file; ``name`` is a title for people, if the file gives one.
    """

    text: str
    span: Span
    expected: str | None = None
    name: str | None = None


def read_properties(source: Source, *, start: int = 0, end: int | None = None) -> tuple[StatedProperty, ...]:
    """The properties in ``source.text[start:end]``, unparsed; raises :class:`InputError` for a result that is not that of one property."""
    found: list[StatedProperty] = []
    expected: tuple[str, Span] | None = None
    for piece, span in _pieces(source, start, len(source.text) if end is None else end):
        if piece == "comment":
            result = _RESULT.match(span.text[2:])
            beside = bool(found) and not source.text[found[-1].span.end : span.start].strip(" \t;")
            if result and (found[-1].expected if beside else expected) is not None:
                raise InputError([Diagnostic("LOG016", "this property has a result already", span, "leave one of the two out")])
            if result and beside:
                found[-1] = replace(found[-1], expected=result["value"])
            elif result:
                expected = result["value"], span
            continue
        stated = _stated(span, expected[0] if expected else None)
        if stated is not None:
            found.append(stated)
            expected = None
    if expected is not None:
        raise InputError(
            [Diagnostic("LOG011", "there is no property below this result", expected[1], "write the property on the next line")]
        )
    return tuple(found)


def _stated(span: Span, expected: str | None) -> StatedProperty | None:
    """A property without its name and the white space around it."""
    named = _NAME.match(span.text)
    offset = span.start + (named.end() if named else 0)
    text = span.source.text[offset : span.end]
    offset += len(text) - len(text.lstrip())
    text = text.strip()
    if not text:
        return None
    name = (named["quoted"] if named["quoted"] is not None else named["plain"]) if named else None
    return StatedProperty(text, span.source.span(offset, offset + len(text)), expected, name)


def _pieces(source: Source, start: int, end: int) -> Iterator[tuple[str, Span]]:
    """Comments and properties, in the order of the text."""
    begin, depth = start, 0
    for match in _PIECE.finditer(source.text, start, end):
        text = match.group()
        if match["comment"] is not None:
            if depth <= 0:
                yield "property", source.span(begin, match.start())
                begin = match.end()
            yield "comment", source.span(match.start(), match.end())
            continue
        depth += (text in "([{") - (text in ")]}")
        if depth <= 0 and text in ";\n":
            yield "property", source.span(begin, match.start())
            begin, depth = match.end(), 0
    yield "property", source.span(begin, end)
