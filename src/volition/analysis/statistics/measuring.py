"""Numbers from runs under one scheduler: a probability, a mean, or on which side of a threshold it lies."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from volition.analysis.statistics.crew import Crew
from volition.analysis.statistics.intervals import FEWEST_FOR_MEAN, GROWTH, Counts, Mean, Plan, SequentialTest
from volition.diagnostics import plural
from volition.kernel.sampling import FAILED, MET, Series

__all__ = ["Measured", "Precision", "mean_earned", "probability", "tested"]

MOST_FOR_MEAN = 100_000_000
FEWEST_FOR_TEST, MOST_AT_ONCE = 200, 10_000
"""Runs that are made before a test is looked at again; those after its answer do not count."""

BY_MIXTURE = "Robbins' mixture, which holds wherever one stops (proven)"
BY_NORMAL = "the normal approximation (not proven; right for many runs)"
BY_LOOP = "certain: a run was found that never ends earning, or never gets there"


@dataclass(frozen=True, slots=True)
class Precision:
    """How sure and how close an answer is to be; ``runs`` fixes how many are made instead."""

    confidence: float
    error: float
    runs: int | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What the runs say; ``above`` whether the value is above a threshold, if one was asked for and the runs tell.

    ``short`` says why this is less precise than asked for.
    """

    runs: int
    open: int
    method: str
    estimate: float | None = None
    lower: float | None = None
    upper: float | None = None
    above: bool | None = None
    short: str | None = None


# --- probabilities ---------------------------------------------------------------------------------------------------------


def probability(crew: Crew, series: Series, wanted: Precision) -> Measured:
    """The probability that a run is as asked."""
    plan = Plan.for_error(wanted.confidence, wanted.error) if wanted.runs is None else Plan.for_runs(wanted.confidence, wanted.runs)
    counts = Counts()
    lower, upper = 0.0, 1.0
    method = f"Clopper and Pearson's interval, {len(plan.looks)} planned {plural(len(plan.looks), 'look')} (proven)"
    for look in plan.looks:
        sampling = crew.make(replace(series, first=counts.runs, runs=look - counts.runs))
        counts = counts.plus(len(sampling), *_hits_and_open(sampling.ends))
        if crew.stopped is not None:
            # Both intervals are right at once.
            now = plan.interval_when_stopped(counts)
            lower, upper, method = max(lower, now[0]), min(upper, now[1]), BY_MIXTURE
            break
        lower, upper = plan.interval(counts)
        if wanted.runs is None and plan.is_enough(counts, wanted.error):
            break
    estimate = counts.hits / counts.runs if counts.runs and not counts.open else None
    short = crew.stopped
    if short is None and wanted.runs is None and upper - lower > 2 * wanted.error:
        short = f"{counts.open:,} of {counts.runs:,} runs were not decided"
    return Measured(counts.runs, counts.open, method, estimate, lower, upper, short=short)


def tested(crew: Crew, series: Series, wanted: Precision, threshold: float) -> Measured:
    """Whether the probability that a run is as asked is above a threshold."""
    test = SequentialTest.around(threshold, wanted.error, 1 - wanted.confidence)
    method = f"Wald's sequential test, unless the probability is within {wanted.error:g} of {threshold:g} (proven)"
    most = wanted.runs or test.most_runs
    counts = Counts()
    while test.answer is None and test.runs < most and crew.stopped is None:
        at_once = min(max(FEWEST_FOR_TEST, test.runs), MOST_AT_ONCE, most - test.runs)
        sampling = crew.make(replace(series, first=test.runs, runs=at_once))
        before = test.runs
        test = test.plus((sampling.ends == MET).tolist(), (sampling.ends == FAILED).tolist())
        counted = sampling.ends[: test.runs - before]
        counts = counts.plus(len(counted), *_hits_and_open(counted))
    short = None
    if test.answer is None:
        undecided = f", {counts.open:,} of them not decided" if counts.open else ""
        short = crew.stopped or f"{test.runs:,} runs{undecided} do not tell the probability from {threshold:g}"
    return Measured(counts.runs, counts.open, method, above=test.answer, short=short)


def _hits_and_open(ends: npt.NDArray[np.uint8]) -> tuple[int, int]:
    hits, misses = int((ends == MET).sum()), int((ends == FAILED).sum())
    return hits, len(ends) - hits - misses


# --- rewards ---------------------------------------------------------------------------------------------------------------


def mean_earned(crew: Crew, series: Series, wanted: Precision, threshold: float | None) -> Measured:
    """The expected reward, and whether it is above the threshold, if there is one; the error is relative to the reward."""
    mean, runs, open_runs, negative = Mean(), 0, 0, False
    look = wanted.runs or FEWEST_FOR_MEAN
    while True:
        sampling = crew.make(replace(series, first=runs, runs=look - runs))
        mean = mean.plus(sampling.earned)
        runs, open_runs, negative = runs + len(sampling), open_runs + _hits_and_open(sampling.ends)[1], negative or sampling.negative
        if mean.infinite:
            least = bool((sampling.earned == -math.inf).any())
            value = -math.inf if least else math.inf
            above = None if threshold is None else not least
            return Measured(runs, open_runs, BY_LOOP, value, value, value, above)
        lower, upper = mean.mean - mean.radius(wanted.confidence), mean.mean + mean.radius(wanted.confidence)
        apart = threshold is not None and not lower <= threshold <= upper
        enough = mean.is_enough(wanted.confidence, wanted.error) or apart
        if crew.stopped is not None or wanted.runs is not None or enough or runs >= MOST_FOR_MEAN:
            break
        look = math.ceil(look * GROWTH)
    if open_runs:
        # A run that goes on earns more, nobody knows how much.
        upper = math.inf
        lower = -math.inf if negative else lower
    above = None if threshold is None or lower <= threshold <= upper else lower > threshold
    short = crew.stopped
    if short is None and open_runs:
        short = f"{open_runs:,} of {runs:,} runs did not end"
    elif short is None and not enough and wanted.runs is None:
        short = f"{runs:,} runs differ too much"
    return Measured(runs, open_runs, BY_NORMAL, None if open_runs else mean.mean, lower, upper, above, short)
