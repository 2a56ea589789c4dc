"""Numbers as people write them, read exactly and written again: in formulas, in programs, and from
outside, as in ``--set pe=0.2``."""

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
"""What :func:`exact_number` does not read, for people: numbers that nobody means, and that take
more time and memory than there is."""

_TOO_LONG = re.compile(rf"[0-9]{{{2 * _MAX_DIGITS}}}|[eE][+-]?0*[1-9][0-9]{{3}}")
"""Texts that need not be looked at any further."""


def exact_number(text: str) -> Fraction | None:
    """The number that is written as ``3``, ``0.25``, ``1/4`` or ``2e-3``; None where there is none,
    or one beyond :data:`LIMITS`.

    The limit is one of the value, not of its spelling: what is read can be printed and read again.
    """
    if _TOO_LONG.search(text):
        return None
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
    return number if max(abs(number.numerator), number.denominator) < 10**_MAX_DIGITS else None


def exact_text(number: Fraction) -> str:
    """A fraction in full, however long it is: Python's own text of an integer ends at some thousand
    digits."""
    above, below = (f"{Decimal(each):f}" for each in (number.numerator, number.denominator))
    return above if below == "1" else f"{above}/{below}"


def rounded_text(number: float | Fraction) -> str:
    """Ten digits of a number, also of one that no floating point number is large enough for."""
    try:
        return f"{float(number):.10g}"
    except OverflowError:
        exact = Fraction(number)
        with localcontext(Context(prec=30, Emax=MAX_EMAX, Emin=MIN_EMIN)):
            return f"{(Decimal(exact.numerator) / Decimal(exact.denominator)):.10g}".replace(
                "E", "e"
            )


def read_number(text: str, span: Span | None) -> Fraction:
    """The number in a text that has the form of one; raises :class:`InputError` for one beyond
    :data:`LIMITS`."""
    number = exact_number(text)
    if number is None:
        shown = text if len(text) <= 20 else f"{text[:17]}..."
        raise InputError(
            [Diagnostic("LOG022", f"the number {shown} is too long to compute with", span, LIMITS)]
        )
    return number


def number_text(number: Fraction) -> str:
    """A number as people write it: ``0.1``, or ``1/3`` where no short decimal says it."""
    if number.denominator == 1:
        return exact_text(number)
    decimal = Decimal(number.numerator) / Decimal(number.denominator)
    short = format(decimal.normalize(), "f")
    return short if Fraction(short) == number else exact_text(number)
