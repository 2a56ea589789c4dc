"""Who computes the values that a run turns out to need: this process, before the next decision, or another one while the agent goes on.

In lock-step nobody waits for the clock, so the run waits for the values: the same seed gives the same run.  In real time the agent does
not wait.
"""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

from volition.diagnostics import Diagnostic, InputError
from volition.runtime.verification.preparation import Order, prepare
from volition.runtime.verification.table import Table
from volition.tools import die_with_parent

__all__ = ["Apart", "Here", "Pending", "Worker"]


class Pending(Protocol):
    """A table that was ordered."""

    def ready(self) -> Table | None:
        """The table, if it is there; raises :class:`InputError` where there is none to be had."""


class Worker(Protocol):
    """Takes orders for tables."""

    def order(self, order: Order) -> Pending: ...

    def close(self) -> None: ...


class Here:
    """This process: a table is there when somebody looks for it."""

    def order(self, order: Order) -> Pending:
        return _Here(order)

    def close(self) -> None: ...


class _Here:
    def __init__(self, order: Order) -> None:
        self._order = order

    def ready(self) -> Table | None:
        return prepare(self._order)


class Apart:
    """A process of its own, which is started with the first order."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def order(self, order: Order) -> Pending:
        if self._pool is None:
            # Skills and bridges have threads, and a process with threads must not be forked.
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _start)
        return _Apart(self._pool.submit(prepare, order))

    def close(self) -> None:
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()  # nobody waits for what it still computes


class _Apart:
    def __init__(self, future: Future[Table]) -> None:
        self._future = future

    def ready(self) -> Table | None:
        try:
            return self._future.result() if self._future.done() else None
        except BrokenProcessPool:
            hint = "if memory ran out, lower 'states' below [verification]"
            raise InputError([Diagnostic("RUN211", "the process that computes values was killed", hint=hint)]) from None


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which ends this process
    die_with_parent()
