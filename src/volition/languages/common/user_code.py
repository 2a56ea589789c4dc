"""Code that a program brings, while it runs: what it does wrong is told like a mistake in any other
file, with its line.

Whoever let it run trusts it not to be hostile; mistakes it may have.  It cannot end this process by
the usual ways, print into the answer, or outlive the time limit.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, NoReturn

from volition.diagnostics import Diagnostic, InputError, Source, Span
from volition.languages.common.deadline import alarm, limit_text, seconds_left
from volition.subprocesses import Terminated

__all__ = ["UserCode", "safe_repr"]

DEFAULT_TIME_LIMIT = 1.0
"""Seconds that a call may take where the time limit is over."""

ALARM_INTERVAL = 0.1
LONGEST_SUMMARY = 1000
"""Characters of what foreign code says about its failure."""

_EXIT_FUNCTIONS = ("_exit", "abort", "kill", "execv", "execve")
"""Functions of ``os`` that end the process without an exception."""


class _TimeLimitExceeded(BaseException):
    """Raised inside of foreign code by the clock; no ordinary handler of that code stops it."""


class _ExitBlocked(BaseException):
    """Raised in the place of a function that would end the process."""


def safe_repr(value: object) -> str:
    """A value of foreign code in a message; its own way to say so may be wrong as well."""
    try:
        return repr(value)
    except Exception:
        return f"a {type(value).__name__}"


@dataclass(frozen=True)
class UserCode:
    """The code in a file."""

    source: Source

    @contextmanager
    def guard(
        self, code: str, what: str, *, line: int | None = None, hint: str | None = None
    ) -> Iterator[None]:
        """Inside, foreign code runs: ``what`` is called, which stands in ``line``.

        Raises :class:`InputError` with ``code`` where it fails.
        """
        try:
            with (
                contextlib.redirect_stdout(sys.stderr),
                _daemon_threads(),
                _end_forked_children(),
                _block_exit_functions(),
                _time_limit(self.source.name),
            ):
                yield
        except (InputError, KeyboardInterrupt, Terminated):
            raise
        except _TimeLimitExceeded as error:
            raise self.error(
                code,
                f"{what} did not finish within the time limit of {limit_text()}",
                self.line_of(error) or line,
            ) from None
        except (SystemExit, _ExitBlocked) as error:
            raise self.error(
                code,
                f"{what} ends the process",
                self.line_of(error) or line,
                "let it return instead",
            ) from None
        except (
            BaseException
        ) as error:  # whatever the user's code does wrong is a mistake in the input, not in us
            raise self.error(
                code, f"{what} fails: {_summary(error)}", self.line_of(error) or line, hint
            ) from error

    def error(
        self, code: str, message: str, line: int | None, hint: str | None = None
    ) -> InputError:
        """A mistake in a line of the file."""
        return InputError(
            [Diagnostic(code, message, None if line is None else self._span(line), hint)]
        )

    def line_of(self, error: BaseException) -> int | None:
        """The innermost line of the file that an error went through."""
        if isinstance(error, SyntaxError) and error.filename == self.source.name:
            return error.lineno
        frames = traceback.extract_tb(error.__traceback__)
        return next(
            (each.lineno for each in reversed(frames) if each.filename == self.source.name), None
        )

    def _span(self, line: int) -> Span | None:
        lines = self.source.text.splitlines(keepends=True)
        if not 1 <= line <= len(lines):
            return None
        text = lines[line - 1]
        start = sum(map(len, lines[: line - 1])) + len(text) - len(text.lstrip())
        return self.source.span(start, start + len(text.strip()))


def _summary(error: BaseException) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
        return text if len(text) <= LONGEST_SUMMARY else f"{text[:LONGEST_SUMMARY]}…"
    except Exception:
        return type(error).__name__


@contextmanager
def _daemon_threads() -> Iterator[None]:
    """Threads that foreign code starts end with this process, which would wait for them: they
    inherit that from the one at work."""
    thread: Any = threading.current_thread()
    before, thread._daemonic = thread._daemonic, True
    try:
        yield
    finally:
        thread._daemonic = before


@contextmanager
def _end_forked_children() -> Iterator[None]:
    """A copy of this process that foreign code makes (``os.fork``) ends with the call; it would
    give all answers a second time."""
    process, end = os.getpid(), os._exit
    try:
        yield
    finally:
        if os.getpid() != process:
            end(0)


@contextmanager
def _block_exit_functions() -> Iterator[None]:
    kept: Mapping[str, Callable[..., Any]] = {
        name: getattr(os, name) for name in _EXIT_FUNCTIONS if hasattr(os, name)
    }
    for name in kept:
        setattr(os, name, _raise_exit_blocked)
    try:
        yield
    finally:
        for name, function in kept.items():
            setattr(os, name, function)


def _raise_exit_blocked(*_: Any, **__: Any) -> NoReturn:
    raise _ExitBlocked


@contextmanager
def _time_limit(file: str) -> Iterator[None]:
    """Raises :class:`_TimeIsOver` inside of what runs too long: in the main thread, where the
    system has a clock that can do that.

    It rings again and again: code that catches everything gets the exception also where it has
    caught it.
    """
    left = seconds_left()
    if left is None:
        yield
        return
    traced = sys.gettrace()
    with alarm(
        max(left, DEFAULT_TIME_LIMIT), ALARM_INTERVAL, lambda _, frame: _on_alarm(file, frame)
    ):
        try:
            yield
        finally:
            sys.settrace(traced)


def _on_alarm(file: str, frame: FrameType | None) -> None:
    """Raises where foreign code is, and has it raised again in the next line of its file."""
    stack = list(_callers(frame))
    if any(each.f_code is _ALARM_CODE for each in stack):
        return  # foreign code has ended just now
    for each in stack:
        if each.f_code.co_filename == file:
            each.f_trace = _raise_in_line
    sys.settrace(lambda *_: None)
    raise _TimeLimitExceeded


_ALARM_CODE = inspect.unwrap(_time_limit).__code__


def _callers(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _raise_in_line(frame: FrameType, event: str, arg: object) -> Any:  # noqa: ARG001
    if event == "line":
        raise _TimeLimitExceeded
    return _raise_in_line
