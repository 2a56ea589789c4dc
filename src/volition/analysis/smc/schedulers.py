"""Search for a good scheduler among many pseudo-random ones that are never stored.

A memoryless scheduler is a hash of its number and of the visible part of a state ("Scalable
verification of Markov decision processes", Legay, Sedwards and Traonouez, 2014). Smart sampling
finds a good one with few runs: all schedulers get the same number of runs, the better half gets
twice as many, and so on (D'Argenio, Legay, Sedwards and Traonouez, "Smart sampling for lightweight
verification of Markov decision processes", 2015). In this implementation a scheduler may see the
whole state, some of its slots, or nothing, and may prefer choices by their name, so that rules such
as "the first agent moves as long as it can" are among the candidates. The uniform scheduler, which
chooses at random, is also a candidate.

The result is *a* scheduler: its value bounds the optimum from one side. How much better the optimum
is remains unknown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from volition.analysis.smc.run_pool import RunPool
from volition.kernel.sampling import ACCEPTED, REJECTED, RunBatch, SampledRuns, SchedulerKind
from volition.logic.syntax import Optimum

__all__ = ["Scheduler", "smart_sampling"]

RUNS_IN_ROUND = 16
"""Number of runs of each scheduler in the first round of smart sampling; later rounds have the same
number of runs in total."""


@dataclass(frozen=True, slots=True)
class Scheduler:
    """Candidate scheduler, identified by a number. Number 0 is the uniform scheduler; the others
    choose by a hash of the number and the state."""

    number: int

    @property
    def choosing(self) -> SchedulerKind:
        return SchedulerKind.HASHED if self.number else SchedulerKind.UNIFORM

    def series(self, series: RunBatch) -> RunBatch:
        return replace(series, choosing=self.choosing, scheduler=self.number)


def smart_sampling(
    pool: RunPool, template: RunBatch, candidates: int, optimum: Optimum, *, of_rewards: bool
) -> Scheduler:
    """Return the best of the schedulers numbered below ``candidates``. After each round of runs,
    the better half of the schedulers is kept, until one is left or the pool is stopped.

    ``template`` has the settings for the runs to sample. The scheduler, its random stream and the
    numbers of the runs are filled in for each batch.
    """
    left = [Scheduler(number) for number in range(candidates)]
    runs = dict.fromkeys(left, 0)
    scores = dict.fromkeys(left, 0.0)
    sign = 1.0 if optimum == "max" else -1.0
    while len(left) > 1 and pool.stopped is None:
        each = math.ceil(RUNS_IN_ROUND * candidates / len(left))
        # The run numbers of a scheduler continue those of the previous round, so that no run is
        # sampled twice. Each scheduler has its own random stream.
        requested = [
            one.series(
                replace(template, stream=template.stream + one.number, first=runs[one], runs=each)
            )
            for one in left
        ]
        for one, sampling in zip(left, pool.sample_all(requested), strict=True):
            runs[one] += len(sampling)
            scores[one] += _score(sampling, optimum, of_rewards)
        left.sort(key=lambda one: (-sign * scores[one] / max(1, runs[one]), one.number))
        left = left[: (len(left) + 1) // 2]
    return left[0]


def _score(sampling: SampledRuns, optimum: Optimum, of_rewards: bool) -> float:
    """Return the score of sampled runs for the search of a scheduler: the number of accepted runs
    or the sum of their rewards. An undecided run counts with its worst possible value."""
    open_runs = (sampling.outcomes != ACCEPTED) & (sampling.outcomes != REJECTED)
    if not of_rewards:
        return float(
            (sampling.outcomes == ACCEPTED).sum() + (open_runs.sum() if optimum == "min" else 0)
        )
    return float(np.where(open_runs & (optimum == "min"), math.inf, sampling.rewards).sum())
