"""Who computes the points of a sweep where not this process does: one process for each core, or the workers of a cluster.

Local processes are forked where the system can fork, so that they find the explored program in their memory; elsewhere, and on
a cluster, each of them gets the program once and explores it itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from volition.analysis.sweeps.experiment import Experiment, Portion, compute
from volition.diagnostics import Diagnostic, InputError
from volition.tools import die_with_parent

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["computed_on_cluster", "computed_on_cores", "number_of_cores"]

CONNECT_SECONDS = 10
"""How long a cluster may take to answer at all."""


# --- cores -----------------------------------------------------------------------------------------------------------

_experiment: Experiment | None = None
"""What a process of the pool works on."""


def number_of_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def computed_on_cores(experiment: Experiment, portions: Sequence[Portion], processes: int) -> Iterator[Portion]:
    """The portions, as they get ready."""
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    earlier = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context(method), _start_worker, (experiment,))
    try:
        for future in as_completed([pool.submit(_compute_in_worker, portion) for portion in portions]):
            yield future.result()
    except BrokenProcessPool:
        hint = "if memory ran out, compute fewer points at a time"
        raise InputError([Diagnostic("CHK074", "a worker process of the sweep was killed", hint=hint)]) from None
    finally:
        # After Ctrl-C or a mistake nobody waits for what the others still compute.
        for process in set(multiprocessing.active_children()) - earlier:
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _start_worker(experiment: Experiment) -> None:
    global _experiment
    _experiment = experiment
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the parent, which ends the pool
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with_parent()


def _compute_in_worker(portion: Portion) -> Portion:
    assert _experiment is not None
    return compute(_experiment, portion)


# --- clusters --------------------------------------------------------------------------------------------------------


def computed_on_cluster(experiment: Experiment, portions: Sequence[Portion], address: str) -> Iterator[Portion]:
    """The portions, as the workers of a Dask scheduler get them ready; the workers need Volition installed."""
    with _client(address) as client:
        from distributed import as_completed as completed_there

        shared = client.scatter(experiment, broadcast=True)
        futures = [client.submit(compute, shared, portion, pure=False) for portion in portions]
        for future in completed_there(futures):  # type: ignore[no-untyped-call]
            yield future.result()


def _client(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise InputError([Diagnostic("CHK069", "a cluster needs Dask", hint="pip install 'volition[cluster]'")]) from None
    try:
        return Client(address, timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        hint = "start one with 'dask scheduler' and 'dask worker ADDRESS'"
        raise InputError([Diagnostic("CHK069", f"no Dask scheduler at '{address}': {error}", hint=hint)]) from None
