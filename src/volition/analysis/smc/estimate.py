"""What runs say about a formula, in numbers and in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from volition.checking.properties import Property
from volition.diagnostics import plural
from volition.display import HtmlDisplay

__all__ = ["Estimate"]

LARGE, MAX_DIGITS = 1e6, 12
"""Numbers that are printed in powers of ten, and digits behind the point."""

Bounds = Literal["value", "at least", "at most"]


@dataclass(frozen=True, slots=True, repr=False)
class Estimate(HtmlDisplay):
    """An answer by runs.  ``lower`` and ``upper`` hold with the ``confidence``, by the ``method``,
    which says what is proven about it.

    They enclose the value under ``scheduler``, which says who chose.  ``says`` tells what that
    means for the value that was asked for: it is that ``value`` itself, or only at least ``lower``
    or at most ``upper``.  ``estimate`` is the mean of the runs, None where some stayed ``open``:
    not decided within the steps that a run may have (``limit``), or ended at a choice that nobody
    made. ``holds`` answers a threshold, and an estimate is true where it is. ``unknown`` says why
    there is no answer, or why it is not as precise as asked for.
    """

    prop: Property
    scheduler: str
    method: str
    bound_kind: Bounds
    confidence: float
    error: float
    runs: int
    undecided: int
    seed: int
    max_steps: int
    steps: int
    max_run_length: int
    seconds: float
    estimate: float | None = None
    lower: float | None = None
    upper: float | None = None
    holds: bool | None = None
    unknown: str | None = None

    @property
    def as_expected(self) -> bool | None:
        """Whether what the author expects agrees with the runs; None where nothing was expected, or
        nothing is known."""
        expectation = self.prop.expectation
        if expectation is None:
            return None
        if expectation.truth is not None:
            return None if self.holds is None else self.holds is expectation.truth
        if expectation.number is None or self.lower is None or self.upper is None:
            return None
        number, tolerance = float(expectation.number), float(expectation.tolerance)
        above = self.bound_kind == "at most" or number >= self.lower - tolerance
        below = self.bound_kind == "at least" or number <= self.upper + tolerance
        return above and below

    def sentence(self) -> str:
        """``is 0.9604, between 0.9512 and 0.9683``: the end of a sentence that begins with the
        formula."""
        if self.holds is not None:
            return "holds" if self.holds else "is violated"
        between = self._between()
        if between is None or (self.bound_kind == "at most" and self.upper == math.inf):
            return "is unknown"
        lower, upper = between
        if self.bound_kind != "value":
            return (
                f"is at least {lower}" if self.bound_kind == "at least" else f"is at most {upper}"
            )
        if self.estimate is None:
            return f"is between {lower} and {upper}"
        return f"is {self._text(self.estimate)}" + (
            "" if lower == upper else f", between {lower} and {upper}"
        )

    def guarantee_text(self) -> tuple[str, ...]:
        """How far the answer can be trusted, in a few lines."""
        lines = [
            (
                f"{self.runs:,} {plural(self.runs, 'run')} {self.scheduler}, the longest of "
                f"{self.max_run_length:,} {plural(self.max_run_length, 'step')}"
            )
        ]
        between = self._between()
        certain = between is not None and self.lower == self.upper
        if between is not None or self.holds is not None:
            lines.append(
                self.method if certain else f"confidence {self.confidence:.10g} by {self.method}"
            )
        if self.bound_kind != "value" and between is not None and not certain:
            mean = "" if self.estimate is None else f"{self._text(self.estimate)}, "
            lines.append(f"under that scheduler {mean}between {between[0]} and {between[1]}")
        if self.undecided:
            lines.append(
                f"{self.undecided:,} {plural(self.undecided, 'run')} not decided: each counts on "
                "both sides"
            )
        return tuple(lines)

    def _between(self) -> tuple[str, str] | None:
        """The interval, rounded so that what it says stays true."""
        if self.lower is None or self.upper is None:
            return None
        return self._text(self.lower, math.floor), self._text(self.upper, math.ceil)

    def _text(self, number: float, rounded: Callable[[float], int] = round) -> str:
        """A number with as many digits as the width of the interval is worth."""
        width = 0.0 if self.lower is None or self.upper is None else self.upper - self.lower
        if not math.isfinite(number) or abs(number) >= LARGE:
            return f"{number:g}"
        digits = (
            min(max(4, 1 - math.floor(math.log10(width))), MAX_DIGITS)
            if 0 < width < math.inf
            else 4
        )
        return f"{rounded(number * 10**digits) / 10**digits:.{digits}f}".rstrip("0").rstrip(".")

    def as_json(self) -> dict[str, Any]:
        """For programs; what is not finite is a text, because JSON has no infinity."""
        document: dict[str, Any] = {"formula": self.prop.text}
        if self.prop.name is not None:
            document["name"] = self.prop.name
        for name in ("holds", "estimate", "lower", "upper", "unknown"):
            if (value := getattr(self, name)) is not None:
                document[name] = _number(value) if isinstance(value, float) else value
        document["bound_kind"] = self.bound_kind
        if self.prop.expected is not None:
            document |= {"expected": self.prop.expected, "as_expected": self.as_expected}
        names = (
            "confidence",
            "error",
            "method",
            "scheduler",
            "runs",
            "undecided",
            "seed",
            "max_steps",
            "steps",
            "max_run_length",
            "seconds",
        )
        return document | {name: getattr(self, name) for name in names}

    def __bool__(self) -> bool:
        if self.holds is None and self.unknown is None:
            message = (
                f"'{self.prop.text}' asks for a number and is neither true nor false: "
                "compare its 'estimate'"
            )
            raise TypeError(message)
        return self.holds is True

    def __repr__(self) -> str:
        return f"<Estimate: {self.prop.text} {self.sentence()}>"


def _number(value: float | Fraction) -> float | str:
    return float(value) if math.isfinite(value) else str(float(value))
