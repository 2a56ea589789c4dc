"""Errors and warnings as data: a stable code, a message, a source position and a hint.

The library never prints. It collects :class:`Diagnostic` values in a :class:`Diagnostics` list, so
that all errors of an input are reported at once, and raises one :class:`InputError` that carries
them. :func:`render` turns a diagnostic into text for a terminal, :meth:`Diagnostic.as_json` into
JSON data.
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
"""Maximum length of a name that is compared with others to suggest a correction. The comparison
takes quadratic time."""

_SHORTEST_ABBREVIATION = 3
"""Minimum length of an unknown name that is treated as an abbreviation of a longer, known name."""

_FAMILY = 4
"""Minimum number of warnings that are merged into one, if they are equal except for numbers in
them."""

_LONGEST_LINE = 500
"""Maximum number of characters of a source line that a rendered diagnostic shows. Lines of
generated programs can be huge."""


@dataclass(frozen=True, eq=False)
class Source:
    """Text of an input with its name: a file under the name that the user gave, or ``<formula>``.
    Two sources are equal only if they are the same object."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(end.end() for end in re.finditer("\n", self.text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of a character offset in this source, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of the line with this number, counted from 1, without its line ending."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    def span(self, start: int, end: int) -> Span:
        return Span(self, start, end)


@dataclass(frozen=True, slots=True)
class Span:
    """Range of characters of a source text, from ``start`` (included) to ``end`` (excluded)."""

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
    """Error or warning about the user's input. ``code`` is stable: scripts may rely on it."""

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
    """Exception for invalid input. ``diagnostics`` lists every error found in the input."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(render(each) for each in self.diagnostics))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Diagnostic, ...]]]:
        """Pickle the diagnostics instead of the rendered text, so that another process receives
        them in full."""
        return InputError, (self.diagnostics,)


class Diagnostics:
    """Growing list of diagnostics, filled while an input is read. The errors are raised together at
    the end."""

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
        """Raise all errors collected so far as one :class:`InputError`; do nothing if there are
        none.

        The errors are sorted by source and then by position. Errors with the same rendered text are
        reported once, for example an error in a formula that several queries share.
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
    """Return an error about a program, with its positions moved to the settings that cause it, if
    there are such settings.

    A setting is a value that the user gives for a parameter of the program or for an option of its
    language. ``given`` maps the names of the settings to their values. ``reads`` returns whether
    the program is accepted with the settings passed to it. A setting is a cause if the program is
    accepted without it but not with it. The new positions are in a source text ``name=value``, and
    ``position`` is the name of that source in messages.
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
    """Return the diagnostic with a position in the setting that its message names.

    Return it unchanged if it has a position already, or if its message does not name exactly one of
    the given settings.
    """
    named = [name for name in given if f"'{name}'" in diagnostic.message]
    if diagnostic.span is not None or len(named) != 1:
        return diagnostic
    spans = _setting(named[0], given[named[0]], position)
    return replace(diagnostic, span=spans[f"'{given[named[0]]}'" in diagnostic.message])


def _setting(name: str, value: str, position: str) -> tuple[Span, Span]:
    """Return the spans of the name and of the value of a setting, in a source with the text
    ``name=value``."""
    source = Source(position, f"{name}={value}")
    return source.span(0, len(name)), source.span(len(name) + 1, len(source.text))


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """Return a hint with the known name closest to a misspelt one, or None if none is close.

    Names that differ only in their numbers form a family. If ``wrap_33`` is unknown and ``wrap_1``
    to ``wrap_30`` are known, the hint gives this range. For ``wrp_3`` the hint suggests ``wrap_3``
    and not ``wrap_1``.
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
    """Return the known name that a misspelt name probably stands for, or None.

    A name is near if there is at most one typing error per ``letters`` letters. A typing error is
    an extra, missing, wrong or transposed letter. Case is ignored. If no name is near, a name that
    is a prefix of exactly one known name counts as its abbreviation.
    """
    candidates = sorted(
        each for each in set(known) if len(each) <= _LONGEST_NAME
    )  # the order of a set differs between processes
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
    """Return the number of typing errors between two names, or None if it exceeds ``maximum``.

    The number is the optimal string alignment distance.
    """
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
    """Return the span to replace and its replacement, if the hint of a diagnostic suggests exactly
    one name.

    Return None if the hint is not of the form that :func:`did_you_mean` gives for one name, or if
    the span of the diagnostic does not contain the misspelt name.
    """
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
    """Return the name with ``#`` in place of each number. Names that differ only in their numbers
    have the same stem. A name that consists of digits only is returned unchanged."""
    return name if name.isdecimal() else _NUMBERS.sub("#", name)


def _suggestion_text(names: Sequence[str]) -> str:
    """Return the text of a ``did you mean`` hint for one name, two names, or a range of numbered
    names."""
    ordered = sorted(names, key=lambda each: [int(number) for number in _NUMBERS.findall(each)])
    match ordered:
        case [one]:
            return f"did you mean '{one}'?"
        case [one, other]:
            return f"did you mean '{one}' or '{other}'?"
        case _:
            pass
    return f"did you mean one of '{ordered[0]}' to '{ordered[-1]}'?"


def merge_similar(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics with each group of four or more similar warnings merged into one
    warning.

    Warnings are similar if they have the same code and source and differ only in numbers. The
    merged warning gives the number of warnings and the range of their lines.
    """
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
    """Return the noun in singular if the count is 1, otherwise in plural: ``state``, ``states``."""
    return noun if count == 1 else f"{noun}s"


_CONTROL_CHARACTERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Characters that a terminal interprets or hides instead of showing them: control characters except
newline and tab, marks of writing direction, zero-width spaces, and surrogates."""


def escape_control_characters(text: str) -> str:
    """Return the text with a visible symbol, such as ``␛``, for each control or invisible
    character.

    The length stays the same, so columns still match. All text from a program, a file name or an
    engine passes through this function before it is shown, so that it can neither control the
    terminal nor look like another text.
    """
    return _CONTROL_CHARACTERS.sub(_sign, text)


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else "\ufffd"


_NOT_A_TAB = re.compile(r"[^\t]")


def render(diagnostic: Diagnostic) -> str:
    """Return a diagnostic as plain text: code, message, position, source line with a caret, and
    hint. Control and invisible characters are replaced by visible symbols."""
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
    """Return a source line and the index of one of its characters. If the line is very long, return
    only the part around that character, and the index in that part."""
    if len(text) <= _LONGEST_LINE:
        return text, index
    start = max(0, index - _LONGEST_LINE // 2)
    left, right = "…" if start else "", "…" if start + _LONGEST_LINE < len(text) else ""
    return f"{left}{text[start : start + _LONGEST_LINE]}{right}", index - start + len(left)
