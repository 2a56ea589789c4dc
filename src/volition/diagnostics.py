"""Errors and warnings as data: a stable code, a message, the place in the source, and what to do.

The library never prints.  It collects :class:`Diagnostic` values in a :class:`Diagnostics` list, so
that bad input gets all its mistakes reported at once, and raises one :class:`InputError` that
carries them.
:func:`render` turns a diagnostic into text for a terminal; :meth:`Diagnostic.as_json` into data.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

__all__ = [
    "Diagnostic",
    "Diagnostics",
    "InputError",
    "Severity",
    "Source",
    "Span",
    "at_settings",
    "did_you_mean",
    "escape_control_characters",
    "merge_similar",
    "nearest",
    "plural",
    "render",
    "suggested_fix",
]  # fmt: skip

Severity = Literal["error", "warning"]

_NUMBERS = re.compile(r"[0-9]{1,18}")
_QUOTED = re.compile(r"'([^']+)'")
_MEANT = re.compile(r"did you mean '([^']+)'\?")
_LONGEST_NAME = 200
"""Longer names are not compared: that takes time with the square of their length, and nobody types
them."""

_SHORTEST_ABBREVIATION = 3
"""Letters of a name that may stand for a longer one."""

_FAMILY = 4
"""So many warnings that differ in numbers only are one."""

_LONGEST_LINE = 500
"""Characters of a line that are shown; a generated line may have a million."""


@dataclass(frozen=True, eq=False)
class Source:
    """A text with a name: a file as the user named it, or ``<formula>``.  Compared by identity."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(end.end() for end in re.finditer("\n", self.text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    def span(self, start: int, end: int) -> Span:
        return Span(self, start, end)


@dataclass(frozen=True, slots=True)
class Span:
    """The characters ``start`` (included) to ``end`` (excluded) of a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake or warning.  ``code`` is stable: scripts may rely on it."""

    code: str
    message: str
    span: Span | None = None
    hint: str | None = None
    severity: Severity = "error"

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
        }
        if self.span is not None:
            data |= {
                "file": self.span.source.name,
                "line": self.span.line,
                "column": self.span.column,
            }
        if self.hint is not None:
            data["hint"] = self.hint
        return data


