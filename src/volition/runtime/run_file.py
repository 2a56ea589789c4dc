"""Reader of run files, which configure how a program runs: ``NAME.run`` beside the program
(``docs/guides/running.md``).

``NAME`` is the name of the program's file, or of its folder if the program has several files. A run
file has lines ``key = value``, comments ``//``, and sections ``[title]``, which other modules
parse.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from volition.diagnostics import Diagnostics, Source, Span
from volition.languages.common.sections import (
    blank_comments,
    content_lines,
    find_headings,
    split_sections,
)
from volition.languages.common.settings import (
    EnumSetting,
    IntegerSetting,
    RationalSetting,
    SettingType,
    read_value,
    report_duplicate,
    report_unknown,
)
from volition.languages.common.trust import read_source
from volition.languages.protocols import Program

__all__ = ["LINE", "SECTIONS", "RunFile", "RunFileEntry", "WorldKind", "run_file_of"]

WorldKind = Literal["simulated", "vessel", "bridge", "python"]
SelectorKind = Literal["first", "random", "verified"]

SECTIONS = ("verification",)
"""The section titles that a run file may have."""

_HEADING = re.compile(r"^[ \t]*\[(?P<title>[^\]\n]*)\][ \t\r]*$", re.MULTILINE)
LINE = re.compile(r"(?P<key>\w++)(?P<about>[ \t][^=]*+)?=[ \t]*(?P<value>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class RunFileEntry:
    """One line ``key about = value`` of a run file. ``about`` is the name of an action or skill
    that follows the key, or empty. ``span`` is the position of the value."""

    about: str
    value: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class RunFile:
    """The contents of a run file. The defaults of the fields apply to missing keys and to programs
    without a run file."""

    folder: Path
    world: WorldKind = "simulated"
    mission: Path | None = None
    cycle: float = 1.0
    cycles: int | None = None
    stop_conditions: tuple[RunFileEntry, ...] = ()
    selector: SelectorKind | None = None
    skills: tuple[RunFileEntry, ...] = ()
    failures: tuple[RunFileEntry, ...] = ()
    on_disconnect: tuple[RunFileEntry, ...] = ()
    bridge: str | None = None
    """The address on which the bridge to other processes listens."""
    run: str | None = None
    """The name under which other processes address this run."""
    peers: tuple[RunFileEntry, ...] = ()
    """The names of the processes whose connection the run waits for."""
    sections: Mapping[str, Sequence[Span]] = field(default_factory=dict)
    """The lines of each section, by its title."""


_WORLDS: EnumSetting[WorldKind] = EnumSetting(
    {each: each for each in ("simulated", "vessel", "bridge", "python")}
)
_SELECTORS: EnumSetting[SelectorKind] = EnumSetting(
    {each: each for each in ("first", "random", "verified")}
)


@dataclass(frozen=True)
class _SecondsSetting:
    """Type of a run-file value: a duration of at least 0.001 seconds and less than a day."""

    def parse(self, text: str) -> float | None:
        number = RationalSetting(magnitude_below=86_400).parse(text)
        return float(number) if number is not None and number >= Fraction(1, 1000) else None

    def hint(self, _: str) -> str:
        return "give it a number of seconds between 0.001 and a day, such as 0.5"


@dataclass(frozen=True)
class _TextSetting:
    def parse(self, text: str) -> str | None:
        return text

    def hint(self, _: str) -> str:
        raise AssertionError("any text will do")


_SINGLE_KEYS: Mapping[str, SettingType[Any]] = {
    "world": _WORLDS,
    "mission": _TextSetting(),
    "cycle": _SecondsSetting(),
    "cycles": IntegerSetting(1, 10**12),
    "select": _SELECTORS,
    "bridge": _TextSetting(),
    "run": _TextSetting(),
}
"""The keys that a run file may have once, with the type of their value."""

_MULTI_KEYS: Mapping[str, tuple[str, Literal["none", "may", "must"]]] = {
    "end": ("stop_conditions", "none"),
    "skill": ("skills", "may"),
    "failure": ("failures", "must"),
    "lost": ("on_disconnect", "must"),
    "partner": ("peers", "none"),
}
"""The keys that a run file may have several times. For each key: the field of :class:`RunFile` that
collects its lines, and whether a name follows the key (never, optionally, or always)."""


def run_file_of(program: Program, diagnostics: Diagnostics) -> RunFile:
    """Return the contents of the run file beside a program, or the defaults if there is no such
    file. Errors go to ``diagnostics``."""
    head = Path(program.sources[0].name) if program.sources else Path()
    own = [head.with_suffix(".run")] if head.name else []
    if len(program.sources) > 1:
        own.append(head.parent / f"{head.resolve().parent.name}.run")
    path = next((each for each in own if each.is_file()), None)
    return (
        RunFile(head.parent) if path is None else _read(read_source(path), head.parent, diagnostics)
    )


def _read(source: Source, folder: Path, diagnostics: Diagnostics) -> RunFile:
    headings = find_headings(blank_comments(source.text), _HEADING, source)
    end = headings[0].span.start if headings else len(source.text)
    found = RunFile(folder)
    stated: list[tuple[str, Span | str]] = []
    for span in content_lines(source, 0, end):
        found = _with_line(found, span, stated, diagnostics)
    report_duplicate(stated, diagnostics)
    sections: dict[str, tuple[Span, ...]] = {}
    for section in split_sections(headings, source):
        title = section.heading.title.lower()
        if title not in SECTIONS:
            report_unknown(
                "RUN002",
                f"unknown section '{section.heading.title}'",
                title,
                SECTIONS,
                diagnostics,
                section.heading.title_span,
            )
        if title in sections:
            message = f"duplicate section '{section.heading.title}'"
            diagnostics.error(
                "RUN015",
                message,
                section.heading.title_span,
                hint="put all its lines under one title",
            )
        sections[title] = tuple(content_lines(source, section.body.start, section.body.end))
    return replace(found, sections=sections)


def _with_line(
    found: RunFile, span: Span, stated: list[tuple[str, Span | str]], diagnostics: Diagnostics
) -> RunFile:
    match = LINE.fullmatch(span.text)
    if match is None:
        diagnostics.error(
            "RUN001",
            "expected 'key = value'",
            span,
            hint="such as cycles = 1000; comments begin with //",
        )
        return found
    key, about, text = match["key"], (match["about"] or "").strip(), match["value"].strip()
    source_span = span.source.span(
        span.start + match.start("value"), span.start + match.end("value")
    )
    if key in _SINGLE_KEYS and not about:
        stated.append((key, span))
        message = f"invalid value '{text}' for the option '{key}'"
        value: Any = read_value(
            "RUN003", message, text, _SINGLE_KEYS[key], diagnostics, source_span
        )
        if value is None:
            return found
        part = "selector" if key == "select" else key
        return replace(found, **{part: found.folder / value if key == "mission" else value})
    if key in _MULTI_KEYS and _has_right_name(_MULTI_KEYS[key][1], about):
        part = _MULTI_KEYS[key][0]
        changed: Any = {part: (*getattr(found, part), RunFileEntry(about, text, source_span))}
        return replace(found, **changed)
    if key in (*_SINGLE_KEYS, *_MULTI_KEYS):
        what = (
            f"expected a name after '{key}'" if not about else f"unexpected '{about}' after '{key}'"
        )
        hint = f"write '{key} ACTION = ...'" if not about else f"write '{key} = {text}'"
        diagnostics.error("RUN001", what, span, hint=hint)
    else:
        report_unknown(
            "RUN002", f"unknown key '{key}'", key, [*_SINGLE_KEYS, *_MULTI_KEYS], diagnostics, span
        )
    return found


def _has_right_name(requested: Literal["none", "may", "must"], about: str) -> bool:
    return requested == "may" or (requested == "must") == bool(about)
