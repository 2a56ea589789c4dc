"""Spin as an independent judge of exported Promela models."""

from __future__ import annotations

import shutil

import pytest

from volition.checking.spin.tools import FOR_STATES, verifier

__all__ = ["needs_spin", "states_of"]

needs_spin = pytest.mark.skipif(
    shutil.which("spin") is None or shutil.which("cc") is None,
    reason="Spin and a C compiler are not installed on this machine",
)


def states_of(model: str, *, optimise: str = "-O0") -> int:
    """How many states Spin finds."""
    with verifier(model, optimise=optimise, options=FOR_STATES) as made:
        counted = made.count()
    assert counted.unknown is None
    assert counted.exceeded is None
    return counted.states