class InputError(Exception):
    """The input is wrong; ``diagnostics`` says everything that is wrong with it."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(render(each) for each in self.diagnostics))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Diagnostic, ...]]]:
        """Made again from its diagnostics where it comes from another process, not from its
        text."""
        return InputError, (self.diagnostics,)


class Diagnostics:
    """A growing list of diagnostics, filled while a program is read and raised once at the end."""

    def __init__(self) -> None:
        self._all: list[Diagnostic] = []

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._all)

    def error(
        self, code: str, message: str, span: Span | None = None, *, hint: str | None = None
    ) -> None:
        self._all.append(Diagnostic(code, message, span, hint))

    def warning(
        self, code: str, message: str, span: Span | None = None, *, hint: str | None = None
    ) -> None:
        self._all.append(Diagnostic(code, message, span, hint, "warning"))

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        self._all.extend(diagnostics)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(each for each in self._all if each.severity == "error")

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(each for each in self._all if each.severity == "warning")

    def raise_errors(self) -> None:
        """Raise every error collected so far, source by source, each in the order of its text; do
        nothing if there is none.

        What would read the same is one error: a mistake in a formula that was asked in several
        ways.
        """
        errors = {render(each): each for each in self.errors}.values()
        if errors:
            sources = list(dict.fromkeys(each.span.source for each in errors if each.span))
            raise InputError(
                sorted(
                    errors,
                    key=lambda each: (
                        (sources.index(each.span.source), each.span.start) if each.span else (-1, 0)
                    ),
                )
            )


def at_settings(
    error: InputError,
    given: Mapping[str, str],
    reads: Callable[[Mapping[str, str]], bool],
    position: str,
) -> InputError:
    """Return the error with its places at the settings that cause it, where they do.

    ``reads`` says whether the program is accepted with other settings: if it is accepted without a
    setting, and not with it, the setting is the cause.  ``place`` is the name of the source that
    its text ``name=value`` gets.
    """
    named = [_at_named_setting(each, given, position) for each in error.diagnostics]
    inside = [each for each in named if each.span is not None and each.span.source.name != position]
    if not inside or not given or not reads({}):
        return InputError(named)
    causes = [
        name
        for name in given
        if reads({other: value for other, value in given.items() if other != name})
    ] or list(given)
    first = next(
        (each for each in inside if any(given[name] in each.message for name in causes)), inside[0]
    )
    where = (
        f"it is used in {first.span}"
        if len(inside) == 1
        else f"it is used in {len(inside)} places, such as {first.span}"
    )
    hint = where if first.hint is None else f"{first.hint}; {where}"
    caused = [
        Diagnostic(
            first.code,
            f"'{name}' cannot be '{given[name]}': {first.message}",
            _setting(name, given[name], position)[1],
            hint,
        )
        for name in causes
    ]
    return InputError([*(each for each in named if each not in inside), *caused])


def _at_named_setting(
    diagnostic: Diagnostic, given: Mapping[str, str], position: str
) -> Diagnostic:
    """An error without a place that names a setting is at that setting."""
    named = [name for name in given if f"'{name}'" in diagnostic.message]
    if diagnostic.span is not None or len(named) != 1:
        return diagnostic
    spans = _setting(named[0], given[named[0]], position)
    return replace(diagnostic, span=spans[f"'{given[named[0]]}'" in diagnostic.message])


def _setting(name: str, value: str, position: str) -> tuple[Span, Span]:
    """Where the name and the value of a setting are."""
    source = Source(position, f"{name}={value}")
    return source.span(0, len(name)), source.span(len(name) + 1, len(source.text))


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A hint that names the known name closest to a misspelt one, or None if none is close.

    Names that differ in their numbers only are one family: ``wrap_33`` is none of ``wrap_1`` to
    ``wrap_30``, so that the hint is how far they go, and for ``wrp_3`` it is ``wrap_3``, not
    another member that looks as close.
    """
    families: dict[str, list[str]] = {}
    for each in dict.fromkeys(known):
        families.setdefault(_stem(each), []).append(each)
    stem = _stem(name)
    if stem in families and "#" in stem:
        return _suggestion_text(families[stem])
    near = nearest(stem, families)
    if near is None:
        return None
    numbers = _NUMBERS.findall(name)
    same = [each for each in families[near] if _NUMBERS.findall(each) == numbers]
    return _suggestion_text(same or families[near])


def nearest(name: str, known: Iterable[str], *, letters: int = 3) -> str | None:
    """Return the known name that a misspelt one was probably meant to be, or None.

    A name is near if at most one slip in so many ``letters`` leads to it.  A slip is a letter too
    many, too few, replaced, or swapped with the next one.  Case does not count.  A name that only
    one known name begins with is an abbreviation of it.
    """
    candidates = sorted(
        each for each in set(known) if len(each) <= _LONGEST_NAME
    )  # sets have another order in each process
    near: list[tuple[int, str]] = []
    for each in candidates if len(name) <= _LONGEST_NAME else ():
        slips = _slips(name.casefold(), each.casefold(), (max(len(name), len(each)) + 1) // letters)
        if slips is not None:
            near.append((slips, each))
    if near:
        return min(near)[1]
    longer = [
        each
        for each in candidates
        if len(name) >= _SHORTEST_ABBREVIATION and each.casefold().startswith(name.casefold())
    ]
    return longer[0] if len(longer) == 1 else None


def _slips(one: str, other: str, maximum: int) -> int | None:
    """Return the number of slips between two names (optimal string alignment), or None if it is
    larger than ``most``."""
    if abs(len(one) - len(other)) > maximum:
        return None
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        above, before, row = before, row, [i]
        for j, requested in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != requested))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == requested:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
        if min(*before, *row) > maximum:
            return None
    return row[-1] if row[-1] <= maximum else None


