"""The processes that compute, as the pages see them: one request at a time each, news while they work, and an end at any moment.

Long work never blocks a page.  Stopping interrupts what is being computed, as Ctrl-C does on the command line; a process that does not
listen is ended, and the next request starts another one.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from volition.diagnostics import Diagnostic, InputError
from volition.studio.bench import Bench
from volition.tools import die_with_parent

__all__ = ["Failure", "Job", "Stopped", "prepare"]

PATIENCE = 2.0
"""Seconds that a process has to notice that it is to stop."""


class Stopped(Exception):
    """The user has stopped the work."""


class Failure(Exception):
    """The work failed in a way that nobody foresaw; the text says how."""


@dataclass(frozen=True, slots=True)
class _News:
    """What a request has to say before it is done."""

    content: object


@cache
def _processes() -> BaseContext:
    """Processes that begin with the library already loaded, where the system can do that."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["volition.studio.work"])
    return context


def prepare() -> None:
    """Have the library loaded before somebody waits for it."""
    if _processes().get_start_method() == "forkserver":
        forkserver.ensure_running()


def _work(channel: Connection) -> None:
    """The other process: does what it is asked until nobody is there any more."""
    die_with_parent()
    bench = Bench(news=lambda content: channel.send(_News(content)))
    while True:
        try:
            function, arguments = channel.recv()
        except KeyboardInterrupt:  # it was told to stop when it was done already
            continue
        except (EOFError, OSError):
            return
        try:
            channel.send(_result(bench, function, arguments))
        except KeyboardInterrupt:
            channel.send(Stopped())
        except OSError:
            return


def _result(bench: Bench, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        return function(bench, *arguments)
    except KeyboardInterrupt:
        return Stopped()
    except InputError as error:
        return InputError([Diagnostic(each.code, each.message, hint=each.hint) for each in error.diagnostics])
    except Exception as error:  # told on the page: the process goes on
        return Failure(f"{type(error).__name__}: {error}")


class Job:
    """A process with a bench of its own."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._channel: Connection | None = None
        self._turn = asyncio.Lock()
        self._stopping = False
        self.version: object = None
        """Which version of the program is open on its bench, as whoever asks counts them; None if there is none."""

    async def ask(self, function: Callable[..., Any], *arguments: Any, heard: Callable[[Any], None] | None = None) -> Any:
        """Call a function of a module with the bench and the arguments; raises :class:`InputError`, :class:`Stopped` or :class:`Failure`.

        What the bench tells meanwhile goes to ``heard``.
        """
        async with self._turn:
            self._stopping = False
            try:
                channel = await asyncio.to_thread(self._started)  # which may take a while: pages are served meanwhile
                channel.send((function, arguments))
                while isinstance(message := await asyncio.to_thread(channel.recv), _News):
                    if heard is not None:
                        heard(message.content)
            except (EOFError, OSError):
                self._end()
                raise (Stopped() if self._stopping else Failure("the process that computes has ended")) from None
        if isinstance(message, Exception):
            raise message
        return message

    @property
    def busy(self) -> bool:
        return self._turn.locked()

    async def stop(self) -> None:
        """Interrupt whatever is being computed."""
        process = self._process
        if process is None or process.pid is None or not self.busy:
            return
        self._stopping = True
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGINT)
        for _ in range(20):
            await asyncio.sleep(PATIENCE / 20)
            if not self._stopping or not self.busy:
                return
        if self._process is process:
            process.kill()

    def close(self) -> None:
        self._stopping = True
        self._end()

    def _started(self) -> Connection:
        if self._process is None or self._channel is None or not self._process.is_alive():
            self._end()
            self._channel, theirs = multiprocessing.Pipe()
            self._process = _processes().Process(target=_work, args=(theirs,), daemon=True)  # type: ignore[attr-defined]
            self._process.start()
            theirs.close()
        return self._channel

    def _end(self) -> None:
        if self._channel is not None:
            self._channel.close()
        if self._process is not None:
            self._process.kill()
            self._process.join(5)
        self._channel = self._process = self.version = None
