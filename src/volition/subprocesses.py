"""Other programs, of which none outlives this one, and code of others, which must not end it."""

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
    """The system, or another program, wants this process to end."""


def kill_with_parent() -> None:
    """On Linux, have the system end this process when its parent is gone, even in the middle of a
    computation."""
    if _library is not None:
        _library.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def run_subprocess(
    command: Sequence[str], *, folder: Path | None = None, seconds: float | None = None
) -> subprocess.CompletedProcess[str]:
    """What a program prints, and how it ends; raises :class:`OSError` and
    :class:`subprocess.TimeoutExpired`.

    The program gets a group of processes of its own, which ends as a whole when the time is over,
    or this process is to end: a compiler is several programs.
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
    """Inside it, SIGTERM is the exception :class:`Terminated`: what was begun is cleared away.

    A process that is forked inside it ends at once: with the exception it would go on as a copy of
    this process.
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
    """Turn the functions of ``os`` that end or replace this process into exceptions: the code of a
    project must not choose its exit code.

    The list receives every attempt, as a call.  An inner ``with`` shares the list of the outer one.
    Processes that are forked from this one may still end this way.
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
    """Replacement of a function of ``os`` that raises :class:`SystemExit` in the process that
    installed it."""

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
