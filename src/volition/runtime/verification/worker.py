"""Who computes the values that a run turns out to need: this process, before the next decision, or
another one while the agent goes on.

In lock-step nobody waits for the clock, so the run waits for the values: the same seed gives the
same run.  In real time the agent does not wait.
"""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

from volition.diagnostics import Diagnostic, InputError
from volition.runtime.verification.table import ValueTable
from volition.runtime.verification.tabulate import TableRequest, build_table
from volition.subprocesses import kill_with_parent

__all__ = ["InProcessBuilder", "Pending", "SubprocessBuilder", "TableBuilder"]


class Pending(Protocol):
    """A table that was ordered."""

    def poll(self) -> ValueTable | None:
        """The table, if it is there; raises :class:`InputError` where there is none to be had."""


class TableBuilder(Protocol):
    """Takes orders for tables."""

    def submit(self, order: TableRequest) -> Pending: ...

    def close(self) -> None: ...


class InProcessBuilder:
    """This process: a table is there when somebody looks for it."""

    def submit(self, order: TableRequest) -> Pending:
        return _InProcessTable(order)

    def close(self) -> None: ...


class _InProcessTable:
    def __init__(self, order: TableRequest) -> None:
        self._order = order

    def poll(self) -> ValueTable | None:
        return build_table(self._order)


class SubprocessBuilder:
    """A process of its own, which is started with the first order."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, order: TableRequest) -> Pending:
        if self._pool is None:
            # Skills and bridges have threads, and a process with threads must not be forked.
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _start)
        return _SubprocessTable(self._pool.submit(build_table, order))

    def close(self) -> None:
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()  # nobody waits for what it still computes


class _SubprocessTable:
    def __init__(self, future: Future[ValueTable]) -> None:
        self._future = future

    def poll(self) -> ValueTable | None:
        try:
            return self._future.result() if self._future.done() else None
        except BrokenProcessPool:
            hint = "if memory ran out, lower 'states' below [verification]"
            raise InputError(
                [Diagnostic("RUN211", "the process that computes values was killed", hint=hint)]
            ) from None


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which ends this process
    kill_with_parent()
