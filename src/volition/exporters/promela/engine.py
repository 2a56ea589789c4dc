"""Spin as an engine of the registry: with our translation of programs into Promela."""

from __future__ import annotations

from volition.checking.spin.engine import Spin
from volition.exporters.promela import model_for_spin

__all__ = ["spin"]


def spin() -> Spin:
    """The engine."""
    return Spin(model_for_spin)
