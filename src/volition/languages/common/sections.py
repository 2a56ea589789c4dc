"""Reading of texts with titled sections and ``//`` comments: positions of the headings and of the
text below them.

Each language defines the pattern of its headings and reports errors with its own codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from volition.diagnostics import Source, Span

__all__ = [
    "Heading",
    "Section",
    "blank_comments",
    "content_lines",
    "find_headings",
    "find_preamble",
    "split_sections",
]

_COMMENT = re.compile(r"//[^\n]*")
"""Comment: ``//`` up to the end of the line, the same in all languages."""


def blank_comments(text: str) -> str:
    """Return the text with comments replaced by spaces, so that positions stay the same."""
    return _COMMENT.sub(lambda comment: " " * len(comment[0]), text)


@dataclass(frozen=True, slots=True)
class Heading:
    """Heading of a section. ``title`` is the title with single spaces between its words,
    ``title_span`` the span of the title, and ``span`` the span of the whole heading."""

    title: str
    title_span: Span
    span: Span


@dataclass(frozen=True, slots=True)
class Section:
    """Section of a text: a heading and the text up to the next heading."""

    heading: Heading
    body: Span


def find_headings(text: str, pattern: re.Pattern[str], source: Source) -> list[Heading]:
    """Return the headings of a text: the matches of ``pattern``, whose group ``title`` is the
    title.

    ``text`` must have the same positions as the text of ``source``; its comments may be blanked.
    """
    found = pattern.finditer(text)
    return [
        Heading(
            " ".join(each["title"].split()),
            source.span(*each.span("title")),
            source.span(*each.span()),
        )
        for each in found
    ]


def split_sections(headings: Sequence[Heading], source: Source) -> list[Section]:
    """Return the sections of a text in order."""
    ends = [*(each.span.start for each in headings[1:]), len(source.text)]
    return [
        Section(each, source.span(each.span.end, end))
        for each, end in zip(headings, ends, strict=False)
    ]


def find_preamble(headings: Sequence[Heading], source: Source) -> Span | None:
    """Return the first line with content before the first heading, or None. Such a line does not
    belong to any section."""
    end = headings[0].span.start if headings else len(source.text)
    return next(iter(content_lines(source, 0, end)), None)


def content_lines(source: Source, start: int, end: int) -> Iterator[Span]:
    """Yield the spans of the lines with content between two positions of a source, without comments
    and surrounding white space."""
    for line in re.finditer(r"[^\n]+", blank_comments(source.text[start:end])):
        first = start + line.start() + len(line[0]) - len(line[0].lstrip())
        if length := len(line[0].strip()):
            yield source.span(first, first + length)
