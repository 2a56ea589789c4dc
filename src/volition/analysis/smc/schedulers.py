"""Who chooses on a run: looking for a scheduler that is good, among many that cost nothing to
describe.

A memoryless scheduler is a hash of its number and of what it sees of a state ("Scalable
verification of Markov decision processes", Legay, Sedwards and Traonouez, 2014).  Smart sampling
finds a good one with few runs: all get some, the better half gets twice as many, and so on
(D'Argenio, Legay, Sedwards and Traonouez, "Smart sampling for lightweight verification of Markov
decision processes", 2015). Here schedulers may see all of a state, some of its slots or nothing,
and prefer choices by what they are called, so that rules such as "the first agent goes on as long
as it can" are among them.  The uniform scheduler, which draws, is one of the candidates.

What is found is *a* scheduler: its value bounds the best one from one side, and says nothing about
how much better the best one is.
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
"""For each scheduler of the first round; later rounds have as many runs in all."""


@dataclass(frozen=True, slots=True)
class Scheduler:
    """One of the candidates; number 0 is the uniform one."""

    number: int

    @property
    def choosing(self) -> SchedulerKind:
        return SchedulerKind.HASHED if self.number else SchedulerKind.UNIFORM

    def series(self, series: RunBatch) -> RunBatch:
        return replace(series, choosing=self.choosing, scheduler=self.number)


def smart_sampling(
    crew: RunPool, template: RunBatch, candidates: int, optimum: Optimum, *, of_rewards: bool
) -> Scheduler:
    """The candidate that was best when only one was left, or when the crew was stopped."""
    left = [Scheduler(number) for number in range(candidates)]
    runs = dict.fromkeys(left, 0)
    scores = dict.fromkeys(left, 0.0)
    sign = 1.0 if optimum == "max" else -1.0
    while len(left) > 1 and crew.stopped is None:
        each = math.ceil(RUNS_IN_ROUND * candidates / len(left))
        # The runs of a scheduler go on where they ended in the round before, each scheduler in a
        # stream of its own.
        requested = [
            one.series(
                replace(template, stream=template.stream + one.number, first=runs[one], runs=each)
            )
            for one in left
        ]
        for one, sampling in zip(left, crew.sample_all(requested), strict=True):
            runs[one] += len(sampling)
            scores[one] += _score(sampling, optimum, of_rewards)
        left.sort(key=lambda one: (-sign * scores[one] / max(1, runs[one]), one.number))
        left = left[: (len(left) + 1) // 2]
    return left[0]


def _score(sampling: SampledRuns, optimum: Optimum, of_rewards: bool) -> float:
    """The sum of what the runs are worth; one that stayed open is worth as little as it may be."""
    open_runs = (sampling.outcomes != ACCEPTED) & (sampling.outcomes != REJECTED)
    if not of_rewards:
        return float(
            (sampling.outcomes == ACCEPTED).sum() + (open_runs.sum() if optimum == "min" else 0)
        )
    return float(np.where(open_runs & (optimum == "min"), math.inf, sampling.rewards).sum())
