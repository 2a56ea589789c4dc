"""Handling of Ctrl-C during a run: the run stops between two cycles, not within one, so that its
record stays complete."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["InterruptFlag", "deferred_interrupts"]


class InterruptFlag:
    """Flag that is true once the user has interrupted the run."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def __bool__(self) -> bool:
        return self._event.is_set()

    def ask(self) -> None:
        self._event.set()

    def wait(self, seconds: float) -> None:
        """Wait for a number of seconds, or until the user interrupts the run."""
        if seconds > 0:
            self._event.wait(seconds)


@contextmanager
def deferred_interrupts() -> Iterator[InterruptFlag]:
    """Context manager in which the first Ctrl-C only sets the yielded flag, and the second one
    raises as usual. Outside the main thread it does not handle Ctrl-C."""
    interruption = InterruptFlag()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    earlier = signal.getsignal(signal.SIGINT)

    def notice(_: int, __: FrameType | None) -> None:
        signal.signal(signal.SIGINT, earlier)
        interruption.ask()

    signal.signal(signal.SIGINT, notice)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, earlier)
