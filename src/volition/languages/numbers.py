"""Numbers of programs, read as everywhere: see :mod:`volition.logic.numbers`."""

from __future__ import annotations

from volition.logic.numbers import LIMITS, exact_number

__all__ = ["LIMITS", "exact_number"]
