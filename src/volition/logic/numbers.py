"""Exact parsing and printing of numbers in formulas, programs and options such as ``--set
pe=0.2``."""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction

from volition.diagnostics import Diagnostic, InputError, Span

__all__ = ["LIMITS", "exact_number", "exact_text", "number_text", "read_number", "rounded_text"]

_MAX_DIGITS = 400

LIMITS = (
    f"as a fraction, a number may have at most {_MAX_DIGITS} digits in numerator and denominator"
)
"""Hint for users about the largest numbers that :func:`exact_number` accepts. Larger numbers would
take excessive time and memory."""

_TOO_LONG = re.compile(rf"[0-9]{{{2 * _MAX_DIGITS}}}|[eE][+-]?0*[1-9][0-9]{{3}}")
"""Pattern of numbers that certainly exceed :data:`LIMITS`. They are rejected without being parsed.
"""


def exact_number(text: str) -> Fraction | None:
    """Return the value of ``3``, ``0.25``, ``1/4`` or ``2e-3``; None if the text is not a number or
    the number exceeds :data:`LIMITS`.

    The limits apply to the value, not to its spelling. Every number that is accepted can be
    printed, and the printed text is accepted too.
    """
    if _TOO_LONG.search(text):
        return None
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
    return number if max(abs(number.numerator), number.denominator) < 10**_MAX_DIGITS else None


def exact_text(number: Fraction) -> str:
    """Return the full text of a fraction, without Python's limit of some thousand digits per
    integer."""
    above, below = (f"{Decimal(each):f}" for each in (number.numerator, number.denominator))
    return above if below == "1" else f"{above}/{below}"


def rounded_text(number: float | Fraction) -> str:
    """Return a number with ten significant digits, even if it is too large for a float."""
    try:
        return f"{float(number):.10g}"
    except OverflowError:
        exact = Fraction(number)
        with localcontext(Context(prec=30, Emax=MAX_EMAX, Emin=MIN_EMIN)):
            return f"{(Decimal(exact.numerator) / Decimal(exact.denominator)):.10g}".replace(
                "E", "e"
            )


def read_number(text: str, span: Span | None) -> Fraction:
    """Return the value of a number in a formula. Raise :class:`InputError` at ``span`` if it
    exceeds :data:`LIMITS`."""
    number = exact_number(text)
    if number is None:
        shown = text if len(text) <= 20 else f"{text[:17]}..."
        raise InputError(
            [Diagnostic("LOG022", f"the number {shown} has too many digits", span, LIMITS)]
        )
    return number


def number_text(number: Fraction) -> str:
    """Return a number as a short exact decimal such as ``0.1``, or as a fraction such as
    ``1/3``."""
    if number.denominator == 1:
        return exact_text(number)
    decimal = Decimal(number.numerator) / Decimal(number.denominator)
    short = format(decimal.normalize(), "f")
    return short if Fraction(short) == number else exact_text(number)
