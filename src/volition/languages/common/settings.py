"""Settings from a file or from the command line (``--set update=plain``).

Unknown settings, invalid values and duplicates are errors. A language chooses the code and message
of an error. The allowed values, the hints and the treatment of duplicates are the same for all
languages.
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
    """Type of a setting: the values that the setting may have, and how they are parsed."""

    def parse(self, text: str) -> Read | None:
        """Return the value that a text denotes, or None if the setting does not allow it."""

    def hint(self, text: str) -> str:
        """Return a hint that says what to write instead of an invalid text."""


@dataclass(frozen=True)
class EnumSetting(Generic[T]):
    """Type of a setting with a fixed set of names, each mapped to its value."""

    values: Mapping[str, T]

    def parse(self, text: str) -> T | None:
        return self.values.get(text)

    def hint(self, text: str) -> str:
        return did_you_mean(text, self.values) or f"expected one of {', '.join(self.values)}"


MAX_VALUE = 1_000_000
"""Default maximum of an integer setting."""


@dataclass(frozen=True)
class IntegerSetting:
    """Type of a setting whose value is an integer from ``minimum`` to ``maximum``. ``remark`` is
    appended to the hint that is shown for an invalid value."""

    minimum: int
    maximum: int = MAX_VALUE
    remark: str = ""

    def parse(self, text: str) -> int | None:
        number = int(text) if re.fullmatch("[0-9]{1,300}", text) else None
        return number if number is not None and self.minimum <= number <= self.maximum else None

    def hint(self, _: str) -> str:
        return f"give it a whole number from {self.minimum} to {self.maximum}{self.remark}"


@dataclass(frozen=True)
class RationalSetting:
    """Type of a setting whose value is a rational number. Its absolute value must be less than
    ``magnitude_below``, if that is given."""

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
    """Return the value that a text denotes for a setting of type ``kind``.

    If the value is not allowed, report an error with the given code and message, and return None.
    """
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
    """Report the unknown name of a setting, with the given error code and message.

    The hint is a similar name in ``known``, else ``otherwise``, else the list of all names in
    ``known``.
    """
    known = list(known)
    diagnostics.error(
        code,
        message,
        span,
        hint=did_you_mean(name, known) or otherwise or f"expected one of {', '.join(known)}",
    )


def read_settings_file(path: Path) -> dict[str, str]:
    """Return the settings in a file, which has one ``name = value`` per line and ``//`` comments.

    Raise :class:`InputError` with all errors found.
    """
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
    """Report every setting that is set twice, because one of its two values would have no effect.

    ``stated`` are pairs of a setting's name and its span in a file or, for a setting from the
    command line, its value.
    """
    for (name, second), (_, first) in duplicates([(each[0], each) for each in stated]):
        before = f"first in line {first.line}" if isinstance(first, Span) else f"first to '{first}'"
        span = second if isinstance(second, Span) else None
        diagnostics.error(
            "LNG010", f"'{name}' is set twice", span, hint=f"{before}: remove one of them"
        )
