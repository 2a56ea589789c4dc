"""Registration of Spin as an engine of ``volition check``, with the translation of programs to
Promela."""

from __future__ import annotations

from volition.checking.spin.engine import Spin
from volition.exporters.promela import model_for_spin

__all__ = ["spin"]


def spin() -> Spin:
    """Return the Spin engine, which translates programs with
    :func:`volition.exporters.promela.model_for_spin`."""
    return Spin(model_for_spin)
