"""Layout of a Dribble program: its sections and statements.

A section begins with its name and a colon at the start of a line. Its statements are indented; a
line that is indented deeper than the first line of its section continues the statement above. Text
after the colon is also a statement::

    len_max: 12
    goal rules:
      g1 = c1 -> if r1 then cR
                 else mL; cR

Statements are parsed separately, so that all errors of a program are reported at once.
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
"""Name of the section with the bound on plans. The section is a single number, and two numbers
cannot be merged. So the error "duplicate section", with the hint to merge the sections, is not
reported for it."""

SECTIONS = {
    SETTING: "number",
    "beliefs": "formulas",
    "goals": "formulas",
    "actions": "action",
    "abstract plans": "names",
    "goal rules": "goal_rule",
    "revision rules": "revision_rule",
}
"""Map from the name of each section to the grammar rule for its statements. The section
``properties`` is missing because it has its own reader."""

_HEADING = re.compile(r"(?P<title>[^\s:/](?:[^:\n/]*[^\s:/])?)[^\S\n]*+:")


@dataclass(frozen=True, slots=True)
class Layout:
    """Layout of a Dribble program: the positions of the statements of each section, and of the
    section of properties, if there is one."""

    statements: dict[str, list[Span]]
    properties: Span | None


def read_layout(source: Source, found: Diagnostics) -> Layout:
    """Return the layout of a Dribble program. Report an error for text outside of the sections."""
    statements: dict[str, list[Span]] = {section: [] for section in SECTIONS}
    properties: Span | None = None
    for section in split_sections(_headings(source, found), source):
        if section.heading.title == PROPERTIES:
            properties = section.body
        elif section.heading.title in SECTIONS:
            statements[section.heading.title] += _statements(section.body)
    return Layout(statements, properties)


def _headings(source: Source, found: Diagnostics) -> list[Heading]:
    """Return the section headings of a program. A misspelt title is reported as an error and read
    as the intended title.

    Every line without indentation counts as a heading, so that it ends the section above it. If it
    is not a heading, it is reported.
    """
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
                f"unknown section '{title}'" if title else "text outside a section",
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
