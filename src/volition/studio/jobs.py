"""The processes that compute, as the pages see them: one request at a time each, news while they
work, and an end at any moment.

Long work never blocks a page.  Stopping interrupts what is being computed, as Ctrl-C does on the
command line; a process that does not listen is ended, and the next request starts another one.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any
from weakref import WeakSet

from volition.diagnostics import Diagnostic, InputError
from volition.studio.workbench import Workbench
from volition.subprocesses import kill_with_parent

__all__ = ["Stopped", "WorkerError", "WorkerProcess", "end_all", "prepare"]

INTERRUPT_TIMEOUT = 2.0
"""Seconds that a process has to notice that it is to stop."""


class Stopped(Exception):
    """The user has stopped the work."""


class WorkerError(Exception):
    """The work failed in a way that nobody foresaw; the text says how."""


@dataclass(frozen=True, slots=True)
class _ProgressMessage:
    """What a request has to say before it is done."""

    content: object


@cache
def _processes() -> BaseContext:
    """Processes that begin with the library already loaded, where the system can do that."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["volition.studio.tasks"])
    return context


_JOBS: WeakSet[WorkerProcess] = WeakSet()
"""Those that there are, to be ended with the server."""


def end_all() -> None:
    """End every process: a server that ends would wait for what they compute."""
    for job in list(_JOBS):
        job.close()


def prepare() -> None:
    """Have the library loaded before somebody waits for it."""
    if _processes().get_start_method() == "forkserver":
        forkserver.ensure_running()


class _InterruptGate:
    """When an interrupt counts: once for each request, while it is computed; not while a message is
    sent, half of which nobody can read."""

    def __init__(self) -> None:
        self._is_paid = False
        signal.signal(signal.SIGINT, self._interrupted)

    @contextmanager
    def paid(self, is_paid: bool) -> Iterator[None]:
        """Whether interrupts count inside of the block."""
        before, self._is_paid = self._is_paid, is_paid
        try:
            yield
        finally:
            self._is_paid = before

    def _interrupted(self, *_: object) -> None:
        if self._is_paid:
            self._is_paid = False
            raise KeyboardInterrupt


def _work(channel: Connection) -> None:
    """The other process: does what it is asked until nobody is there any more."""
    kill_with_parent()
    attention = _InterruptGate()

    def news(content: object) -> None:
        with attention.paid(False):
            channel.send(_ProgressMessage(content))

    bench = Workbench(news)
    with suppress(EOFError, OSError):
        while True:
            function, arguments = channel.recv()
            channel.send(_result(bench, attention, function, arguments))


def _result(
    bench: Workbench,
    attention: _InterruptGate,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> Any:
    try:
        with attention.paid(True):
            return function(bench, *arguments)
    except KeyboardInterrupt:
        return Stopped()
    except InputError as error:
        return InputError(
            [Diagnostic(each.code, each.message, hint=each.hint) for each in error.diagnostics]
        )
    except Exception as error:  # told on the page: the process goes on
        return WorkerError(f"{type(error).__name__}: {error}")


class WorkerProcess:
    """A process with a bench of its own."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._channel: Connection | None = None
        self._turn = asyncio.Lock()
        self._waiter = ThreadPoolExecutor(1)
        """The thread that waits for the process: each has one, so that nobody waits because others
        do."""
        self._requests = 0
        self._is_asked = False
        self._stopping = False
        self._closed = False
        _JOBS.add(self)
        self.version: object = None
        """Which version of the program is open on its bench, as whoever asks counts them; None if
        there is none."""

    async def call(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        on_progress: Callable[[Any], None] | None = None,
    ) -> Any:
        """Call a function of a module with the bench and the arguments; raises :class:`InputError`,
        :class:`Stopped` or :class:`Failure`.

        What the bench tells meanwhile goes to ``heard``.
        """
        self._requests += 1
        try:
            async with self._turn:
                message = await self._answer(function, arguments, on_progress)
        finally:
            self._requests -= 1
        if isinstance(message, Exception):
            raise message
        return message

    async def _answer(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        on_progress: Callable[[Any], None] | None,
    ) -> Any:
        if self._closed:
            return Stopped()
        self._stopping = False
        loop = asyncio.get_running_loop()
        try:
            channel = await loop.run_in_executor(
                self._waiter, self._started
            )  # which may take a while: pages are served meanwhile
            if self._closed:
                self._end()
            if self._stopping:
                return Stopped()
            channel.send((function, arguments))
            self._is_asked = True
            while isinstance(
                message := await loop.run_in_executor(self._waiter, channel.recv), _ProgressMessage
            ):
                if on_progress is not None:
                    on_progress(message.content)
        except (EOFError, OSError):
            self._end()
            return (
                Stopped() if self._stopping else WorkerError("the process that computes has ended")
            )
        finally:
            self._is_asked = False
        return message

    @property
    def busy(self) -> bool:
        """Whether somebody waits for an answer."""
        return self._requests > 0

    async def stop(self) -> None:
        """Interrupt whatever is being computed; again and again, because an interrupt that comes at
        the wrong moment does not count."""
        if not self.busy:
            return
        self._stopping = True
        for _ in range(20):
            process = self._process
            if self._is_asked and process is not None and process.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGINT)
            await asyncio.sleep(INTERRUPT_TIMEOUT / 20)
            if not self._stopping or not self.busy:
                return
        if self._process is not None and self._process is process:
            self._process.kill()

    def close(self) -> None:
        """End the process; whoever still asks is told that the work was stopped."""
        self._stopping = self._closed = True
        self._end()

    def _started(self) -> Connection:
        if self._process is None or self._channel is None or not self._process.is_alive():
            self._end()
            channel, theirs = multiprocessing.Pipe()
            process = _processes().Process(target=_work, args=(theirs,), daemon=True)  # type: ignore[attr-defined]
            process.start()
            theirs.close()
            self._channel, self._process = channel, process
        return self._channel

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(5)
        if self._channel is not None:  # only now: whoever reads from it has come to its end
            self._channel.close()
        self._channel = self._process = self.version = None
