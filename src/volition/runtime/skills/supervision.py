"""Supervised execution of a skill's code in a separate thread, with a deadline for each result.

A thread cannot be stopped from outside. A thread that hangs gets no new work until it returns by
itself.
"""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["SkillFailed", "SkillTimeout", "SupervisedThread"]

T = TypeVar("T")


class SkillFailed(Exception):
    """Error for a skill whose code raised an exception. The message describes the exception in one
    line."""


class SkillTimeout(Exception):
    """Error for a skill whose code did not finish before its deadline, or is still busy with
    earlier work."""


class SupervisedThread:
    """A thread that executes one function of a skill at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._work: queue.SimpleQueue[tuple[Callable[[], Any], _PendingResult] | None] = (
            queue.SimpleQueue()
        )
        self._thread: threading.Thread | None = None
        self._unfinished: _PendingResult | None = None

    def do(self, work: Callable[[], T], seconds: float) -> T:
        """Execute the function ``work`` in the thread and return its result. Raise
        :class:`SkillFailed` if it raises, and :class:`SkillTimeout` if it takes longer than
        ``seconds``."""
        if self._unfinished is not None:
            if not self._unfinished.ready.is_set():
                raise SkillTimeout("its previous step has not finished")
            self._unfinished = None
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop, name=self._name, daemon=True)
            self._thread.start()
        answer = _PendingResult()
        self._work.put((work, answer))
        # Standard output is for results, so the output of a skill goes to standard error.
        with contextlib.redirect_stdout(sys.stderr):
            if not answer.ready.wait(seconds):
                self._unfinished = answer
                raise SkillTimeout(f"it did not answer within {seconds:g} s")
        if answer.error is not None:
            raise SkillFailed(_error_text(answer.error)) from answer.error
        value: T = answer.value
        return value

    def close(self) -> None:
        self._work.put(None)

    def _loop(self) -> None:
        while (task := self._work.get()) is not None:
            work, answer = task
            try:
                answer.value = work()
            except (
                BaseException
            ) as error:  # any exception, even SystemExit, ends only this piece of work
                answer.error = error
            answer.ready.set()


class _PendingResult:
    def __init__(self) -> None:
        self.ready = threading.Event()
        self.value: Any = None
        self.error: BaseException | None = None


def _error_text(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"[:500]
    except Exception:
        return type(error).__name__
