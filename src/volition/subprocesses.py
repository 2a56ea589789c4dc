"""Subprocesses that do not outlive this process, and protection against user code that would end
this process."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

__all__ = ["Terminated", "kill_with_parent", "raise_on_sigterm", "refusing_exits", "run_subprocess"]

_SET_PARENT_DEATH_SIGNAL = 1
_library = ctypes.CDLL(None) if sys.platform == "linux" else None


class Terminated(BaseException):
    """Exception raised when the system or another program asks this process to end (SIGTERM)."""


def kill_with_parent() -> None:
    """Make Linux kill this process when its parent process ends, even during a computation.

    Do nothing on other systems.
    """
    if _library is not None:
        _library.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def run_subprocess(
    command: Sequence[str], *, folder: Path | None = None, seconds: float | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program and return its output and exit code.

    Raise :class:`OSError` if it cannot be started and :class:`subprocess.TimeoutExpired` after
    ``seconds``. The program gets its own process group, because a compiler, for example, starts
    several programs. The whole group is killed on a timeout and when this process is interrupted.
    """
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=kill_with_parent,
    ) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


@contextmanager
def raise_on_sigterm() -> Iterator[None]:
    """Raise :class:`Terminated` on SIGTERM inside the ``with`` block, so that clean-up code runs.

    A process that is forked inside the block ends immediately on SIGTERM, without the exception.
    With the exception, the forked process would continue as a copy of this process. In threads
    other than the main thread, the block has no effect.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    process = os.getpid()

    def end(*_: object) -> None:
        if os.getpid() != process:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTERM)
        raise Terminated

    before: Any = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def refusing_exits() -> Iterator[list[str]]:
    """Make functions of ``os`` that end or replace this process raise :class:`SystemExit` inside
    the ``with`` block.

    User code that Volition runs must not determine the exit code of Volition. The list that the
    ``with`` statement yields receives the text of each refused call, such as ``os._exit(1)``. A
    nested block yields the list of the outer block. Processes forked from this one can still end
    with these functions.
    """
    if isinstance(os._exit, _RefusedExit):
        yield os._exit.attempts
        return
    attempts: list[str] = []
    modules = [os, *([] if (posix := sys.modules.get("posix")) is None else [posix])]
    kept = [
        (module, name, getattr(module, name))
        for module in modules
        for name in _ENDINGS
        if hasattr(module, name)
    ]
    for module, name, function in kept:
        setattr(module, name, _RefusedExit(name, function, os.getpid(), attempts))
    try:
        yield attempts
    finally:
        for module, name, function in kept:
            setattr(module, name, function)


_ENDINGS = ("_exit", "abort", "execv", "execve")


@dataclass(frozen=True, slots=True)
class _RefusedExit:
    """Replacement of a function of ``os`` that would end or replace this process. It raises
    :class:`SystemExit` in the process that installed it, and calls the original function in forked
    processes."""

    name: str
    really: Callable[..., NoReturn]
    process: int
    attempts: list[str]

    def __call__(self, *arguments: Any) -> NoReturn:
        if os.getpid() != self.process:
            self.really(*arguments)
        call = f"os.{self.name}({', '.join(map(repr, arguments[:1]))})"
        self.attempts.append(call)
        raise SystemExit(call)
