"""New parameter values for a running program: set from any thread, applied between two cycles."""

from __future__ import annotations

import threading
from collections.abc import Mapping

__all__ = ["ParameterUpdates"]


class ParameterUpdates:
    """Container that passes new parameter values to a run in progress. Start the run with
    ``run(..., changes=changes)``, where ``changes`` is this object, and call
    ``changes.set({"storm.activation.p": 0.4})`` from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, str] = {}

    def set(self, parameters: Mapping[str, object]) -> None:
        """Set the values of parameters, given by name. They take effect when all values of queries
        have been recomputed."""
        with self._lock:
            self._waiting |= {name: str(value) for name, value in parameters.items()}

    def drain(self) -> Mapping[str, str]:
        """Return the parameter values that were set since the last call of this method."""
        with self._lock:
            taken, self._waiting = self._waiting, {}
            return taken
