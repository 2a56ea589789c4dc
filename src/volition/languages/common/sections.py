"""Texts with titled sections and ``//`` comments: where the titles and what belongs to them are,
and what a misspelt one means.

A language finds its titles in its own way and says with its own codes what is wrong with them.
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
"""Up to the end of the line, the same in every file of every language."""


def blank_comments(text: str) -> str:
    """The text with spaces in the place of its comments: every place is still that of the
    source."""
    return _COMMENT.sub(lambda comment: " " * len(comment[0]), text)


@dataclass(frozen=True, slots=True)
class Heading:
    """Where a section begins: its title, with single spaces and at its place, and the whole heading
    around that."""

    title: str
    title_span: Span
    span: Span


@dataclass(frozen=True, slots=True)
class Section:
    """What stands below a heading, up to the next one."""

    heading: Heading
    body: Span


def find_headings(text: str, pattern: re.Pattern[str], source: Source) -> list[Heading]:
    """The headings that match a pattern, whose group ``title`` is the title; ``text`` has the
    places of the source."""
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
    """The sections of a text, in their order."""
    ends = [*(each.span.start for each in headings[1:]), len(source.text)]
    return [
        Section(each, source.span(each.span.end, end))
        for each, end in zip(headings, ends, strict=False)
    ]


def find_preamble(headings: Sequence[Heading], source: Source) -> Span | None:
    """The first line that says something and stands before the first heading: it belongs to no
    section."""
    end = headings[0].span.start if headings else len(source.text)
    return next(iter(content_lines(source, 0, end)), None)


def content_lines(source: Source, start: int, end: int) -> Iterator[Span]:
    """The lines of a part of a text that say something, without their comments and the white space
    around them."""
    for line in re.finditer(r"[^\n]+", blank_comments(source.text[start:end])):
        first = start + line.start() + len(line[0]) - len(line[0].lstrip())
        if length := len(line[0].strip()):
            yield source.span(first, first + length)
