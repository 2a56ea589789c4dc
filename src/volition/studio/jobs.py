"""Worker processes of the studio. Each handles one request at a time, reports progress, and can be
stopped at any time.

Long computations never block a page. Stopping a request interrupts its computation, like Ctrl-C on
the command line. A worker process that does not react is killed, and the next request starts a new
one.
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
"""Seconds after which a worker process that does not react to interrupts is killed."""


class Stopped(Exception):
    """Raised when the user stops a computation, or closes its page."""


class WorkerError(Exception):
    """Unexpected failure of a computation in a worker process; the text describes the failure."""


@dataclass(frozen=True, slots=True)
class _ProgressMessage:
    """Progress report that a worker process sends before the result of a request."""

    content: object


@cache
def _processes() -> BaseContext:
    """Return the multiprocessing context that starts worker processes. Where the operating system
    supports it, they are forked from a server process that has already imported the library."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["volition.studio.tasks"])
    return context


_JOBS: WeakSet[WorkerProcess] = WeakSet()
"""All worker processes that exist, so that they can be ended together with the web server."""


def end_all() -> None:
    """End every worker process. Otherwise the web server would wait for them when it shuts down."""
    for job in list(_JOBS):
        job.close()


def prepare() -> None:
    """Start the server process from which workers are forked, so that it imports the library before
    the first request."""
    if _processes().get_start_method() == "forkserver":
        forkserver.ensure_running()


class _InterruptGate:
    """SIGINT handler of a worker process that can be switched on and off. It raises
    :class:`KeyboardInterrupt` at most once per request, and only while it is switched on (open). It
    is closed while a message is sent, because an interrupt would leave a partial message in the
    pipe."""

    def __init__(self) -> None:
        self._is_open = False
        signal.signal(signal.SIGINT, self._interrupted)

    @contextmanager
    def opened(self, is_open: bool) -> Iterator[None]:
        """Accept interrupts (``is_open`` true) or ignore them (false) for the duration of a
        ``with`` block."""
        before, self._is_open = self._is_open, is_open
        try:
            yield
        finally:
            self._is_open = before

    def _interrupted(self, *_: object) -> None:
        if self._is_open:
            self._is_open = False
            raise KeyboardInterrupt


def _work(channel: Connection) -> None:
    """Main function of a worker process: handle requests until the connection is closed."""
    kill_with_parent()
    gate = _InterruptGate()

    def send_progress(content: object) -> None:
        with gate.opened(False):
            channel.send(_ProgressMessage(content))

    bench = Workbench(send_progress)
    with suppress(EOFError, OSError):
        while True:
            function, arguments = channel.recv()
            channel.send(_result(bench, gate, function, arguments))


def _result(
    bench: Workbench,
    gate: _InterruptGate,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> Any:
    try:
        with gate.opened(True):
            return function(bench, *arguments)
    except KeyboardInterrupt:
        return Stopped()
    except InputError as error:
        return InputError(
            [Diagnostic(each.code, each.message, hint=each.hint) for each in error.diagnostics]
        )
    except Exception as error:  # shown on the page; the process continues
        return WorkerError(f"{type(error).__name__}: {error}")


class WorkerProcess:
    """Worker process that has its own workbench (open program and results). It is started on the
    first request."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._channel: Connection | None = None
        self._turn = asyncio.Lock()
        self._waiter = ThreadPoolExecutor(1)
        """Thread that waits for messages of the process. Each worker has its own thread, so that
        workers do not wait for each other."""
        self._requests = 0
        self._is_computing = False
        self._stopping = False
        self._closed = False
        _JOBS.add(self)
        self.version: object = None
        """Version of the program that is open on the worker's workbench; the session of the page
        counts a new version with each edit. None if no program is open."""

    async def call(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        on_progress: Callable[[Any], None] | None = None,
    ) -> Any:
        """Call a module-level function in the worker process, with its workbench and the given
        arguments, and return the result.

        ``on_progress`` receives what the function reports with ``bench.report_progress``. Raise
        :class:`InputError`, :class:`Stopped` or :class:`WorkerError`.
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
            # In a thread, so that the web server answers other requests while the process starts.
            channel = await loop.run_in_executor(self._waiter, self._started)
            if self._closed:
                self._end()
            if self._stopping:
                return Stopped()
            channel.send((function, arguments))
            self._is_computing = True
            while isinstance(
                message := await loop.run_in_executor(self._waiter, channel.recv), _ProgressMessage
            ):
                if on_progress is not None:
                    on_progress(message.content)
        except (EOFError, OSError):
            self._end()
            return (
                Stopped()
                if self._stopping
                else WorkerError("the worker process ended unexpectedly")
            )
        finally:
            self._is_computing = False
        return message

    @property
    def busy(self) -> bool:
        """Whether the worker computes a request or has requests waiting."""
        return self._requests > 0

    async def stop(self) -> None:
        """Interrupt the current computation. The interrupt is repeated, because the worker ignores
        interrupts while it sends a message."""
        if not self.busy:
            return
        self._stopping = True
        for _ in range(20):
            process = self._process
            if self._is_computing and process is not None and process.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGINT)
            await asyncio.sleep(INTERRUPT_TIMEOUT / 20)
            if not self._stopping or not self.busy:
                return
        if self._process is not None and self._process is process:
            self._process.kill()

    def close(self) -> None:
        """End the worker process; requests that are not finished raise :class:`Stopped`."""
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
        if self._channel is not None:  # after the kill, which ends a pending read with EOFError
            self._channel.close()
        self._channel = self._process = self.version = None
