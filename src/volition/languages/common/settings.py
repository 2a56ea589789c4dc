"""Settings, in a file or from outside (``--set update=plain``): what is unknown, cannot be, or is
said twice is an error.

A language says with which code and message something is unknown or no value; what is allowed, the
hint that says so, and what is said of a second value are the same for all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from volition.diagnostics import Diagnostics, Span, did_you_mean
from volition.languages.common.duplicates import duplicates
from volition.languages.common.sections import content_lines
from volition.languages.common.trust import read_source
from volition.logic.numbers import exact_number

__all__ = [
    "EnumSetting",
    "IntegerSetting",
    "RationalSetting",
    "SettingType",
    "read_settings_file",
    "read_value",
    "report_duplicate",
    "report_unknown",
]

T = TypeVar("T")
Read = TypeVar("Read", covariant=True)


class SettingType(Protocol[Read]):
    """What values a setting has."""

    def parse(self, text: str) -> Read | None:
        """The value that a text stands for; None if it is not allowed."""

    def hint(self, text: str) -> str:
        """What to write instead of a text that is not allowed."""


@dataclass(frozen=True)
class EnumSetting(Generic[T]):
    """One of some words, each with what it stands for."""

    values: Mapping[str, T]

    def parse(self, text: str) -> T | None:
        return self.values.get(text)

    def hint(self, text: str) -> str:
        return did_you_mean(text, self.values) or f"expected one of {', '.join(self.values)}"


MOST = 1_000_000
"""The largest number of things that a setting can allow, unless it has a bound of its own."""


@dataclass(frozen=True)
class IntegerSetting:
    """A whole number in a range; ``remark`` is what else there is to know about it."""

    minimum: int
    maximum: int = MOST
    remark: str = ""

    def parse(self, text: str) -> int | None:
        number = int(text) if re.fullmatch("[0-9]{1,300}", text) else None
        return number if number is not None and self.minimum <= number <= self.maximum else None

    def hint(self, _: str) -> str:
        return f"give it a whole number from {self.minimum} to {self.maximum}{self.remark}"


@dataclass(frozen=True)
class RationalSetting:
    """Any number, perhaps one whose size is less than ``below``."""

    magnitude_below: int | None = None

    def parse(self, text: str) -> Fraction | None:
        number = exact_number(text)
        return (
            number
            if number is not None
            and (self.magnitude_below is None or abs(number) < self.magnitude_below)
            else None
        )

    def hint(self, _: str) -> str:
        return "give it a number, such as 0.25 or 1/4"


def read_value(
    code: str,
    message: str,
    text: str,
    kind: SettingType[T],
    diagnostics: Diagnostics,
    span: Span | None = None,
) -> T | None:
    """The value that a text stands for; None, with an error of that code and message, if it is not
    allowed."""
    value = kind.parse(text)
    if value is None:
        diagnostics.error(code, message, span, hint=kind.hint(text))
    return value


def report_unknown(
    code: str,
    message: str,
    name: str,
    known: Iterable[str],
    diagnostics: Diagnostics,
    span: Span | None = None,
    *,
    otherwise: str | None = None,
) -> None:
    """An error about a name that is not known: the hint is the name that looks like it, or
    ``otherwise``, or all of them."""
    known = list(known)
    diagnostics.error(
        code,
        message,
        span,
        hint=did_you_mean(name, known) or otherwise or f"expected one of {', '.join(known)}",
    )


def read_settings_file(path: Path) -> dict[str, str]:
    """The settings in a file, one ``name = value`` in a line, with ``//`` comments; raises
    :class:`InputError` with what is wrong in it."""
    source, diagnostics = read_source(path), Diagnostics()
    settings: list[tuple[str, str, Span]] = []
    for line in content_lines(source, 0, len(source.text)):
        name, equals, value = (part.strip() for part in line.text.partition("="))
        if equals and name and value:
            settings.append((name, value, line))
        else:
            diagnostics.error(
                "LNG023", "this line is not a setting", line, hint="write name = value"
            )
    report_duplicate([(name, line) for name, _, line in settings], diagnostics)
    diagnostics.raise_errors()
    return {name: value for name, value, _ in settings}


def report_duplicate(stated: Iterable[tuple[str, Span | str]], diagnostics: Diagnostics) -> None:
    """An error about each setting that has a value already, since one of the two would have no
    effect.

    ``stated`` are the settings in their order, each with its place in a file or, from outside, with
    its value.
    """
    for (name, second), (_, first) in duplicates([(each[0], each) for each in stated]):
        before = f"first in line {first.line}" if isinstance(first, Span) else f"first to '{first}'"
        span = second if isinstance(second, Span) else None
        diagnostics.error(
            "LNG010", f"'{name}' is set twice", span, hint=f"{before}: remove one of them"
        )
