"""Spin as a registered engine, with our translation of programs to Promela."""

from __future__ import annotations

from volition.checking.spin.engine import Spin
from volition.exporters.promela import model_for_spin

__all__ = ["spin"]


def spin() -> Spin:
    """Return the engine."""
    return Spin(model_for_spin)
