"""How the text of a Dribble program falls into sections and statements.

A section begins with its name and a colon at the beginning of a line.  Its statements are indented; a line that is indented
deeper than the first one of its section continues the statement above it.  What stands behind the colon is a statement too::

    len_max: 12
    goal rules:
      g1 = c1 -> if r1 then cR
                 else mL; cR

Statements are parsed one by one, so that every mistake in a program is reported at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise

from volition.diagnostics import Diagnostics, Source, Span, did_you_mean

__all__ = ["PROPERTIES", "SECTIONS", "Layout", "read_layout"]

PROPERTIES = "properties"
SECTIONS = {
    "len_max": "number",
    "beliefs": "formulas",
    "goals": "formulas",
    "actions": "action",
    "abstract plans": "names",
    "goal rules": "goal_rule",
    "revision rules": "revision_rule",
}
"""Each section with the rule of the grammar for its statements; the section of properties has a reader of its own."""

_HEADING = re.compile(r"(?P<name>[^\s:/][^:\n/]*?)[ \t]*:")
_INDENT = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Layout:
    """The statements of each section, and where the properties stand, if the program has some."""

    statements: dict[str, list[Span]]
    properties: Span | None


def read_layout(source: Source, found: Diagnostics) -> Layout:
    """The sections of a program; what is in no section is reported."""
    statements: dict[str, list[Span]] = {section: [] for section in SECTIONS}
    properties: Span | None = None
    for heading, body in _sections(source, found):
        if heading == PROPERTIES:
            properties = body
        elif heading in SECTIONS:
            statements[heading] += _statements(body)
    return Layout(statements, properties)


def _sections(source: Source, found: Diagnostics) -> Iterator[tuple[str, Span]]:
    """Each section's name and what stands below it, up to the next one; a misspelt name is read as the one that is meant."""
    known = [*SECTIONS, PROPERTIES]
    headings: list[tuple[str, Span]] = []
    for line in _lines(source.span(0, len(source.text))):
        heading = _HEADING.match(source.text, line.start, line.end)
        name = " ".join(heading["name"].split()) if heading else ""
        if heading and name in known:
            place = source.span(line.start, heading.end())
            if name in dict(headings):
                found.error("DRB003", f"duplicate section '{name}'", place, hint="merge the two sections")
            headings.append((name, place))
        elif not headings or (_indent(line) == 0 and headings[-1][0] != PROPERTIES):
            hint = did_you_mean(name, known) or f"statements are indented below their section; sections are {', '.join(known)}"
            found.error("DRB002", f"unknown section '{name}'" if name else "text outside of a section", line, hint=hint)
            meant = next(iter(get_close_matches(name, known, n=1)), name)
            headings.append((meant, source.span(line.start, heading.end()) if heading and meant in known else line))
    ends = [*(place.start for _, place in headings), len(source.text)][1:]
    yield from ((name, source.span(place.end, end)) for (name, place), end in zip(headings, ends, strict=True))


def _statements(body: Span) -> Iterator[Span]:
    lines = list(_lines(body))
    if lines:
        margin = 0 if lines[0].line == body.line else _indent(lines[0])
        starts = [lines[0].start, *(line.start for line in lines[1:] if _indent(line) <= margin)]
        yield from (body.source.span(start, end) for start, end in pairwise([*starts, body.end]))


def _lines(body: Span) -> Iterator[Span]:
    """The lines that are more than white space and comments."""
    start = body.start
    for text in body.text.splitlines(keepends=True):
        if text.split("//")[0].strip():
            yield body.source.span(start, start + len(text.rstrip()))
        start += len(text)


def _indent(line: Span) -> int:
    indentation = _INDENT.match(line.source.text, line.start)
    return len(indentation.group().expandtabs()) if indentation else 0
