"""Ctrl-C between two cycles instead of in the middle of one: the record stays whole."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["InterruptFlag", "deferred_interrupts"]


class InterruptFlag:
    """Whether the user wants the run to end."""

    def __init__(self) -> None:
        self._wanted = threading.Event()

    def __bool__(self) -> bool:
        return self._wanted.is_set()

    def ask(self) -> None:
        self._wanted.set()

    def wait(self, seconds: float) -> None:
        """Waits, but no longer than until somebody wants the run to end."""
        if seconds > 0:
            self._wanted.wait(seconds)


@contextmanager
def deferred_interrupts() -> Iterator[InterruptFlag]:
    """Inside, the first Ctrl-C is noticed and the second one interrupts at once.  Outside of the
    main thread nothing changes."""
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
