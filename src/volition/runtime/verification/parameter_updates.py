"""Parameters that change while an agent runs: said from any thread, taken over between two
cycles."""

from __future__ import annotations

import threading
from collections.abc import Mapping

__all__ = ["ParameterUpdates"]


class ParameterUpdates:
    """Hands new parameters to a run (``run(..., changes=changes)``):
    ``changes.set({"storm.activation.p": 0.4})``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, str] = {}

    def set(self, parameters: Mapping[str, object]) -> None:
        """The values of some parameters from now on; they count as soon as everything is computed
        anew."""
        with self._lock:
            self._waiting |= {name: str(value) for name, value in parameters.items()}

    def drain(self) -> Mapping[str, str]:
        """What was said since this was asked last."""
        with self._lock:
            taken, self._waiting = self._waiting, {}
            return taken
