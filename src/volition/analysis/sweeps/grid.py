"""Grids of parameter values for a sweep: ``pc=0:1:0.1`` is a range with a step, ``pe=0.1,0.2`` a
list of values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from volition.diagnostics import Diagnostics, Source, Span, did_you_mean
from volition.logic.numbers import exact_number, number_text

__all__ = ["Axis", "Grid", "Point", "point_text", "points", "read_grid"]

Point = dict[str, Fraction]
"""Point of a grid: the value of each varied parameter."""

MAX_VALUES = 100_000
"""Maximum number of values of one varied parameter; more are probably a typing error, such as a
step of 1e-9."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Varied parameter of a sweep and its values, in the order of the input."""

    name: str
    values: tuple[Fraction, ...]


Grid = Sequence[Axis]


def points(grid: Grid) -> list[Point]:
    """Return the points of a grid: every combination of the parameter values; the last parameter
    changes fastest."""
    names = [axis.name for axis in grid]
    return [
        dict(zip(names, values, strict=True))
        for values in itertools.product(*(axis.values for axis in grid))
    ]


def read_grid(texts: Iterable[str], known: Iterable[str]) -> tuple[Axis, ...]:
    """Parse the varied parameters of a sweep, each written as ``name=from:to:step`` or
    ``name=value,value``; raise :class:`InputError` with all errors.

    ``known`` are the parameters that the program declares.
    """
    diagnostics = Diagnostics()
    names = list(known)
    axes: dict[str, Axis] = {}
    for text in texts:
        reader = _AxisReader(Source("<vary>", text), diagnostics)
        name, values = reader.name(names, taken=axes), reader.values()
        if name is not None:
            axes[name] = Axis(name, values)
    diagnostics.raise_errors()
    return tuple(axes.values())


def point_text(point: Point) -> str:
    """Return a point as text, such as ``pc = 0.1, pe = 1/3``."""
    return ", ".join(f"{name} = {number_text(value)}" for name, value in point.items())


class _AxisReader:
    """Parser of one varied parameter with its values, such as ``pc=0:1:0.1``. It reports errors to
    ``diagnostics``."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self._source = source
        self._diagnostics = diagnostics
        self._name, self._equals, self._values = source.text.partition("=")

    def name(self, known: Sequence[str], taken: Iterable[str]) -> str | None:
        name, span = self._name.strip(), self._source.span(0, max(1, len(self._name)))
        if not self._equals or not name:
            self._error("CHK060", f"'{self._source.text}' does not have the form name=values", span)
        elif name not in known:
            declared = (
                f"the program declares {', '.join(known)}"
                if known
                else "the program declares no parameters"
            )
            self._error(
                "CHK061", f"unknown parameter '{name}'", span, did_you_mean(name, known) or declared
            )
        elif name in taken:
            self._error(
                "CHK062",
                f"parameter '{name}' is varied twice",
                span,
                "list all its values together",
            )
        else:
            return name
        return None

    def values(self) -> tuple[Fraction, ...]:
        if not self._equals:
            return ()
        parts = re.split("([:,])", self._values)
        numbers = [
            self._number(part, len("".join(parts[: 2 * i]))) for i, part in enumerate(parts[::2])
        ]
        separators = parts[1::2]
        given = [number for number in numbers if number is not None]
        if len(given) < len(numbers):
            return ()
        if ":" not in separators:
            second = next(
                (number for index, number in enumerate(given) if number in given[:index]), None
            )
            if second is not None:
                hint = "remove one of them"
                self._error(
                    "CHK062",
                    f"duplicate value {number_text(second)}",
                    self._place_of_values(),
                    hint,
                )
            return tuple(given)
        whole = self._place_of_values()
        if separators != [":", ":"]:
            self._error(
                "CHK063",
                f"'{self._values}' is not a range",
                whole,
                "a range is from:to:step, such as 0:1:0.1",
            )
            return ()
        first, last, step = given
        if step <= 0 or last < first:
            self._error(
                "CHK063",
                f"the range {self._values} is empty",
                whole,
                "start with the smaller number and use a positive step",
            )
            return ()
        if (last - first) % step != 0:
            hint = (
                "a range is from:to:step, in that order"
                if step > last - first
                else f"such as {self._ending(first, last, step)}"
            )
            self._error(
                "CHK063",
                f"the range {self._values} does not reach its last value {number_text(last)}",
                whole,
                hint,
            )
            return ()
        count = int((last - first) / step) + 1
        if count > MAX_VALUES:
            self._error(
                "CHK063",
                f"the range {self._values} has {count} values, more than {MAX_VALUES}",
                whole,
            )
            return ()
        return tuple(first + i * step for i in range(count))

    def _place_of_values(self) -> Span:
        return self._source.span(len(self._name) + 1, len(self._source.text))

    @staticmethod
    def _ending(first: Fraction, last: Fraction, step: Fraction) -> str:
        """Return a corrected range as text, for a hint. The range starts at ``first``, and ends at
        the largest value at most ``last`` that is reached in steps of ``step``."""
        return f"{number_text(first)}:{number_text(first + (last - first) // step * step)}:{number_text(step)}"  # noqa: E501

    def _number(self, text: str, offset: int) -> Fraction | None:
        number = exact_number(text.strip())
        if number is None:
            start = len(self._name) + 1 + offset
            self._error(
                "CHK064",
                f"'{text}' is not a number",
                self._source.span(start, start + max(1, len(text))),
                "such as 0.1 or 1/3",
            )
        return number

    def _error(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        self._diagnostics.error(code, message, span, hint=hint)
