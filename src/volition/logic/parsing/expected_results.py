"""Parser for the expected results of properties, such as ``// RESULT: 0.6561`` in a property file.

- ``true`` or ``false``: the property holds or fails.
- ``0.6561`` or ``1/3``: a number. The computed value may differ by one part in 10⁹.
- ``~0.6357``: a rounded or truncated number. The computed value may differ by one unit of the last
  digit.
- ``inf``: an infinite reward.

This module also detects comments that look like a result but are not one (``// RESULT 0.5``, ``//
RESULTS: true``), so that a misspelt result is not ignored silently.
"""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from fractions import Fraction

from volition.diagnostics import Diagnostic, InputError, Span

__all__ = ["ExpectedResult", "looks_like_result", "read_result", "stated_result"]

TOLERANCE = Fraction(1, 10**9)

_NUMBER = re.compile(
    r"(?P<about>~\s*+)?(?P<number>-?(?:\d++/0*+[1-9]\d*+|(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE](?P<exponent>[-+]?\d++))?))",
    re.ASCII,
)
_MAX_DIGITS = 1000

# Quantifiers are possessive ("*+"), so that white space is read once. Otherwise a long run of
# spaces would take quadratic time or worse.
_STATED = re.compile(r"\s*+RESULT\s*+:\s*+(?P<value>(?:\S++(?:\s++(?=\S))?)*+)\s*$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_VALUE = r"~?\s*+(?:true|false|inf(?:inity)?|[-+]?\.?\d)"
_MEANT = re.compile(
    rf"[\s.]*+(?:\([^)]*+\)\s*+)?(?:[:;=]|[:=]=|::|[-–=]>|–|-(?!\d)|is|are|was|equals?|should\s++be)?\s*+{_VALUE}[^\s,;]*+",
    re.IGNORECASE,
)
_SYNONYM = re.compile(
    rf"\W*+(?:expect(?:ed|s)?|answer)\s*+(?:value|answer)?\s*+[:=]++\s*+{_VALUE}[^\s,;]*+[\s.;]*+",
    re.IGNORECASE,
)
_MARKED = re.compile(r"\s*+(?:\([^)]*+\)\s*+)?[:=]")


@dataclass(frozen=True, slots=True)
class ExpectedResult:
    """Expected result of a property: a truth value, or a number with a tolerance."""

    truth: bool | None = None
    number: Fraction | float | None = None
    tolerance: Fraction = Fraction(0)


def read_result(text: str, span: Span | None = None) -> ExpectedResult:
    """Parse an expected result such as ``true`` or ``~0.33``. Raise :class:`InputError` at ``span``
    if the text is not a valid result."""
    words = text.strip().lower()
    if words in ("true", "false"):
        return ExpectedResult(truth=words == "true")
    if words in ("inf", "infinity"):
        return ExpectedResult(number=math.inf)
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        hint = "write true, false, a number such as 0.25 or 1/4, ~0.33 for a rounded number, or inf"
        message = f"the expected result '{_short(text.strip())}' is not true, false or a number"
        raise InputError([Diagnostic("CHK020", message, span, hint)])
    if (number := _exact(match)) is None:
        hint = (
            f"a result has at most {_MAX_DIGITS} digits, and is less than 1e308; write inf for "
            "an infinite reward"
        )
        raise InputError(
            [
                Diagnostic(
                    "CHK020",
                    f"the expected result '{_short(text.strip())}' is too large",
                    span,
                    hint,
                )
            ]
        )
    if match["about"] is None:
        return ExpectedResult(number=number, tolerance=TOLERANCE * max(Fraction(1), abs(number)))
    return ExpectedResult(number=number, tolerance=_last_digit(match["number"]))


def _exact(number: re.Match[str]) -> Fraction | None:
    """Return the exact value of a number, or None if it has too many digits or is too large. The
    length of the text is checked first, because converting a long number is slow."""
    exponent = (number["exponent"] or "").lstrip("+-0")
    if len(number["number"]) > _MAX_DIGITS or len(exponent) > 3:
        return None
    exact = Fraction(number["number"])
    return exact if abs(exact) < 10**308 else None


def stated_result(comment: str) -> re.Match[str] | None:
    """Match a comment of the form ``RESULT: value``. Return the match, whose group ``value`` is the
    expected result as written; None if the comment has another form."""
    return _STATED.match(comment)


def looks_like_result(comment: str) -> bool:
    """Return whether a comment was probably meant to state an expected result.

    This is the case for

    - a synonym of *result* and a value, and nothing else: *Expected: true*;
    - a word similar to *result*, followed by a value and nothing else;
    - a word similar to *result*, as the first word or in capital letters, followed by a colon or an
      equals sign;
    - a word similar to *result* in capital letters, followed by a value or nothing.

    Any other comment that mentions a result is not meant to state one.
    """
    if _SYNONYM.fullmatch(comment):
        return True
    for number, word in enumerate(_WORD.finditer(comment)):
        if not _resembles_result(word[0]):
            continue
        rest, loud = comment[word.end() :], word[0].isupper()
        meant = _MEANT.match(rest)
        if (
            meant
            and (loud or not rest[meant.end() :].strip(" \t.;,)*/"))
            and (loud or number < 2 or _MARKED.match(rest))
        ):
            return True
        if (loud or number == 0) and _MARKED.match(rest):
            return True
        if loud and not rest.strip(" \t.;,)*/"):
            return True
    return False


def _resembles_result(word: str) -> bool:
    alike = difflib.SequenceMatcher(None, word.lower()[:20], "result")
    # The first two ratios are upper bounds of the third and are computed faster.
    return all(
        ratio() >= 0.83 for ratio in (alike.real_quick_ratio, alike.quick_ratio, alike.ratio)
    )


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


def _last_digit(number: str) -> Fraction:
    """Return the value of one unit in the last digit of a number as written: 1/100 for ``0.25``."""
    mantissa, _, exponent = number.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return Fraction(10) ** (int(exponent or 0) - decimals)
