"""Estimators that sample runs under one scheduler, to estimate a probability or a mean reward, or
to test on which side of a threshold it lies."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from volition.analysis.smc.intervals import (
    FEWEST_FOR_MEAN,
    GROWTH,
    Counts,
    LookSchedule,
    RunningMean,
    SequentialTest,
)
from volition.analysis.smc.run_pool import RunPool
from volition.diagnostics import plural
from volition.kernel.sampling import ACCEPTED, REJECTED, RunBatch

__all__ = ["Measurement", "Precision", "estimate_probability", "estimate_reward", "threshold_test"]

MAX_FOR_MEAN = 100_000_000
FEWEST_FOR_TEST, MAX_AT_ONCE = 200, 10_000
"""Minimum and maximum number of runs that are sampled before a threshold test is evaluated
again."""

BY_MIXTURE = "Robbins' mixture, valid at any stopping time (proven)"
BY_NORMAL = "the normal approximation (not proven; accurate for many runs)"
BY_LOOP = "certain: a run was found that earns forever or never reaches the goal"


@dataclass(frozen=True, slots=True)
class Precision:
    """Requested precision of an estimate: a confidence and a maximum error or, if ``runs`` is set,
    a fixed number of runs instead of the error."""

    confidence: float
    error: float
    runs: int | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """Estimate of a probability or mean reward from ``runs`` sampled runs, ``open`` of them
    undecided.

    ``above`` is whether the value is above the threshold of the formula; None if there is no
    threshold or the runs do not decide it. ``imprecise_reason`` says why the result is less precise
    than requested; None if it is not.
    """

    runs: int
    open: int
    method: str
    estimate: float | None = None
    lower: float | None = None
    upper: float | None = None
    above: bool | None = None
    imprecise_reason: str | None = None


# --- estimators of probabilities ------------------------------------------------------------------


def estimate_probability(pool: RunPool, series: RunBatch, precision: Precision) -> Measurement:
    """Estimate the probability that a run satisfies a path formula. The workers of ``pool`` sample
    the runs and evaluate the formula on each of them."""
    plan = (
        LookSchedule.for_error(precision.confidence, precision.error)
        if precision.runs is None
        else LookSchedule.for_runs(precision.confidence, precision.runs)
    )
    counts = Counts()
    lower, upper = 0.0, 1.0
    method = (
        f"the Clopper-Pearson interval with {len(plan.sample_sizes)} planned "
        f"{plural(len(plan.sample_sizes), 'look')} (proven)"
    )
    for look in plan.sample_sizes:
        sampling = pool.sample(replace(series, first=counts.runs, runs=look - counts.runs))
        counts = counts.plus(len(sampling), *_hits_and_open(sampling.outcomes))
        if pool.stopped is not None:
            # Sampling stopped before the next number of runs for which a confidence interval is
            # planned. The last planned interval and the confidence sequence are correct
            # simultaneously, so their intersection is correct too.
            now = plan.anytime_interval(counts)
            lower, upper, method = max(lower, now[0]), min(upper, now[1]), BY_MIXTURE
            break
        lower, upper = plan.interval(counts)
        if precision.runs is None and plan.is_precise(counts, precision.error):
            break
    estimate = counts.hits / counts.runs if counts.runs and not counts.undecided else None
    reason = pool.stopped
    if reason is None and precision.runs is None and upper - lower > 2 * precision.error:
        reason = f"{counts.undecided:,} of {counts.runs:,} runs were not decided"
    return Measurement(
        counts.runs, counts.undecided, method, estimate, lower, upper, imprecise_reason=reason
    )


def threshold_test(
    pool: RunPool, series: RunBatch, precision: Precision, threshold: float
) -> Measurement:
    """Test whether the probability that a run satisfies the path formula is above a threshold."""
    test = SequentialTest.around(threshold, precision.error, 1 - precision.confidence)
    method = (
        f"Wald's sequential test, unless the probability is within {precision.error:g} of "
        f"{threshold:g} (proven)"
    )
    maximum = precision.runs or test.max_runs
    counts = Counts()
    while test.answer is None and test.runs < maximum and pool.stopped is None:
        at_once = min(max(FEWEST_FOR_TEST, test.runs), MAX_AT_ONCE, maximum - test.runs)
        sampling = pool.sample(replace(series, first=test.runs, runs=at_once))
        before = test.runs
        test = test.plus(
            (sampling.outcomes == ACCEPTED).tolist(), (sampling.outcomes == REJECTED).tolist()
        )
        counted = sampling.outcomes[: test.runs - before]
        counts = counts.plus(len(counted), *_hits_and_open(counted))
    reason = None
    if test.answer is None:
        undecided = f", {counts.undecided:,} of them not decided" if counts.undecided else ""
        reason = (
            pool.stopped
            or f"{test.runs:,} runs{undecided} do not distinguish the probability from "
            f"{threshold:g}"
        )
    return Measurement(
        counts.runs, counts.undecided, method, above=test.answer, imprecise_reason=reason
    )


def _hits_and_open(ends: npt.NDArray[np.uint8]) -> tuple[int, int]:
    hits, misses = int((ends == ACCEPTED).sum()), int((ends == REJECTED).sum())
    return hits, len(ends) - hits - misses


# --- estimators of rewards ------------------------------------------------------------------------


def estimate_reward(
    pool: RunPool, series: RunBatch, precision: Precision, threshold: float | None
) -> Measurement:
    """Estimate the expected reward of a run and, if there is a threshold, test whether the expected
    reward is above it. The requested error is relative to the reward."""
    mean, runs, open_runs, negative = RunningMean(), 0, 0, False
    look = precision.runs or FEWEST_FOR_MEAN
    while True:
        sampling = pool.sample(replace(series, first=runs, runs=look - runs))
        mean = mean.add(sampling.rewards)
        runs, open_runs, negative = (
            runs + len(sampling),
            open_runs + _hits_and_open(sampling.outcomes)[1],
            negative or sampling.negative,
        )
        if mean.infinite:
            minimise = bool((sampling.rewards == -math.inf).any())
            value = -math.inf if minimise else math.inf
            above = None if threshold is None else not minimise
            return Measurement(runs, open_runs, BY_LOOP, value, value, value, above)
        lower, upper = (
            mean.mean - mean.radius(precision.confidence),
            mean.mean + mean.radius(precision.confidence),
        )
        apart = threshold is not None and not lower <= threshold <= upper
        enough = mean.is_precise(precision.confidence, precision.error) or apart
        if pool.stopped is not None or precision.runs is not None or enough or runs >= MAX_FOR_MEAN:
            break
        look = math.ceil(look * GROWTH)
    if open_runs:
        # An undecided run would earn more after its last step, by an unknown amount.
        upper = math.inf
        lower = -math.inf if negative else lower
    above = None if threshold is None or lower <= threshold <= upper else lower > threshold
    reason = pool.stopped
    if reason is None and open_runs:
        reason = f"{open_runs:,} of {runs:,} runs did not end"
    elif reason is None and not enough and precision.runs is None:
        reason = f"the rewards of {runs:,} runs vary too much"
    return Measurement(
        runs, open_runs, BY_NORMAL, None if open_runs else mean.mean, lower, upper, above, reason
    )
