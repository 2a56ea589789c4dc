"""Formatting of numbers, durations and verdicts as text, shared by the command line, notebooks and
``repr``."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from volition.logic.numbers import exact_text, rounded_text

if TYPE_CHECKING:
    from volition.checking.verdict import Verdict

__all__ = ["duration", "number", "value_behind", "verdict_notes", "verdict_text"]

_LONGEST_FRACTION = 24


def number(value: float | Fraction) -> str:
    """Return a value as text with all known digits: a decimal if that is exact, otherwise a
    fraction with its decimal. A long fraction is shown as a decimal only."""
    decimal = rounded_text(value)
    if not isinstance(value, Fraction) or Fraction(decimal) == value:
        return decimal
    fraction = exact_text(value)
    return f"{fraction} ≈ {decimal}" if len(fraction) <= _LONGEST_FRACTION else decimal


def duration(seconds: float) -> str:
    """Return a duration as text, in milliseconds below one second and in seconds otherwise."""
    return f"{seconds * 1000:.0f} ms" if seconds < 0.9995 else f"{seconds:.1f} s"


def verdict_text(verdict: Verdict) -> str:
    """Return the result of a verdict as text: ``holds``, ``violated``, ``unknown`` or its value."""
    if verdict.unknown is not None:
        return "unknown"
    if verdict.holds is not None:
        return "holds" if verdict.holds else "violated"
    assert verdict.value is not None, "an answer is one of these"
    return number(verdict.value)


def value_behind(verdict: Verdict) -> list[str]:
    """Return a list with one remark: the value that a verdict compared with a threshold.

    The list is empty for a verdict without a value, or if the value itself is the answer.
    """
    return (
        []
        if verdict.holds is None or verdict.value is None
        else [f"the value is {number(verdict.value)}"]
    )


def verdict_notes(verdict: Verdict) -> list[str]:
    """Return the remarks on a verdict: why it is unknown, the value compared with a threshold,
    bounds, and the notes of the engine."""
    notes = [f"unknown: {verdict.unknown}"] if verdict.unknown is not None else []
    notes += value_behind(verdict)
    if verdict.unknown is None and verdict.lower is not None and verdict.upper is not None:
        lower, upper = f"{verdict.lower:.10g}", f"{verdict.upper:.10g}"
        notes += [f"between {lower} and {upper}"] if lower != upper else []
    return [*notes, *verdict.notes]
