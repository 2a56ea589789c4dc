"""Numbers that come from outside a program, such as the value of a parameter in ``--set pe=0.2``."""

from __future__ import annotations

import re
from fractions import Fraction

__all__ = ["exact_number"]

_TOO_LARGE = re.compile(r"[0-9]{300}|[eE][+-]?0*[1-9][0-9]{2}")
"""Numbers that nobody means, and that take more time and memory than there is."""


def exact_number(text: str) -> Fraction | None:
    """The number that is written as ``3``, ``0.25``, ``1/4`` or ``2e-3``; None where there is none."""
    try:
        return None if _TOO_LARGE.search(text) else Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
