"""Whether an answer is as the author of a program expects it (see :mod:`volition.logic.reading.expected_results`)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from volition.checking.verdict import Verdict
from volition.diagnostics import Span
from volition.logic.reading.expected_results import ExpectedResult, read_result

__all__ = ["Expectation", "read_expectation"]


@dataclass(frozen=True, slots=True)
class Expectation(ExpectedResult):
    """An expected result that answers are compared with."""

    def is_met_by(self, verdict: Verdict) -> bool | None:
        """Whether the answer is as expected; None if there is no answer."""
        if verdict.unknown is not None:
            return None
        if self.truth is not None:
            return verdict.holds is self.truth
        if self.number is None or verdict.value is None:
            return False
        if not math.isfinite(verdict.value) or self.number == math.inf:
            return verdict.value == self.number
        return abs(Fraction(verdict.value) - Fraction(self.number)) <= self.tolerance


def read_expectation(text: str, span: Span | None = None) -> Expectation:
    """The expectation in words; raises :class:`InputError` with the given place if it is none."""
    result = read_result(text, span)
    return Expectation(result.truth, result.number, result.tolerance)
