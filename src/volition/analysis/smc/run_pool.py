"""Pools of workers that sample runs of a program, in portions that take a fraction of a second. The
number of workers does not change which runs are sampled."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from volition.analysis.smc.run_sampler import RunSampler, sample_runs
from volition.analysis.worker_pools import (
    Compute,
    available_cores,
    dask_pool,
    local_worker,
    process_pool,
)
from volition.kernel.sampling import RunBatch, SampledRuns

__all__ = ["Progress", "RunPool", "open_run_pool"]

Progress = Callable[[int, int], None]
"""Callback that receives the number of runs and the total number of steps sampled up to now."""

SECONDS_PER_TASK = 0.25
TASKS_PER_WORKER = 4
"""Number of sampling tasks given to each worker before the time limit is checked again."""
FIRST_PORTION = 50
LARGEST_PORTION = 50_000

TIMED_OUT = "the time limit was reached"
INTERRUPTED = "interrupted by Ctrl-C"

SamplingTask = tuple[Sequence[RunBatch], float | None]


@dataclass
class RunPool:
    """Pool of workers that sample runs. ``stopped`` is the reason why sampling ended early (time
    limit or Ctrl-C), or None."""

    compute: Compute[SamplingTask, list[tuple[RunBatch, SampledRuns]]]
    workers: int
    deadline: float | None
    progress: Progress | None
    stopped: str | None = None
    runs: int = 0
    steps: int = 0
    longest: int = 0
    _portion: int = field(default=FIRST_PORTION, repr=False)

    def sample(self, series: RunBatch) -> SampledRuns:
        """Sample the runs of a batch and return them; they are fewer than requested if the pool was
        stopped."""
        return self.sample_all([series])[0]

    def sample_all(self, requested: Sequence[RunBatch]) -> list[SampledRuns]:
        """Sample several batches of runs and return the runs of each batch, in the order of the
        batches."""
        made: list[dict[int, SampledRuns]] = [{} for _ in requested]
        waiting = deque(enumerate(requested))
        try:
            while waiting and self.stopped is None:
                self._make_some(waiting, made)
        except KeyboardInterrupt:
            self.stopped = INTERRUPTED
        return [_in_order(each, found) for each, found in zip(requested, made, strict=True)]

    def _make_some(
        self, waiting: deque[tuple[int, RunBatch]], made: list[dict[int, SampledRuns]]
    ) -> None:
        left = None if self.deadline is None else self.deadline - time.monotonic()
        if left is not None and left <= 0:
            self.stopped = TIMED_OUT
            return
        portions: list[list[tuple[int, RunBatch]]] = []
        while waiting and len(portions) < self.workers * TASKS_PER_WORKER:
            portions.append(_next_portion(waiting, self._portion))
        # No two of these batches are equal, so the batch in a result identifies the request to
        # which the result belongs.
        numbers = {each: number for portion in portions for number, each in portion}
        start, before = time.monotonic(), self.runs
        for results in self.compute(
            [([series for _, series in portion], left) for portion in portions]
        ):
            for series, sampling in results:
                made[numbers[series]][series.first] = sampling
                self._count(series, sampling)
            if self.progress is not None:
                self.progress(self.runs, self.steps)
        spent = (time.monotonic() - start) * self.workers / max(1, self.runs - before)
        self._portion = int(
            min(max(1, SECONDS_PER_TASK / max(spent, 1e-9)), 4 * self._portion, LARGEST_PORTION)
        )

    def _count(self, series: RunBatch, sampling: SampledRuns) -> None:
        self.runs += len(sampling)
        self.steps += int(sampling.steps.sum())
        self.longest = max(self.longest, int(sampling.steps.max(initial=0)))
        if len(sampling) < series.runs and self.stopped is None:
            over = self.deadline is not None and time.monotonic() >= self.deadline
            self.stopped = TIMED_OUT if over else INTERRUPTED


@contextmanager
def open_run_pool(
    runs: RunSampler,
    *,
    jobs: int | None,
    cluster: str | None,
    seconds: float | None,
    progress: Progress | None,
) -> Iterator[RunPool]:
    """Open a pool of ``jobs`` processes (None: one per core) or, if ``cluster`` is the address of a
    Dask scheduler, of its workers. ``seconds`` limits the time of all sampling."""
    at_once = jobs or available_cores()
    if cluster is not None:
        workers = dask_pool(sample_runs, runs, cluster)
    elif at_once > 1:
        workers = process_pool(sample_runs, runs, at_once)
    else:
        workers = local_worker(sample_runs, runs)
    deadline = None if seconds is None else time.monotonic() + seconds
    with workers as compute:
        yield RunPool(compute, at_once, deadline, progress)


def _next_portion(waiting: deque[tuple[int, RunBatch]], size: int) -> list[tuple[int, RunBatch]]:
    """Remove batches with about ``size`` runs in total from the front of the queue, and return
    them. The last batch may be split, and its rest stays in the queue. Each batch comes with the
    number of the request that it belongs to."""
    portion: list[tuple[int, RunBatch]] = []
    while waiting and size > 0:
        number, series = waiting.popleft()
        portion.append((number, replace(series, runs=min(size, series.runs))))
        if series.runs > size:
            waiting.appendleft(
                (number, replace(series, first=series.first + size, runs=series.runs - size))
            )
        size -= series.runs
    return portion


def _in_order(series: RunBatch, found: dict[int, SampledRuns]) -> SampledRuns:
    """Return the sampled runs of a batch in the order of their numbers, up to the first missing
    run. ``found`` has the runs in pieces; the key of a piece is the number of its first run."""
    parts = []
    index = series.first
    while index in found:
        parts.append(found[index])
        if not len(parts[-1]):
            break
        index += len(parts[-1])
    if not parts:
        return SampledRuns(np.zeros(0, np.uint8), np.zeros(0), np.zeros(0, np.uint64))
    ends, earned, steps = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("outcomes", "rewards", "steps")
    )
    return SampledRuns(ends, earned, steps, any(part.negative for part in parts))
