"""Time limit that is shared by all steps of a computation."""

from __future__ import annotations

import time

from volition.checking.storm.client import EngineStopped
from volition.diagnostics import plural

__all__ = ["Deadline"]


class Deadline:
    """Time limit in seconds, counted from the creation of the object; None means unlimited."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._start = time.perf_counter()

    @property
    def left(self) -> float | None:
        """Seconds left, at least 0; None if unlimited."""
        return (
            None
            if self._seconds is None
            else max(0.0, self._seconds - (time.perf_counter() - self._start))
        )

    def check(self) -> None:
        """Raise :class:`EngineStopped` if the time is up. Long computations call this method
        between short steps."""
        if self.left == 0.0:
            raise EngineStopped(
                f"stopped after {self._seconds:g} {plural(self._seconds or 0, 'second')}"
            )
