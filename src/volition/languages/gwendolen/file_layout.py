"""Layout of a ``.gwen`` or ``.eass`` file: its agents, their sections, and the statements in each
section.

A file has a header (``GWENDOLEN`` or ``EASS``) and one block per agent, with titled sections. Each
statement is parsed separately, so that an error in one does not hide errors in the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from volition.diagnostics import Diagnostics, Source, Span, did_you_mean, nearest
from volition.languages.gwendolen.syntax import Cycle

__all__ = [
    "BELIEFS",
    "CAPABILITIES",
    "GOALS",
    "PLANS",
    "RULES",
    "AgentBlock",
    "blank_comments",
    "blocks_in",
    "line_entries",
    "statements",
]

NAME, ABSTRACTION = "name", "abstraction"
BELIEFS, RULES, CAPABILITIES, GOALS, PLANS = (
    "Initial Beliefs",
    "Reasoning Rules",
    "Capabilities",
    "Initial Goals",
    "Plans",
)
_SECTIONS = (BELIEFS, RULES, CAPABILITIES, GOALS, PLANS)
_TITLES = (NAME, ABSTRACTION, *_SECTIONS)
_LEGACY_TITLES = {"belief rules": RULES}
"""Section titles of older programs, in lower case, with their present titles."""
_HEADERS: dict[str, Cycle] = {"GWENDOLEN": "gwendolen", "EASS": "eass"}

_REMARK = re.compile(r"""//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?P<end>\*/)?|"[^"\n]*"|'[^'\n]*'""")
_HEADING = re.compile(
    r"(?<!\w):[ \t]*(?P<title>[A-Za-z]+(?:[ \t]+[A-Za-z]+)*)[ \t]*:|^[ "
    r"\t]*(?P<header>GWENDOLEN|EASS)\b",
    re.MULTILINE,
)
_WORD = re.compile(r"\s*([A-Za-z]\w*)")
_ABSTRACTION_ENGINE = "abstraction_"
"""Prefix of the names of abstraction engines: ``abstraction_car`` is the engine of ``car``."""


def blank_comments(text: str, *, quotations: bool = True) -> str:
    """Return the text with comments replaced by spaces, so that positions stay the same. If
    ``quotations`` is set, replace quoted strings as well.

    A comment that is never closed stays unchanged, with everything after it.
    """

    def blank(remark: re.Match[str]) -> str:
        if remark[0].startswith("/*") and remark["end"] is None:
            return remark[0]
        return re.sub(r"[^\n]", " ", remark[0]) if quotations or remark[0][0] == "/" else remark[0]

    return _REMARK.sub(blank, text)


@dataclass
class AgentBlock:
    """Block of one agent in a program file: its name and the text of its sections, by title."""

    name: str
    span: Span
    cycle: Cycle
    abstracts: str | None = None
    sections: dict[str, Span] = field(default_factory=dict)


def blocks_in(
    source: Source, cycle: Cycle, agent: str, diagnostics: Diagnostics
) -> list[AgentBlock]:
    """Return the agent blocks of a program file.

    ``cycle`` and ``agent`` are defaults for programs as printed in papers: ``cycle`` is the
    language of a file without a header, ``agent`` is the agent's name in a file without agent
    names.
    """
    return _Layout(source, cycle, agent, diagnostics).blocks()


