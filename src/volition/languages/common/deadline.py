"""Time limit of a command while programs are read and user code runs.

During exploration the kernel checks the limit itself.
"""

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

MIN_READING_SECONDS = 3.0
"""Minimum number of seconds that reading a program may take, even if the time limit has already
passed. A short limit is usually meant for the exploration, not for reading."""

_limit: float | None = None
_deadline: float | None = None


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Set the time limit for the code inside the ``with`` block; None means no limit."""
    global _limit, _deadline
    earlier = _limit, _deadline
    _limit, _deadline = seconds, None if seconds is None else time.monotonic() + seconds
    try:
        yield
    finally:
        _limit, _deadline = earlier


def seconds_left() -> float | None:
    """Return the seconds until the deadline set by :func:`time_limit` (negative after it), or None
    without a limit."""
    return None if _deadline is None else _deadline - time.monotonic()


def limit_text() -> str:
    """Return the time limit as text for a message, such as ``5 seconds``."""
    return f"{_limit:g} {plural(_limit or 0, 'second')}"


class _TimeIsOver(BaseException):
    """Exception that the alarm raises while a text is read. It is a BaseException, so that ``except
    Exception`` does not catch it."""


@contextmanager
def in_time(what: str) -> Iterator[None]:
    """Raise :class:`InputError` if the code inside the ``with`` block exceeds the time limit.

    ``what`` describes the activity in the message, for example ``reading 'x.can'``.
    """
    left = seconds_left()
    if left is None:
        yield
        return
    try:
        with alarm(max(left, MIN_READING_SECONDS), 0, _raise_time_is_over):
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
    seconds: float, interval: float, handler: Callable[[int, FrameType | None], None]
) -> Iterator[None]:
    """Call ``handler`` after ``seconds``, and then every ``interval`` seconds unless that is 0,
    while the code inside the ``with`` block runs.

    This works only in the main thread and on systems with interval timers; elsewhere the handler is
    never called. A timer that was already set outside the block continues after it.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    began = time.monotonic()
    previous = signal.signal(signal.SIGALRM, handler)
    outer, outer_interval = signal.setitimer(signal.ITIMER_REAL, seconds, interval)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        if outer:
            signal.setitimer(
                signal.ITIMER_REAL, max(outer - (time.monotonic() - began), 1e-3), outer_interval
            )
