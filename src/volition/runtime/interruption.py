"""Handling of Ctrl-C between two cycles instead of within one, so that the record stays
complete."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["InterruptFlag", "deferred_interrupts"]


class InterruptFlag:
    """Whether the user has interrupted the run."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def __bool__(self) -> bool:
        return self._event.is_set()

    def ask(self) -> None:
        self._event.set()

    def wait(self, seconds: float) -> None:
        """Wait for some seconds, or until the user interrupts the run."""
        if seconds > 0:
            self._event.wait(seconds)


@contextmanager
def deferred_interrupts() -> Iterator[InterruptFlag]:
    """Context in which the first Ctrl-C only sets the flag and the second one raises as usual.
    Outside the main thread it has no effect."""
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
