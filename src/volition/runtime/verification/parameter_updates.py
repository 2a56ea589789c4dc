"""Parameters that change during a run: set from any thread, applied between two cycles."""

from __future__ import annotations

import threading
from collections.abc import Mapping

__all__ = ["ParameterUpdates"]


class ParameterUpdates:
    """Passes new parameter values to a run (``run(..., changes=changes)``):
    ``changes.set({"storm.activation.p": 0.4})``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, str] = {}

    def set(self, parameters: Mapping[str, object]) -> None:
        """Set the values of some parameters. They take effect when all values have been
        recomputed."""
        with self._lock:
            self._waiting |= {name: str(value) for name, value in parameters.items()}

    def drain(self) -> Mapping[str, str]:
        """Return the values that were set since the last call."""
        with self._lock:
            taken, self._waiting = self._waiting, {}
            return taken