def suggested_fix(diagnostic: Diagnostic) -> tuple[Span, str] | None:
    """What to write where, so that a misspelt name is the one that the hint of :func:`did_you_mean`
    names; None without such a hint."""
    meant = _MEANT.fullmatch(diagnostic.hint or "")
    span = diagnostic.span
    if meant is None or span is None:
        return None
    misspelt = [
        name
        for name in _QUOTED.findall(diagnostic.message)
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", span.text)
    ]
    if len(misspelt) != 1:
        return None
    position = re.search(rf"(?<!\w){re.escape(misspelt[0])}(?!\w)", span.text)
    assert position is not None, "it was found before"
    return span.source.span(span.start + position.start(), span.start + position.end()), meant[1]


def _stem(name: str) -> str:
    """What the members of a family share; a mere number has none."""
    return name if name.isdecimal() else _NUMBERS.sub("#", name)


def _suggestion_text(names: Sequence[str]) -> str:
    """A question about one name, or about a family of them."""
    ordered = sorted(names, key=lambda each: [int(number) for number in _NUMBERS.findall(each)])
    match ordered:
        case [one]:
            return f"did you mean '{one}'?"
        case [one, other]:
            return f"did you mean '{one}' or '{other}'?"
    return f"did you mean one of '{ordered[0]}' to '{ordered[-1]}'?"


def merge_similar(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics with one warning for each family of them that differ in numbers only; it says
    how many there are and where."""
    families: dict[object, list[Diagnostic]] = {}
    for each in diagnostics:
        source = each.span.source.name if each.span else None
        family = (
            (each.code, _NUMBERS.sub("#", each.message), source)
            if each.severity == "warning"
            else id(each)
        )
        families.setdefault(family, []).append(each)
    return [
        first if len(alike) < _FAMILY else _counted(first, alike)
        for alike in families.values()
        for first in alike[: _shown(alike)]
    ]


def _shown(alike: Sequence[Diagnostic]) -> int:
    return 1 if len(alike) >= _FAMILY else len(alike)


def _counted(first: Diagnostic, alike: Sequence[Diagnostic]) -> Diagnostic:
    lines = sorted({each.span.line for each in alike if each.span})
    where = f", in lines {lines[0]} to {lines[-1]}" if len(lines) > 1 else ""
    return replace(first, message=f"{first.message} (and {len(alike) - 1} more like this{where})")


def plural(count: float, noun: str) -> str:
    """The noun as it follows a number: ``1 state``, ``2 states``."""
    return noun if count == 1 else f"{noun}s"


_CONTROL_CHARACTERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""What a terminal obeys or hides instead of showing it: control characters (but for the end of a
line and the tabulator), marks of the direction of writing, spaces without width, halves of
characters."""


def escape_control_characters(text: str) -> str:
    """The text with a sign in the place of each character that cannot be seen, such as ``␛``; as
    long as it was, so that columns fit.

    Whatever comes from a program, a file name or an engine goes through this before a person sees
    it: nobody's text steers a terminal, or looks like another text.
    """
    return _CONTROL_CHARACTERS.sub(_sign, text)


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else "\ufffd"


_NOT_A_TAB = re.compile(r"[^\t]")


def render(diagnostic: Diagnostic) -> str:
    """Plain text of a diagnostic: place, code and message, the line with a caret, and the hint.
    All of it can be seen."""
    head = f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"
    lines = [head]
    if diagnostic.span is not None:
        span = diagnostic.span
        line, column = span.source.position(span.start)
        text, before = _window(span.source.line(line), column - 1)
        width = max(1, min(span.end - span.start, len(text) - before))
        margin = " " * len(str(line))
        lines += [
            f"{margin} --> {span.source.name}:{line}:{column}",
            f"{margin} |",
            f"{line} | {text}",
            f"{margin} | {_NOT_A_TAB.sub(' ', text[:before])}{'^' * width}",
        ]
    if diagnostic.hint is not None:
        lines.append(f"  help: {diagnostic.hint}")
    return escape_control_characters("\n".join(lines))


def _window(text: str, index: int) -> tuple[str, int]:
    """A line, of which only the surroundings of a place are left where it is very long, and the
    place in that."""
    if len(text) <= _LONGEST_LINE:
        return text, index
    start = max(0, index - _LONGEST_LINE // 2)
    left, right = "…" if start else "", "…" if start + _LONGEST_LINE < len(text) else ""
    return f"{left}{text[start : start + _LONGEST_LINE]}{right}", index - start + len(left)
