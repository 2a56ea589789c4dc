"""Guard around the Python code that comes with a program (worlds, skills, selection functions).

Errors in that code are reported like errors in any other file, with their line. The user has
consented to run the code, so it is not assumed to be hostile, but it may have bugs. The guard keeps
the code from ending the process in the usual ways, from printing into the output, and from running
past the time limit.
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

MIN_CALL_SECONDS = 1.0
"""Minimum number of seconds that a call of user code may take, even if the time limit of the
command has already passed."""

ALARM_INTERVAL = 0.1
LONGEST_SUMMARY = 1000
"""Maximum number of characters of an exception's text in a message."""

_EXIT_FUNCTIONS = ("_exit", "abort", "kill", "execv", "execve")
"""Functions of ``os`` that end the process without raising an exception."""


class _TimeLimitExceeded(BaseException):
    """Exception that the alarm raises in user code. It is a BaseException, so that ``except
    Exception`` does not catch it."""


class _ExitBlocked(BaseException):
    """Exception raised when user code calls a function that would end the process, such as
    ``os._exit``."""


def safe_repr(value: object) -> str:
    """Return the ``repr`` of a value from user code, or its type name if ``repr`` fails."""
    try:
        return repr(value)
    except Exception:
        return f"a {type(value).__name__}"


@dataclass(frozen=True)
class UserCode:
    """Python file of a user, whose functions run inside :meth:`guard`."""

    source: Source

    @contextmanager
    def guard(
        self, code: str, what: str, *, line: int | None = None, hint: str | None = None
    ) -> Iterator[None]:
        """Guard the call of user code inside the ``with`` block. ``what`` names the called function
        in messages; ``line`` is the line that an error points at if the traceback has none.

        Raise :class:`InputError` with the error code ``code`` and the hint ``hint`` if the call
        fails.
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
        except BaseException as error:  # any failure of user code is an error in the input
            raise self.error(
                code, f"{what} fails: {_summary(error)}", self.line_of(error) or line, hint
            ) from error

    def error(
        self, code: str, message: str, line: int | None, hint: str | None = None
    ) -> InputError:
        """Return an error that points at a line of the user's file."""
        return InputError(
            [Diagnostic(code, message, None if line is None else self._span(line), hint)]
        )

    def line_of(self, error: BaseException) -> int | None:
        """Return the line of the user's file that is innermost in an error's traceback, or None."""
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
    """Turn threads that user code starts inside the ``with`` block into daemon threads, so that the
    process does not wait for them when it ends.

    New threads inherit the daemon flag from the current thread.
    """
    thread: Any = threading.current_thread()
    before, thread._daemonic = thread._daemonic, True
    try:
        yield
    finally:
        thread._daemonic = before


@contextmanager
def _end_forked_children() -> Iterator[None]:
    """End child processes that user code forks inside the ``with`` block. Otherwise a child would
    continue after the block like its parent, and repeat all output."""
    process, end = os.getpid(), os._exit
    try:
        yield
    finally:
        if os.getpid() != process:
            end(0)


@contextmanager
def _block_exit_functions() -> Iterator[None]:
    originals: Mapping[str, Callable[..., Any]] = {
        name: getattr(os, name) for name in _EXIT_FUNCTIONS if hasattr(os, name)
    }
    for name in originals:
        setattr(os, name, _raise_exit_blocked)
    try:
        yield
    finally:
        for name, function in originals.items():
            setattr(os, name, function)


def _raise_exit_blocked(*_: Any, **__: Any) -> NoReturn:
    raise _ExitBlocked


@contextmanager
def _time_limit(file: str) -> Iterator[None]:
    """Interrupt user code inside the ``with`` block when it exceeds the time limit of the command,
    by raising :class:`_TimeLimitExceeded` in it. ``file`` is the name of the user's file.

    This works only in the main thread and on systems with interval timers. The alarm repeats, so
    that code that catches all exceptions is interrupted again.
    """
    left = seconds_left()
    if left is None:
        yield
        return
    traced = sys.gettrace()
    with alarm(
        max(left, MIN_CALL_SECONDS), ALARM_INTERVAL, lambda _, frame: _on_alarm(file, frame)
    ):
        try:
            yield
        finally:
            sys.settrace(traced)


def _on_alarm(file: str, frame: FrameType | None) -> None:
    """Raise :class:`_TimeLimitExceeded` in the running user code, and once more on its next line,
    so that a broad ``except`` does not swallow it. ``file`` is the name of the user's file,
    ``frame`` the frame that was interrupted."""
    stack = list(_callers(frame))
    if any(each.f_code is _ALARM_CODE for each in stack):
        return  # the user code has just returned
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
