"""Series of runs, made by whoever is there, in portions that last a fraction of a second; the runs are the same whoever makes them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from volition.analysis.statistics.runs import RunsOfProgram, make_runs
from volition.analysis.workers import Compute, number_of_cores, workers_here, workers_on_cluster, workers_on_cores
from volition.kernel.sampling import Sampling, Series

__all__ = ["Crew", "Progress", "crew_for"]

Progress = Callable[[int, int], None]
"""Called with how many runs were made so far, and how many steps."""

SECONDS_OF_PORTION = 0.25
PORTIONS_AT_ONCE = 4
"""For each worker, before anybody looks at the clock."""
FIRST_PORTION = 50
LARGEST_PORTION = 50_000

TIME_OVER = "the time limit was reached"
INTERRUPTED = "interrupted by Ctrl-C"

Portion = tuple[Sequence[Series], float | None]


@dataclass
class Crew:
    """Makes runs until it is ``stopped``, which says why."""

    compute: Compute[Portion, list[tuple[Series, Sampling]]]
    workers: int
    deadline: float | None
    progress: Progress | None
    stopped: str | None = None
    runs: int = 0
    steps: int = 0
    longest: int = 0
    _portion: int = field(default=FIRST_PORTION, repr=False)

    def make(self, series: Series) -> Sampling:
        """The runs of a series; fewer of them if the crew was stopped."""
        return self.make_all([series])[0]

    def make_all(self, wanted: Sequence[Series]) -> list[Sampling]:
        """The runs of several series."""
        made: list[dict[int, Sampling]] = [{} for _ in wanted]
        waiting = deque(enumerate(wanted))
        try:
            while waiting and self.stopped is None:
                self._make_some(waiting, made)
        except KeyboardInterrupt:
            self.stopped = INTERRUPTED
        return [_in_order(each, found) for each, found in zip(wanted, made, strict=True)]

    def _make_some(self, waiting: deque[tuple[int, Series]], made: list[dict[int, Sampling]]) -> None:
        left = None if self.deadline is None else self.deadline - time.monotonic()
        if left is not None and left <= 0:
            self.stopped = TIME_OVER
            return
        portions: list[list[tuple[int, Series]]] = []
        while waiting and len(portions) < self.workers * PORTIONS_AT_ONCE:
            portions.append(_next_portion(waiting, self._portion))
        # Series are told apart by their number in the stream of a scheduler.
        numbers = {each: number for portion in portions for number, each in portion}
        start, before = time.monotonic(), self.runs
        for results in self.compute([([series for _, series in portion], left) for portion in portions]):
            for series, sampling in results:
                made[numbers[series]][series.first] = sampling
                self._count(series, sampling)
            if self.progress is not None:
                self.progress(self.runs, self.steps)
        spent = (time.monotonic() - start) * self.workers / max(1, self.runs - before)
        self._portion = int(min(max(1, SECONDS_OF_PORTION / max(spent, 1e-9)), 4 * self._portion, LARGEST_PORTION))

    def _count(self, series: Series, sampling: Sampling) -> None:
        self.runs += len(sampling)
        self.steps += int(sampling.steps.sum())
        self.longest = max(self.longest, int(sampling.steps.max(initial=0)))
        if len(sampling) < series.runs and self.stopped is None:
            over = self.deadline is not None and time.monotonic() >= self.deadline
            self.stopped = TIME_OVER if over else INTERRUPTED


@contextmanager
def crew_for(
    runs: RunsOfProgram, *, jobs: int | None, cluster: str | None, seconds: float | None, progress: Progress | None
) -> Iterator[Crew]:
    """So many processes, by default one for each core, or the workers of a Dask scheduler."""
    at_once = jobs or number_of_cores()
    if cluster is not None:
        workers = workers_on_cluster(make_runs, runs, cluster)
    elif at_once > 1:
        workers = workers_on_cores(make_runs, runs, at_once)
    else:
        workers = workers_here(make_runs, runs)
    deadline = None if seconds is None else time.monotonic() + seconds
    with workers as compute:
        yield Crew(compute, at_once, deadline, progress)


def _next_portion(waiting: deque[tuple[int, Series]], size: int) -> list[tuple[int, Series]]:
    """The beginning of what is waiting, about so many runs."""
    portion: list[tuple[int, Series]] = []
    while waiting and size > 0:
        number, series = waiting.popleft()
        portion.append((number, replace(series, runs=min(size, series.runs))))
        if series.runs > size:
            waiting.appendleft((number, replace(series, first=series.first + size, runs=series.runs - size)))
        size -= series.runs
    return portion


def _in_order(series: Series, found: dict[int, Sampling]) -> Sampling:
    """The runs from the first on, up to the first that is missing."""
    parts = []
    place = series.first
    while place in found:
        parts.append(found[place])
        if not len(parts[-1]):
            break
        place += len(parts[-1])
    if not parts:
        return Sampling(np.zeros(0, np.uint8), np.zeros(0), np.zeros(0, np.uint64))
    ends, earned, steps = (np.concatenate([getattr(part, name) for part in parts]) for name in ("ends", "earned", "steps"))
    return Sampling(ends, earned, steps, any(part.negative for part in parts))