class _Layout:
    def __init__(self, source: Source, cycle: Cycle, agent: str, diagnostics: Diagnostics) -> None:
        self._source = source
        self._text = blank_comments(source.text)
        self._cycle = cycle
        self._agent = agent
        self._diagnostics = diagnostics
        self._blocks: list[AgentBlock] = []

    def blocks(self) -> list[AgentBlock]:
        found = list(_HEADING.finditer(self._text))
        self._check_preamble(found[0].start() if found else len(self._text))
        for before, here, end in zip(
            [None, *found],
            found,
            [*(each.start() for each in found[1:]), len(self._text)],
            strict=False,
        ):
            if here["header"] is not None:
                self._cycle = _HEADERS[here["header"]]
                self._report_second_header(before, here)
                self._report_stray_text(here.end(), end, "the header")
            else:
                self._section(
                    self._source.span(*here.span()),
                    " ".join(here["title"].split()),
                    self._source.span(here.end(), end),
                )
        if not self._blocks and not self._diagnostics.errors:
            hint = (
                "a program begins with GWENDOLEN or EASS and has a block for each agent: :name: "
                "ag1, :Initial Beliefs:, ..., :Plans:"
            )
            self._diagnostics.error(
                "GWN002", "no agent in this file", self._source.span(0, 1), hint=hint
            )
        return self._blocks

    def _check_preamble(self, end: int) -> None:
        text = self._text[:end].strip()
        if not text:
            return
        start = self._text.index(text[0])
        word = re.split(r"[\s:]", text)[0]
        hint = did_you_mean(word.upper(), _HEADERS) or "a program begins with GWENDOLEN or EASS"
        self._diagnostics.error(
            "GWN003",
            f"unexpected '{word}' before the first section",
            self._source.span(start, start + len(word)),
            hint=hint,
        )

    def _report_second_header(self, before: re.Match[str] | None, here: re.Match[str]) -> None:
        """Report a header ``GWENDOLEN`` or ``EASS`` that directly follows another one. One of the
        two has no effect."""
        if before is not None and before["header"] is not None:
            first = self._source.span(*before.span("header"))
            hint = f"the first is in line {first.line}: remove one of them"
            self._diagnostics.error(
                "GWN008",
                f"duplicate header '{here['header']}'",
                self._source.span(*here.span("header")),
                hint=hint,
            )

    def _report_stray_text(self, start: int, end: int, where: str) -> None:
        """Report text between two positions where no text is allowed, for example after an agent's
        name. ``where`` describes the place in the message."""
        text = self._text[start:end]
        if word := text.strip():
            index = start + text.index(word[0])
            shown = word.split()[0]
            hint = "write the title of a section before it, such as :Initial Beliefs:"
            self._diagnostics.error(
                "GWN003",
                f"unexpected '{shown}' after {where}",
                self._source.span(index, index + len(shown)),
                hint=hint,
            )

    def _section(self, heading: Span, title: str, body: Span) -> None:
        known = _LEGACY_TITLES.get(title.lower()) or next(
            (each for each in _TITLES if each.lower() == title.lower()), None
        )
        if known is None:
            known = nearest(title, _TITLES)
            hint = (
                did_you_mean(title, _TITLES)
                or f"the sections are {', '.join(f':{each}:' for each in _TITLES)}"
            )
            self._diagnostics.error("GWN004", f"unknown section ':{title}:'", heading, hint=hint)
        if known in (NAME, ABSTRACTION):
            self._begin(known, heading, body)
        elif known is not None:
            block = self._current(heading)
            if known in block.sections:
                first = block.sections[known].line
                hint = (
                    f"the first is in line {first}: merge the two, or begin another agent "
                    "with :name:"
                )
                self._diagnostics.error(
                    "GWN005",
                    f"duplicate section ':{known}:' of agent '{block.name}'",
                    heading,
                    hint=hint,
                )
            block.sections.setdefault(known, body)

    def _begin(self, title: str, heading: Span, body: Span) -> None:
        word = _WORD.match(self._text, body.start, body.end)
        if word is None:
            self._diagnostics.error(
                "GWN009", f"no name follows ':{title}:'", heading, hint=f"write :{title}: ag1"
            )
            name, span, end = "", heading, body.start
        else:
            name, span, end = word[1], self._source.span(*word.span(1)), word.end()
        self._report_stray_text(end, body.end, f"the name '{name}'")
        if title == ABSTRACTION and self._cycle != "eass":
            hint = "write EASS instead of GWENDOLEN at the beginning of the file"
            self._diagnostics.error(
                "GWN006",
                "a Gwendolen program cannot have an abstraction engine",
                heading,
                hint=hint,
            )
        engine = title == ABSTRACTION
        self._blocks.append(
            AgentBlock(
                f"{_ABSTRACTION_ENGINE}{name}" if engine else name,
                span,
                self._cycle,
                name if engine else None,
            )
        )

    def _current(self, heading: Span) -> AgentBlock:
        """Return the agent block to which the section with this heading belongs: the last block so
        far. If there is none, because ``:name:`` is missing, start a block with the default name.
        """
        if not self._blocks:
            message = f"this agent has no name, so it is called '{self._agent}'"
            self._diagnostics.warning(
                "GWN007",
                message,
                heading,
                hint=f"write :name: {self._agent} above its first section",
            )
            self._blocks.append(AgentBlock(self._agent, heading, self._cycle))
        return self._blocks[-1]


def statements(section: Span) -> Iterator[tuple[int, int]]:
    """Yield the start and end position of each rule or plan of a section.

    A statement ends with a semicolon outside of quotations and comments.
    """
    text = blank_comments(section.text)
    start = 0
    for end in [*(each.end() for each in re.finditer(";", text)), len(text)]:
        content = text[start:end].strip()
        if content:
            first = section.start + start + text[start:end].index(content[0])
            yield first, section.start + end
        start = end


def line_entries(section: Span) -> Iterator[tuple[int, int]]:
    """Yield the start and end position of each belief or goal in a section that has one per line.

    A line continues on the next one if a bracket is open, or if the next one starts with a goal's
    type such as ``[achieve]``.
    """
    masked, shown = blank_comments(section.text), blank_comments(section.text, quotations=False)
    begin, depth = 0, 0
    for piece in re.finditer(r"[(\[{]|[)\]}]|\n(?!\s*\[)|\Z", masked):
        if piece[0] and piece[0] in "([{":
            depth += 1
        elif piece[0] and piece[0] in ")]}":
            depth = max(0, depth - 1)
        elif not depth or not piece[0]:
            line = shown[begin : piece.start()]
            if line.strip():
                first = begin + len(line) - len(line.lstrip())
                yield section.start + first, section.start + begin + len(line.rstrip())
            begin = piece.end()
