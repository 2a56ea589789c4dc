"""Worker pools that compute portions of a large computation: in this process, in one process per
core, or on the workers of a Dask cluster.

All workers apply one function to a *shared* object, such as an explored program or a program to
sample, and to portions of the work. Each worker keeps its own copy of the shared object, with
everything cached in it, from one portion to the next. Local processes are forked if the system
supports it, so they have the object in memory; otherwise, and on a cluster, each worker receives it
once.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from volition.diagnostics import Diagnostic, InputError
from volition.subprocesses import kill_with_parent

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Compute", "available_cores", "dask_pool", "local_worker", "process_pool"]

CONNECT_SECONDS = 10
"""Time limit, in seconds, for connecting to the scheduler of a Dask cluster."""

Shared = TypeVar("Shared")
Portion = TypeVar("Portion")
Result = TypeVar("Result")

Compute = Callable[[Iterable[Portion]], Iterator[Result]]
"""Function from portions of the work to their results, in order of completion."""


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def local_worker(
    compute: Callable[[Shared, Portion], Result], shared: Shared
) -> Iterator[Compute[Portion, Result]]:
    """Provide a function that computes portions of the work in this process, one after the other.
    Use it instead of a pool of worker processes."""
    yield lambda portions: (compute(shared, portion) for portion in portions)


# --- worker processes on this machine -------------------------------------------------------------

_ENDING = (signal.SIGINT, signal.SIGTERM)

_task: tuple[Callable[[Any, Any], Any], Any] | None = None
"""Work of this process if it is a worker: the function to apply to portions of the work, and the
shared object that is the first argument of this function. None in other processes."""


@contextmanager
def process_pool(
    compute: Callable[[Shared, Portion], Result], shared: Shared, processes: int
) -> Iterator[Compute[Portion, Result]]:
    """Start worker processes and provide a function that computes portions of the work in them. The
    workers end with the ``with`` block, even if it is interrupted."""
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    earlier = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        processes, multiprocessing.get_context(method), _start_worker, (compute, shared)
    )

    def computed(portions: Iterable[Portion]) -> Iterator[Result]:
        for future in as_completed([submitted(portion) for portion in portions]):
            yield future.result()

    def submitted(portion: Portion) -> Future[Result]:
        with _deferring_ends():
            return pool.submit(_compute_in_worker, portion)

    try:
        yield computed
    except BrokenProcessPool:
        hint = "if memory ran out, compute fewer points at a time"
        raise InputError([Diagnostic("CHK074", "a worker process was killed", hint=hint)]) from None
    finally:
        # After Ctrl-C or an error, do not wait for results that are still being computed.
        for process in set(multiprocessing.active_children()) - earlier:
            process.terminate()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _deferring_ends() -> Iterator[None]:
    """Block SIGINT and SIGTERM while workers are forked; each worker unblocks them after it has
    installed its own handlers.

    A worker starts as a copy of this process. If a signal handler of this process raised an
    exception in the worker, the worker would continue with the work of this process.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker(compute: Callable[[Any, Any], Any], shared: Any) -> None:
    global _task
    _task = compute, shared
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the parent, which ends the pool
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    kill_with_parent()


def _compute_in_worker(portion: Any) -> Any:
    assert _task is not None, "a worker is started before it works"
    compute, shared = _task
    return compute(shared, portion)


# --- workers of a Dask cluster --------------------------------------------------------------------


@contextmanager
def dask_pool(
    compute: Callable[[Shared, Portion], Result], shared: Shared, address: str
) -> Iterator[Compute[Portion, Result]]:
    """Provide a function that computes portions of the work on the workers of the Dask scheduler at
    ``address``. Volition must be installed on them."""
    with _client(address) as client:
        from distributed import as_completed as completed_there

        there = client.scatter(shared, broadcast=True)

        def computed(portions: Iterable[Portion]) -> Iterator[Result]:
            futures = [client.submit(compute, there, portion, pure=False) for portion in portions]
            for future in completed_there(futures):  # type: ignore[no-untyped-call]
                yield future.result()

        yield computed


def _client(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            [Diagnostic("CHK069", "a cluster needs Dask", hint="pip install 'volition[cluster]'")]
        ) from None
    try:
        return Client(address, timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        hint = "start a Dask scheduler on the loopback address, and workers that connect to it"
        raise InputError(
            [Diagnostic("CHK076", f"no Dask scheduler at '{address}': {error}", hint=hint)]
        ) from None
