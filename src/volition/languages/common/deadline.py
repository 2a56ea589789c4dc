"""The time limit of a command, for what runs before exploration watches the clock: reading texts,
and code that a program brings."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from volition.diagnostics import Diagnostic, InputError, plural

__all__ = ["alarm", "in_time", "limit_text", "seconds_left", "time_limit"]

READING_PATIENCE = 3.0
"""Seconds that reading may take where the time limit is over: a short limit is meant for the
exploration."""

_limit: float | None = None
_deadline: float | None = None


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Set the time limit of the code inside; None means no limit."""
    global _limit, _deadline
    earlier = _limit, _deadline
    _limit, _deadline = seconds, None if seconds is None else time.monotonic() + seconds
    try:
        yield
    finally:
        _limit, _deadline = earlier


def seconds_left() -> float | None:
    """Return the seconds until the deadline, which may be negative; None where there is no
    limit."""
    return None if _deadline is None else _deadline - time.monotonic()


def limit_text() -> str:
    """Return the time limit for a message."""
    return f"{_limit:g} {plural(_limit or 0, 'second')}"


class _TimeIsOver(BaseException):
    """Raised where the text is read; no ordinary handler catches it."""


@contextmanager
def in_time(what: str) -> Iterator[None]:
    """Raise :class:`InputError` where what runs inside, such as ``reading 'x.can'``, does not end
    within the time limit."""
    left = seconds_left()
    if left is None:
        yield
        return
    try:
        with alarm(max(left, READING_PATIENCE), 0, _raise_time_is_over):
            yield
    except _TimeIsOver:
        hint = "allow more time, or shorten the text"
        raise InputError(
            [
                Diagnostic(
                    "LNG013",
                    f"{what} did not finish within the time limit of {limit_text()}",
                    hint=hint,
                )
            ]
        ) from None


def _raise_time_is_over(_: int, __: FrameType | None) -> NoReturn:
    raise _TimeIsOver


@contextmanager
def alarm(
    seconds: float, again: float, ring: Callable[[int, FrameType | None], None]
) -> Iterator[None]:
    """Call ``ring`` after some seconds, and ``again`` and again after that unless it is 0.

    This needs the main thread and a system that has such a clock; elsewhere it never rings.  An
    alarm that was set outside goes on.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    began = time.monotonic()
    handler = signal.signal(signal.SIGALRM, ring)
    outer, interval = signal.setitimer(signal.ITIMER_REAL, seconds, again)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if outer:
            signal.setitimer(
                signal.ITIMER_REAL, max(outer - (time.monotonic() - began), 1e-3), interval
            )
