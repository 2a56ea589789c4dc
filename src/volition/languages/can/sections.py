"""Division of a ``.can`` file into sections and statements. They are parsed separately, so that one
syntax error does not hide the others.

The public CAN tool marks sections with comment lines (``// Plan library``), and so do the sections
that Volition adds. Any other text after ``//`` is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from volition.diagnostics import Diagnostics, Source, nearest
from volition.languages.common.duplicates import duplicates
from volition.languages.common.sections import (
    Heading,
    blank_comments,
    find_headings,
    find_preamble,
    split_sections,
)

__all__ = ["HEADERS", "NAME", "Kind", "Statement", "split"]

Kind = Literal[
    "beliefs",
    "events",
    "plans",
    "actions",
    "parameters",
    "background",
    "labels",
    "rewards",
    "policies",
    "decisions",
    "properties",
]

HEADERS: dict[Kind, str] = {
    "parameters": "Parameters",
    "beliefs": "Initial belief bases",
    "events": "External events",
    "plans": "Plan library",
    "actions": "Actions description",
    "background": "Background",
    "labels": "Labels",
    "rewards": "Rewards",
    "policies": "Policies",
    "decisions": "Decisions",
    "properties": "Properties",
}
"""Canonical header of each section, in the order in which sections are printed."""

_SPELLINGS: dict[str, Kind] = {title.lower(): kind for kind, title in HEADERS.items()} | {
    "initial beliefs": "beliefs",
    "initial belief base": "beliefs",
    "belief bases": "beliefs",
    "belief base": "beliefs",
    "beliefs": "beliefs",
    "external event": "events",
    "events": "events",
    "event": "events",
    "plans": "plans",
    "plan": "plans",
    "actions": "actions",
    "action": "actions",
    "parameter": "parameters",
    "background change": "background",
    "label": "labels",
    "reward": "rewards",
    "policy": "policies",
    "decision": "decisions",
    "property": "properties",
}

NAME = r"[0-9]*[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z_][A-Za-z0-9_]*)*"
"""Regular expression for names. The public CAN tool allows leading digits and inner hyphens. A
hyphen before a digit is a minus sign."""

# Possessive quantifiers prevent backtracking, which would take cubic time on a comment with many
# spaces.
_COMMENT_LINE = re.compile(
    r"^[ \t]*+//[ \t]*+(?P<title>(?:[^\s:]++(?:[ \t]++(?=[^\s:]))?+)*+)[ \t]*+:?+[ \t\r]*+$",
    re.MULTILINE,
)
_FULL_STOP = re.compile(r"\.(?!\d)")
_BASE_NUMBER = re.compile(r"(?<![\w.])(\d{1,9})[ \t]*\.(?!\d)")
# An action ends where the next one begins: at a name with a colon. A name before an outcome is not
# the head of an action but the probability of that outcome.
_ACTION_HEAD = re.compile(rf"(?<![\w-]){NAME}\s*:(?!=|\s*<)")


@dataclass(frozen=True, slots=True)
class Statement:
    """Statement of a section of a ``.can`` file: the characters ``start`` to ``end`` of the source.

    ``number`` is the number of an initial belief base, if the statement is a numbered one.
    """

    kind: Kind
    start: int
    end: int
    number: int | None = None


def split(source: Source, diagnostics: Diagnostics) -> list[Statement]:
    """Return the statements of a ``.can`` file in order. The whole section of properties is one
    statement."""
    headings = _headings(source, diagnostics)
    hint = "sections start with " + ", ".join(f"'// {title}'" for title in HEADERS.values())
    if stray := find_preamble(headings, source):
        diagnostics.error("CAN002", "text before the first section", stray, hint=hint)
    elif not headings:
        diagnostics.error("CAN002", "this file has no sections", source.span(0, 0), hint=hint)
    bare = blank_comments(source.text)
    sections = split_sections(headings, source)
    return [
        each
        for section in sections
        for each in _statements(_kind(section.heading), bare, section.body.start, section.body.end)
    ]


def _headings(source: Source, diagnostics: Diagnostics) -> list[Heading]:
    """Return the comments that are section headers, and warn about comments that resemble one."""
    comments = find_headings(source.text, _COMMENT_LINE, source)
    headings = [each for each in comments if each.title.lower() in _SPELLINGS]
    for heading, first in duplicates([(_kind(each), each) for each in headings]):
        message = (
            f"duplicate section '// {HEADERS[_kind(heading)]}', first in line "
            f"{first.title_span.line}"
        )
        diagnostics.warning("CAN007", message, heading.title_span, hint="merge the two sections")
    for comment in comments:
        title = comment.title.lower()
        if title not in _SPELLINGS and (meant := nearest(title, _SPELLINGS, letters=5)):
            hint = f"did you mean '// {HEADERS[_SPELLINGS[meant]]}'?"
            diagnostics.warning(
                "CAN003", "this comment looks like a section header", comment.title_span, hint=hint
            )
    return headings


def _kind(heading: Heading) -> Kind:
    return _SPELLINGS[heading.title.lower()]


def _statements(kind: Kind, bare: str, begin: int, end: int) -> Iterator[Statement]:
    text = bare[begin:end]
    if not text.strip():
        return
    if kind == "beliefs":
        yield from _bases(bare, begin, end)
    elif kind == "actions":
        heads = [match.start() + begin for match in _ACTION_HEAD.finditer(text)]
        yield from _trimmed(kind, bare, [begin, *heads, end])
    elif kind in ("plans", "background", "labels", "rewards", "policies", "decisions"):
        stops = [match.end() + begin for match in _FULL_STOP.finditer(text)]
        yield from _trimmed(kind, bare, [begin, *stops, end])
    else:
        yield Statement(kind, begin, end)


def _bases(bare: str, begin: int, end: int) -> Iterator[Statement]:
    numbers = list(_BASE_NUMBER.finditer(bare, begin, end))
    limits = [number.start() for number in numbers] + [end]
    if bare[begin : limits[0]].strip():
        yield Statement("beliefs", begin, limits[0])
    for number, stop in zip(numbers, limits[1:], strict=True):
        yield Statement("beliefs", number.end(), stop, int(number[1]))


def _trimmed(kind: Kind, bare: str, limits: list[int]) -> Iterator[Statement]:
    """Yield the statements of a section. ``limits`` are the positions at which the text of the
    section is divided; divisions without text are skipped. ``bare`` is the source text without
    comments."""
    for start, end in pairwise(limits):
        if bare[start:end].strip():
            yield Statement(kind, start, end)
