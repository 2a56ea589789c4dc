"""Results that a program's author expects, as files state them (``// RESULT: 0.6561``), and whether an answer meets them.

=================  ==================================================================================================
``true``, ``false``  a property that holds or fails
``0.6561``, ``1/3``   a number: the answer may differ by one part in 10⁹
``~0.6357``         a number that was rounded or cut off: the answer may differ by one unit of the last digit written
``inf``             an infinite reward
=================  ==================================================================================================
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, InputError, Span

__all__ = ["Expectation", "read_expectation"]

TOLERANCE = Fraction(1, 10**9)

_NUMBER = re.compile(r"(?P<about>~\s*)?(?P<number>-?(?:\d+/0*[1-9]\d*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))")


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected result: a truth value, or a number and how far the answer may be from it."""

    truth: bool | None = None
    number: Fraction | float | None = None
    tolerance: Fraction = Fraction(0)

    def is_met_by(self, verdict: Verdict) -> bool | None:
        """Whether the answer is as expected; None if there is no answer."""
        if verdict.unknown is not None:
            return None
        if self.truth is not None:
            return verdict.holds is self.truth
        if self.number is None or verdict.value is None:
            return False
        if not math.isfinite(verdict.value) or not math.isfinite(self.number):
            return verdict.value == self.number
        return abs(Fraction(verdict.value) - Fraction(self.number)) <= self.tolerance


def read_expectation(text: str, span: Span | None = None) -> Expectation:
    """The expectation in words; raises :class:`InputError` with the given place if it is none."""
    words = text.strip().lower()
    if words in ("true", "false"):
        return Expectation(truth=words == "true")
    if words in ("inf", "infinity"):
        return Expectation(number=math.inf)
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        hint = "write true, false, a number such as 0.25 or 1/4, ~0.33 for a rounded number, or inf"
        raise InputError([Diagnostic("CHK020", f"the expected result '{text.strip()}' is neither true, false nor a number", span, hint)])
    number = Fraction(match["number"])
    if match["about"] is None:
        return Expectation(number=number, tolerance=TOLERANCE * max(Fraction(1), abs(number)))
    return Expectation(number=number, tolerance=_last_digit(match["number"]))


def _last_digit(number: str) -> Fraction:
    """One unit of the last digit written."""
    mantissa, _, exponent = number.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return Fraction(10) ** (int(exponent or 0) - decimals)
