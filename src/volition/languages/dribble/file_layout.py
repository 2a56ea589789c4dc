"""How the text of a Dribble program falls into sections and statements.

A section begins with its name and a colon at the beginning of a line.  Its statements are indented;
a line that is indented deeper than the first one of its section continues the statement above it.
What stands behind the colon is a statement too::

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
from itertools import pairwise

from volition.diagnostics import Diagnostics, Source, Span, did_you_mean, nearest
from volition.languages.common.sections import Heading, content_lines, split_sections

__all__ = ["PROPERTIES", "SECTIONS", "Layout", "read_layout"]

PROPERTIES = "properties"
SETTING = "len_max"
"""The section with a number, which is not to be merged with another one."""

SECTIONS = {
    SETTING: "number",
    "beliefs": "formulas",
    "goals": "formulas",
    "actions": "action",
    "abstract plans": "names",
    "goal rules": "goal_rule",
    "revision rules": "revision_rule",
}
"""Each section with the rule of the grammar for its statements; the section of properties has a
reader of its own."""

_HEADING = re.compile(r"(?P<title>[^\s:/](?:[^:\n/]*[^\s:/])?)[^\S\n]*+:")


@dataclass(frozen=True, slots=True)
class Layout:
    """The statements of each section, and where the properties stand, if the program has some."""

    statements: dict[str, list[Span]]
    properties: Span | None


def read_layout(source: Source, found: Diagnostics) -> Layout:
    """The sections of a program; what is in no section is reported."""
    statements: dict[str, list[Span]] = {section: [] for section in SECTIONS}
    properties: Span | None = None
    for section in split_sections(_headings(source, found), source):
        if section.heading.title == PROPERTIES:
            properties = section.body
        elif section.heading.title in SECTIONS:
            statements[section.heading.title] += _statements(section.body)
    return Layout(statements, properties)


def _headings(source: Source, found: Diagnostics) -> list[Heading]:
    """Where sections begin; a misspelt title is read as the one that is meant, and a line at the
    margin ends a section in any case."""
    known = [*SECTIONS, PROPERTIES]
    headings: list[Heading] = []
    for line in content_lines(source, 0, len(source.text)):
        at_margin = _indent(line) == 0
        titled = _HEADING.match(source.text, line.start, line.end) if at_margin else None
        title = " ".join(titled["title"].split()) if titled else ""
        span = source.span(*titled.span()) if titled else line
        if title in known:
            if title != SETTING and any(each.title == title for each in headings):
                found.error(
                    "DRB003", f"duplicate section '{title}'", span, hint="merge the two sections"
                )
            headings.append(Heading(title, span, span))
        elif not headings or (at_margin and headings[-1].title != PROPERTIES):
            hint = (
                did_you_mean(title, known)
                or f"statements are indented below their section; sections are {', '.join(known)}"
            )
            found.error(
                "DRB002",
                f"unknown section '{title}'" if title else "text outside of a section",
                line,
                hint=hint,
            )
            meant = nearest(title, known)
            headings.append(Heading(meant, span, span) if meant else Heading(title, line, line))
    return headings


def _statements(body: Span) -> Iterator[Span]:
    lines = list(content_lines(body.source, body.start, body.end))
    if lines:
        margin = 0 if lines[0].line == body.line else _indent(lines[0])
        starts = [lines[0].start, *(line.start for line in lines[1:] if _indent(line) <= margin)]
        yield from (body.source.span(start, end) for start, end in pairwise([*starts, body.end]))


def _indent(line: Span) -> int:
    before = line.source.text[line.source.text.rfind("\n", 0, line.start) + 1 : line.start]
    return len(before.expandtabs())
