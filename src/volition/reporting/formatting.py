"""Numbers, times and answers in the words that every surface uses: the screen, a notebook,
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
    """A value with all digits that are known: a short decimal where that is exact, a fraction with
    its decimal where it is not."""
    decimal = rounded_text(value)
    if not isinstance(value, Fraction) or Fraction(decimal) == value:
        return decimal
    fraction = exact_text(value)
    return f"{fraction} ≈ {decimal}" if len(fraction) <= _LONGEST_FRACTION else decimal


def duration(seconds: float) -> str:
    """A time with the digits that matter."""
    return f"{seconds * 1000:.0f} ms" if seconds < 0.9995 else f"{seconds:.1f} s"


def verdict_text(verdict: Verdict) -> str:
    """The answer in a word, or the number."""
    if verdict.unknown is not None:
        return "unknown"
    if verdict.holds is not None:
        return "holds" if verdict.holds else "violated"
    assert verdict.value is not None, "an answer is one of these"
    return number(verdict.value)


def value_behind(verdict: Verdict) -> list[str]:
    """Return the value that was compared with a threshold, as a remark; nothing where there is
    none, or it is the answer itself."""
    return (
        []
        if verdict.holds is None or verdict.value is None
        else [f"the value is {number(verdict.value)}"]
    )


def verdict_notes(verdict: Verdict) -> list[str]:
    """Return what else there is to say: why there is no answer, the value behind a threshold, its
    bounds, notes for the author."""
    said = [f"unknown: {verdict.unknown}"] if verdict.unknown is not None else []
    said += value_behind(verdict)
    if verdict.unknown is None and verdict.lower is not None and verdict.upper is not None:
        lower, upper = f"{verdict.lower:.10g}", f"{verdict.upper:.10g}"
        said += [f"between {lower} and {upper}"] if lower != upper else []
    return [*said, *verdict.notes]
