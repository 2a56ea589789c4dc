"""Settings, in a file or from outside (``--set update=plain``): what is unknown, cannot be, or is said twice is an error.

A language says with which code and message something is unknown or no value; what is allowed, the hint that says so, and what is said
of a second value are the same for all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from volition.diagnostics import Diagnostics, Span, did_you_mean
from volition.languages.kit.sections import lines_of
from volition.languages.kit.trust import read_source
from volition.languages.kit.twice import again
from volition.logic.numbers import exact_number

__all__ = ["Choice", "ExactNumber", "Kind", "WholeNumber", "read_settings_file", "read_value", "refuse_second", "refuse_unknown"]

T = TypeVar("T")
Read = TypeVar("Read", covariant=True)


class Kind(Protocol[Read]):
    """What values a setting has."""

    def read(self, text: str) -> Read | None:
        """The value that a text stands for; None if it is not allowed."""

    def hint(self, text: str) -> str:
        """What to write instead of a text that is not allowed."""


@dataclass(frozen=True)
class Choice(Generic[T]):
    """One of some words, each with what it stands for."""

    values: Mapping[str, T]

    def read(self, text: str) -> T | None:
        return self.values.get(text)

    def hint(self, text: str) -> str:
        return did_you_mean(text, self.values) or f"expected one of {', '.join(self.values)}"


MOST = 1_000_000
"""The largest number of things that a setting can allow, unless it has a bound of its own."""


@dataclass(frozen=True)
class WholeNumber:
    """A whole number in a range; ``remark`` is what else there is to know about it."""

    least: int
    most: int = MOST
    remark: str = ""

    def read(self, text: str) -> int | None:
        number = int(text) if re.fullmatch("[0-9]{1,300}", text) else None
        return number if number is not None and self.least <= number <= self.most else None

    def hint(self, _: str) -> str:
        return f"give it a whole number from {self.least} to {self.most}{self.remark}"


@dataclass(frozen=True)
class ExactNumber:
    """Any number, perhaps one whose size is less than ``below``."""

    below: int | None = None

    def read(self, text: str) -> Fraction | None:
        number = exact_number(text)
        return number if number is not None and (self.below is None or abs(number) < self.below) else None

    def hint(self, _: str) -> str:
        return "give it a number, such as 0.25 or 1/4"


def read_value(code: str, message: str, text: str, kind: Kind[T], diagnostics: Diagnostics, span: Span | None = None) -> T | None:
    """The value that a text stands for; None, with an error of that code and message, if it is not allowed."""
    value = kind.read(text)
    if value is None:
        diagnostics.error(code, message, span, hint=kind.hint(text))
    return value


def refuse_unknown(
    code: str,
    message: str,
    name: str,
    known: Iterable[str],
    diagnostics: Diagnostics,
    span: Span | None = None,
    *,
    otherwise: str | None = None,
) -> None:
    """An error about a name that is not known: the hint is the name that looks like it, or ``otherwise``, or all of them."""
    known = list(known)
    diagnostics.error(code, message, span, hint=did_you_mean(name, known) or otherwise or f"expected one of {', '.join(known)}")


def read_settings_file(path: Path) -> dict[str, str]:
    """The settings in a file, one ``name = value`` in a line, with ``//`` comments; raises :class:`InputError` with what is wrong in it."""
    source, diagnostics = read_source(path), Diagnostics()
    settings: list[tuple[str, str, Span]] = []
    for line in lines_of(source, 0, len(source.text)):
        name, equals, value = (part.strip() for part in line.text.partition("="))
        if equals and name and value:
            settings.append((name, value, line))
        else:
            diagnostics.error("LNG023", "this line is not a setting", line, hint="write name = value")
    refuse_second([(name, line) for name, _, line in settings], diagnostics)
    diagnostics.raise_errors()
    return {name: value for name, value, _ in settings}


def refuse_second(stated: Iterable[tuple[str, Span | str]], diagnostics: Diagnostics) -> None:
    """An error about each setting that has a value already, since one of the two would have no effect.

    ``stated`` are the settings in their order, each with its place in a file or, from outside, with its value.
    """
    for (name, second), (_, first) in again([(each[0], each) for each in stated]):
        before = f"first in line {first.line}" if isinstance(first, Span) else f"first to '{first}'"
        place = second if isinstance(second, Span) else None
        diagnostics.error("LNG010", f"'{name}' is set twice", place, hint=f"{before}: remove one of them")
