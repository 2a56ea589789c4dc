"""The process that computes, as the pages see it: one request at a time, news while it works, and an end at any moment.

Long work never blocks a page.  Stopping ends the process; the next request starts another one and opens the program again.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from volition.diagnostics import Diagnostic, InputError
from volition.studio.bench import Bench
from volition.studio.shown import AnswerShown

__all__ = ["Failure", "Job", "Stopped"]

_SPAWN = multiprocessing.get_context("spawn")


class Stopped(Exception):
    """The user has stopped the work."""


class Failure(Exception):
    """The work failed in a way that nobody foresaw; the text says how."""


@dataclass(frozen=True, slots=True)
class _News:
    """What a request has to say before it is done: ``progress`` or ``answered``."""

    kind: str
    content: tuple[Any, ...]


def _work(channel: Connection) -> None:
    """The other process: does what it is asked until nobody is there any more."""
    bench = Bench()
    hearing = {
        "progress": lambda *content: channel.send(_News("progress", content)),
        "answered": lambda *content: channel.send(_News("answered", content)),
    }
    while True:
        try:
            method, arguments, listens = channel.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        try:
            result: Any = getattr(bench, method)(*arguments, **(hearing if listens else {}))
        except InputError as error:
            result = InputError([Diagnostic(each.code, each.message, hint=each.hint) for each in error.diagnostics])
        except Exception as error:  # told on the page: the process goes on
            result = Failure(f"{type(error).__name__}: {error}")
        try:
            channel.send(result)
        except OSError:
            return


class Job:
    """The process of one page."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._channel: Connection | None = None
        self._turn = asyncio.Lock()
        self._generation = 0
        self.busy = False

    @property
    def fresh(self) -> bool:
        """Whether the process knows nothing yet: no program is open in it."""
        return self._process is None or not self._process.is_alive()

    async def ask(
        self,
        method: str,
        *arguments: Any,
        progress: Callable[[int, float], None] | None = None,
        answered: Callable[[AnswerShown], None] | None = None,
    ) -> Any:
        """Call a method of the bench; raises :class:`InputError`, :class:`Stopped` or :class:`Failure`."""
        async with self._turn:
            self.busy = True
            generation = self._generation
            try:
                channel = self._started()
                channel.send((method, arguments, progress is not None or answered is not None))
                while True:
                    message = await asyncio.get_running_loop().run_in_executor(None, channel.recv)
                    if not isinstance(message, _News):
                        break
                    hear = progress if message.kind == "progress" else answered
                    if hear is not None:
                        hear(*message.content)
            except (EOFError, OSError):
                self._end()
                raise (Stopped() if generation != self._generation else Failure("the process that computes has ended")) from None
            finally:
                self.busy = False
        if isinstance(message, Exception):
            raise message
        return message

    def stop(self) -> None:
        """End whatever is being computed."""
        self._generation += 1
        if self._process is not None:
            self._process.terminate()

    def close(self) -> None:
        self.stop()
        self._end()

    def _started(self) -> Connection:
        if self.fresh or self._channel is None:
            self._end()
            self._channel, theirs = _SPAWN.Pipe()
            self._process = _SPAWN.Process(target=_work, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
        return self._channel

    def _end(self) -> None:
        if self._channel is not None:
            self._channel.close()
        if self._process is not None:
            self._process.terminate()
            self._process.join(5)
        self._channel = self._process = None
