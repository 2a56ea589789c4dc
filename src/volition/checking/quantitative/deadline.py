"""One time limit for a piece of work that has many steps."""

from __future__ import annotations

import time

from volition.checking.storm.client import EngineStopped
from volition.diagnostics import plural

__all__ = ["Deadline"]


class Deadline:
    """Counts from the moment it is made; None is no limit."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._start = time.perf_counter()

    @property
    def left(self) -> float | None:
        """Seconds that are left, perhaps none; None if there is no limit."""
        return (
            None
            if self._seconds is None
            else max(0.0, self._seconds - (time.perf_counter() - self._start))
        )

    def check(self) -> None:
        """Raise :class:`EngineStopped` if time is up; to be called between steps that are short."""
        if self.left == 0.0:
            raise EngineStopped(
                f"stopped after {self._seconds:g} {plural(self._seconds or 0, 'second')}"
            )
