"""Result of a statistical estimation, as data and as text."""

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
"""Absolute value from which numbers are printed in scientific notation, and maximum number of
decimals of smaller ones."""

Bounds = Literal["value", "at least", "at most"]


@dataclass(frozen=True, slots=True, repr=False)
class Estimate(HtmlDisplay):
    """Answer to a formula, estimated from sampled runs.

    - ``lower`` and ``upper`` enclose the value under ``scheduler`` with the given ``confidence``.
      ``method`` says how they were computed and what is proven about them.
    - ``bound_kind`` relates this interval to the value that the formula asks for. ``"value"``: the
      interval encloses it. ``"at least"`` or ``"at most"``: it is only known to be at least
      ``lower`` or at most ``upper``.
    - ``estimate`` is the mean of the runs, or None if some runs are undecided.
    - ``undecided`` is the number of runs that did not decide the formula within ``max_steps``, or
      that reached a choice that no scheduler resolves.
    - ``holds`` is the answer to a formula with a threshold. The estimate of such a formula can be
      used as a condition in Python.
    - ``unknown`` is the reason for a missing answer, or for one that is less precise than
      requested.
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
        """Whether the estimate agrees with the expected result in the property file; None if
        nothing is expected or the result is unknown."""
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
        """Return the end of a sentence that begins with the formula: ``is 0.9604, between 0.9512
        and 0.9683``."""
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
        """Return lines of text on the reliability of the answer: number of runs, scheduler,
        confidence and method, and undecided runs."""
        lines = [
            (
                f"{self.runs:,} {plural(self.runs, 'run')} {self.scheduler}, the longest with "
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
                f"{self.undecided:,} {plural(self.undecided, 'run')} not decided; the answer "
                "allows for both outcomes"
            )
        return tuple(lines)

    def _between(self) -> tuple[str, str] | None:
        """Return the ends of the confidence interval as text, rounded outwards so that the interval
        stays correct; None if the estimate lacks an interval."""
        if self.lower is None or self.upper is None:
            return None
        return self._text(self.lower, math.floor), self._text(self.upper, math.ceil)

    def _text(self, number: float, rounded: Callable[[float], int] = round) -> str:
        """Return a number as text, with as many digits as the width of the confidence interval
        justifies. ``rounded`` is the rounding function."""
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
        """Return the estimate as JSON data. Infinite values are strings, because JSON has no
        infinity."""
        document: dict[str, Any] = {"formula": self.prop.text}
        if self.prop.name is not None:
            document["name"] = self.prop.name
        for name in ("holds", "estimate", "lower", "upper", "unknown"):
            if (value := getattr(self, name)) is not None:
                document[name] = _number(value) if isinstance(value, float) else value
        document["bound_kind"] = self.bound_kind
        if self.prop.expected is not None:
            document |= {"expected": self.prop.expected, "as_expected": self.as_expected}
        return document | {
            "confidence": self.confidence,
            "error": self.error,
            "method": self.method,
            "scheduler": self.scheduler,
            "runs": self.runs,
            "undecided": self.undecided,
            "seed": self.seed,
            "max_steps": self.max_steps,
            "steps": self.steps,
            "max_run_length": self.max_run_length,
            "seconds": self.seconds,
        }

    def __bool__(self) -> bool:
        if self.holds is None and self.unknown is None:
            message = (
                f"'{self.prop.text}' is a query, so its result is neither true nor false: "
                "compare its 'estimate'"
            )
            raise TypeError(message)
        return self.holds is True

    def __repr__(self) -> str:
        return f"<Estimate: {self.prop.text} {self.sentence()}>"


def _number(value: float | Fraction) -> float | str:
    return float(value) if math.isfinite(value) else str(float(value))
