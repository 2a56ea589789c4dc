"""Builders of tables of query values that a run needs unexpectedly: in this process before the next
decision, or in a subprocess while the agent continues.

In lock-step the run waits for the values, so that the same seed gives the same run. In real time
the agent does not wait.
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
    """Request for a table of query values, which may still be under construction."""

    def poll(self) -> ValueTable | None:
        """Return the table of query values if it is ready, else None. Raise :class:`InputError` if
        it cannot be computed."""


class TableBuilder(Protocol):
    """Object that accepts requests for tables of query values."""

    def submit(self, order: TableRequest) -> Pending: ...

    def close(self) -> None: ...


class InProcessBuilder:
    """Builder that computes each table of query values in this process, when the table is first
    polled."""

    def submit(self, order: TableRequest) -> Pending:
        return _InProcessTable(order)

    def close(self) -> None: ...


class _InProcessTable:
    def __init__(self, order: TableRequest) -> None:
        self._order = order

    def poll(self) -> ValueTable | None:
        return build_table(self._order)


class SubprocessBuilder:
    """Builder that computes tables of query values in a subprocess, which starts with the first
    request."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, order: TableRequest) -> Pending:
        if self._pool is None:
            # Spawn, because a process with threads, such as those of skills and bridges, must not
            # be forked.
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _start)
        return _SubprocessTable(self._pool.submit(build_table, order))

    def close(self) -> None:
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()  # its result is no longer needed


class _SubprocessTable:
    def __init__(self, future: Future[ValueTable]) -> None:
        self._future = future

    def poll(self) -> ValueTable | None:
        try:
            return self._future.result() if self._future.done() else None
        except BrokenProcessPool:
            hint = "if memory ran out, lower 'states' below [verification]"
            raise InputError(
                [
                    Diagnostic(
                        "RUN211",
                        "the process that computes the values of queries was killed",
                        hint=hint,
                    )
                ]
            ) from None


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run handles Ctrl-C and ends this process
    kill_with_parent()
