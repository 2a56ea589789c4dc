"""Reader of reasoning files (``.sej``): five sections with titles in capitals, each a list of
statements (Izzo, Sect. 3.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from volition.diagnostics import Diagnostics, Source, Span, nearest
from volition.languages.common.sections import find_headings, find_preamble, split_sections
from volition.languages.lisa.grammar import StatementReader
from volition.languages.lisa.syntax import (
    ClassUse,
    PerceptEntry,
    PlanEntry,
    PlanStep,
    ReasoningFile,
    ReasoningRule,
)

__all__ = ["read_reasoning_file"]

INITIAL_BELIEFS, INITIAL_ACTIONS, PERCEPTION, REASONING, PLANS = SECTIONS = (
    "INITIAL BELIEFS AND GOALS",
    "INITIAL ACTIONS",
    "PERCEPTION PROCESS",
    "REASONING",
    "EXECUTABLE PLANS",
)

_TITLE = re.compile(
    rf"^[ \t]*(?P<title>[A-Z]{{2}}[A-Z ]*[A-Z]|(?i:{'|'.join(SECTIONS)}))[ \t:]*$", re.MULTILINE
)
"""Pattern of a section title. It also matches titles that are not in capital letters, so that they
can be reported."""
_IF = re.compile(r"^[ \t]*(?=if\b)", re.MULTILINE | re.IGNORECASE)
_THEN = re.compile(r"\bthen\b", re.IGNORECASE)
_CONDITIONAL = re.compile(r"^[ \t]*if\b[^.]*?\bthen\b", re.MULTILINE | re.IGNORECASE)
_PLAN = re.compile(r"^[ \t]*if\b(?:(?!\bthen\b)[^.])*\bwhile\b", re.MULTILINE | re.IGNORECASE)
_SENTENCE = re.compile(r"\[[^\[\]]*\]")
_MONITOR = re.compile(
    r"[ \t]*monitor\b(?P<words>[^:.{\n]*?)(?P<what>\w+)[ \t]*:[ \t]*", re.IGNORECASE
)

Range = tuple[int, int]


def read_reasoning_file(source: Source, diagnostics: Diagnostics) -> ReasoningFile:
    """Return the syntax tree of a reasoning file. Statements with errors are left out and reported
    to ``diagnostics``."""
    return _Reader(source, diagnostics).read()


class _Reader:
    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self._source = source
        self._diagnostics = diagnostics
        self._statements = StatementReader(source, diagnostics)
        self._text = self._statements.text
        """Text of the file with comments replaced by blanks, so that positions stay the same."""
        self._words = _SENTENCE.sub(lambda sentence: re.sub(r"[^\n]", " ", sentence[0]), self._text)
        """Text of the file with comments and sentences replaced by blanks, so that every remaining
        ``if`` or ``then`` is a keyword."""

    def read(self) -> ReasoningFile:
        sections = self._sections()
        percepts, objects = self._perception(sections[PERCEPTION])
        initial_beliefs = (
            self._statements.initial_belief(*each)
            for each in self._lines(sections[INITIAL_BELIEFS])
        )
        initial_actions = (
            self._statements.initial_action(*each)
            for each in self._lines(sections[INITIAL_ACTIONS])
        )
        return ReasoningFile(
            tuple(each for each in initial_beliefs if each),
            tuple(each for each in initial_actions if each),
            tuple(percepts),
            tuple(objects),
            tuple(self._rules(sections[REASONING])),
            tuple(self._plans(sections[PLANS])),
        )

    # --- reading of sections ----------------------------------------------------------------------

    def _sections(self) -> dict[str, Range]:
        """Return the range of text of each section's contents, by the section's title. A missing
        section has an empty range."""
        headings = find_headings(self._text, _TITLE, self._source)
        known = f"sections are {', '.join(SECTIONS)}"
        if stray := find_preamble(headings, self._source):
            self._diagnostics.error(
                "LIS010",
                "text before the first section",
                stray,
                hint=f"the first section is {INITIAL_BELIEFS}",
            )
        elif not headings:
            self._diagnostics.error(
                "LIS010", "this file has no sections", self._source.span(0, 0), hint=known
            )
        found: dict[str, Range] = {}
        for section in split_sections(headings, self._source):
            title, span = section.heading.title, section.heading.title_span
            meant = nearest(title.upper(), SECTIONS)
            if title not in SECTIONS:
                hint = f"did you mean '{meant}'?" if meant else known
                self._diagnostics.error("LIS011", f"unknown section '{title}'", span, hint=hint)
            elif title in found:
                self._diagnostics.error(
                    "LIS012", f"duplicate section '{title}'", span, hint="write it as one section"
                )
            found.setdefault(meant or title, (section.body.start, section.body.end))
        for name in (INITIAL_BELIEFS, INITIAL_ACTIONS, PERCEPTION):
            self._split(found, name, _CONDITIONAL, "a rule or plan", REASONING)
        self._split(found, REASONING, _PLAN, "a plan", PLANS)
        return {name: found.get(name, (0, 0)) for name in SECTIONS}

    def _split(
        self, found: dict[str, Range], name: str, pattern: re.Pattern[str], what: str, belongs: str
    ) -> None:
        """Report the first statement of the section ``name`` that belongs to the later section
        ``belongs``. ``pattern`` matches such statements.

        The title of the later section may be missing. Therefore the section ``name`` is ended
        before this statement. If the section ``belongs`` was not found, it begins there.
        """
        start, end = found.get(name, (0, 0))
        if misplaced := pattern.search(self._words, start, end):
            line = next(self._lines((misplaced.start(), end)))
            self._error(
                "LIS016",
                f"{what} is not allowed in the section {name}",
                line,
                f"move it to {belongs}",
            )
            found[name] = (start, misplaced.start())
            found.setdefault(belongs, (misplaced.start(), end))

    def _perception(self, section: Range) -> tuple[list[PerceptEntry], list[ClassUse]]:
        """Return the contents of the section PERCEPTION PROCESS: the percepts, from its lists of
        booleans and messages, and the objects, each with its class in the ontology."""
        percepts: list[PerceptEntry] = []
        objects: list[ClassUse] = []
        monitored, seen = "booleans", set[str]()
        for start, end in self._lines(section):
            if heading := _MONITOR.fullmatch(self._text, start, end):
                monitored, index = heading["what"].lower(), heading.span("what")
                known = ("booleans", "messages", "objects")
                if monitored not in known:
                    self._error(
                        "LIS013",
                        f"unknown kind of percept '{heading['what']}'",
                        index,
                        f"expected one of {', '.join(known)}",
                    )
                elif heading["words"].lower().split() not in ([], ["the", "following"]):
                    message = f"unexpected '{heading['words'].strip()}' in the heading of a list"
                    self._error(
                        "LIS013",
                        message,
                        heading.span("words"),
                        f"write 'Monitor the following {monitored}:'",
                    )
                elif monitored in seen:
                    self._error(
                        "LIS012", f"duplicate list of {monitored}", index, "merge the two lists"
                    )
                seen.add(monitored)
            elif monitored == "objects":
                if entry := self._statements.object(start, end):
                    objects.append(entry)
            elif percept := self._statements.percept(
                start, end, is_message=monitored == "messages"
            ):
                percepts.append(percept)
        return percepts, objects

    def _rules(self, section: Range) -> Iterator[ReasoningRule]:
        for start, end in self._conditionals(section):
            if rule := self._statements.rule(start, end):
                yield rule

    def _plans(self, section: Range) -> Iterator[PlanEntry]:
        for number, (start, end) in enumerate(self._conditionals(section), 1):
            then = _THEN.search(self._words, start, end)
            body = then.end() if then else end
            header = self._statements.header(start, body)
            steps: list[PlanStep] = []
            lines = list(self._lines((body, end)))
            for line in lines:
                steps += self._statements.steps(*line) or []
            if then and not lines:
                self._error("LIS014", f"plan {number} has no actions", (start, body))
            if header:
                yield PlanEntry(number, *header, tuple(steps), self._source.span(start, body))

    # --- division of sections into statements -----------------------------------------------------

    def _conditionals(self, section: Range) -> list[Range]:
        """Return the ranges of the statements in a section of rules or plans, where each statement
        starts with a line ``If ...``."""
        starts = [match.end() for match in _IF.finditer(self._words, *section)]
        leading = (section[0], starts[0] if starts else section[1])
        for line in self._lines(leading):
            self._error("LIS015", "a rule or plan must start with 'If'", line)
        return [self._trimmed(index) for index in pairwise([*starts, section[1]])]

    def _lines(self, section: Range) -> Iterator[Range]:
        """Yield the ranges of the statements in a section where each statement has its own line.

        A line with an open bracket continues on the next line, unless the next line starts with a
        letter in its first column.
        """
        start, depth = section[0], 0
        for position in range(*section):
            character = self._text[position]
            depth += (character in "[{(") - (character in "]})")
            at_end = character == "\n" and (
                depth <= 0 or self._text[position + 1 : position + 2].isalpha()
            )
            if at_end or position == section[1] - 1:
                line = self._trimmed((start, position + 1))
                start, depth = position + 1, 0
                if line[0] < line[1]:
                    yield line

    def _trimmed(self, position: Range) -> Range:
        text = self._text[slice(*position)]
        return position[0] + len(text) - len(text.lstrip()), position[0] + len(text.rstrip())

    def _error(self, code: str, message: str, position: Range, hint: str | None = None) -> None:
        self._diagnostics.error(code, message, Span(self._source, *position), hint=hint)
