"""Confidence intervals and sequential tests for probabilities and means, and the number of runs
they need.

Probabilities have two kinds of intervals:

- Clopper-Pearson intervals ("The use of confidence or fiducial limits illustrated in the case of
  the binomial", 1934). They are computed at looks, which are numbers of runs that are fixed in
  advance. The error probability is divided among the looks, so that with the requested confidence
  the intervals of all looks are correct (Bonferroni).
- The confidence sequence of Robbins ("Statistical methods related to the law of the iterated
  logarithm", 1970), computed from a mixture of likelihoods. It is used if sampling stops between
  two looks. It gets a small part of the error probability, because with its confidence the
  intervals after all numbers of runs are correct.

Both are proven for every number of runs, without a normal approximation.

Thresholds are tested with the sequential test of Wald ("Sequential tests of statistical
hypotheses", 1945). Its boundaries 1/d and d keep each error probability below d (Ville's
inequality). It guarantees nothing if the probability is within the error of the threshold.

Means have the interval of the normal approximation, mean ± z s / √n. It is accurate for many runs,
but nothing is proven for a given number of runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from scipy.special import betaincinv, betaln

from volition.kernel.arrays import Floats

__all__ = [
    "Counts",
    "LookSchedule",
    "RunningMean",
    "SequentialTest",
    "clopper_pearson",
    "confidence_sequence",
]

SCHEDULED_ALPHA_SHARE = 0.9
"""Share of the error probability that is used for the Clopper-Pearson intervals at looks, which are
numbers of runs fixed in advance. The rest is for the confidence sequence, which is used if sampling
stops at another number of runs."""
GROWTH = 1.5
"""Factor between the numbers of runs at two consecutive looks. A look is a number of runs after
which the confidence interval is computed."""
FEWEST_FOR_MEAN = 1_000
"""Minimum number of runs before the normal approximation is used."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of sampled runs: all ``runs``, the ``hits``, which satisfy the formula, and the
    ``undecided`` ones, which may be hits or misses."""

    runs: int = 0
    hits: int = 0
    undecided: int = 0

    def plus(self, runs: int, hits: int, open: int) -> Counts:
        return Counts(self.runs + runs, self.hits + hits, self.undecided + open)


def clopper_pearson(counts: Counts, wrong: float) -> tuple[float, float]:
    """Return the Clopper-Pearson interval, which misses the probability of a hit with a chance of
    at most ``wrong``. Undecided runs count as misses for the lower end and as hits for the upper
    end."""
    runs, below, above = counts.runs, counts.hits, counts.hits + counts.undecided
    lower = 0.0 if below == 0 else float(betaincinv(below, runs - below + 1, wrong / 2))
    upper = 1.0 if above == runs else float(betaincinv(above + 1, runs - above, 1 - wrong / 2))
    return lower, upper


def confidence_sequence(counts: Counts, wrong: float) -> tuple[float, float]:
    """Return an interval for the probability of a hit. With an error probability of ``wrong``, the
    intervals after all numbers of runs are correct simultaneously.

    Let p be the probability of a hit. Two likelihoods of the runs are compared: under a uniformly
    distributed probability, and under p. The first divided by the second is a martingale, so the
    chance that it ever exceeds c is at most 1/c.
    """
    return _confidence_sequence_end(
        counts.hits, counts.runs, wrong / 2, 0.0
    ), _confidence_sequence_end(counts.hits + counts.undecided, counts.runs, wrong / 2, 1.0)


def _confidence_sequence_end(hits: int, runs: int, wrong: float, end: float) -> float:
    """Return one end of the confidence interval of :func:`confidence_sequence`: the lower end if
    ``end`` is 0, the upper end if it is 1.

    The end is found by bisection between the share of hits and ``end``: it is the first probability
    at which the likelihood ratio exceeds 1 / ``wrong``.
    """
    log_mixture = float(betaln(hits + 1, runs - hits + 1))

    def is_plausible(p: float) -> bool:
        under_p = _times_log(hits, p) + _times_log(runs - hits, 1 - p)
        return log_mixture - under_p < -math.log(wrong)

    inside, outside = (hits / runs if runs else 0.5), end
    if is_plausible(outside):
        return end
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if is_plausible(middle) else (inside, middle)
    return outside


def _times_log(count: int, p: float) -> float:
    return 0.0 if count == 0 else -math.inf if p <= 0 else count * math.log(p)


@dataclass(frozen=True, slots=True)
class LookSchedule:
    """List of numbers of runs after which the confidence interval is computed ("looks"), fixed
    before the first run is sampled. ``alpha`` is the error probability for all looks together."""

    sample_sizes: tuple[int, ...]
    alpha: float

    @classmethod
    def for_error(cls, confidence: float, error: float) -> LookSchedule:
        """Return the schedule for a confidence interval that is at most ``2 * error`` wide. A look
        is a number of runs after which the interval is computed.

        Sampling can stop at the first look whose interval is narrow enough. The first look has the
        number of runs that is enough if all runs have the same outcome. The last look has the
        number of runs that is enough for any outcomes.
        """
        wrong = 1 - confidence
        looks = 1
        while True:  # with more looks, each has a smaller error probability and needs more runs
            at_each = SCHEDULED_ALPHA_SHARE * wrong / looks
            minimum = math.log(2 / at_each) / (2 * error)
            maximum = _worst_case_runs(at_each, error)
            needed = 1 + math.ceil(math.log(maximum / minimum, GROWTH)) if maximum > minimum else 1
            if needed <= looks:
                break
            looks = needed
        sizes = [math.ceil(minimum * GROWTH**index) for index in range(looks)]
        return cls((*(each for each in sizes if each < maximum), maximum), wrong)

    @classmethod
    def for_runs(cls, confidence: float, runs: int) -> LookSchedule:
        return cls((runs,), 1 - confidence)

    def interval(self, counts: Counts) -> tuple[float, float]:
        """Return the Clopper-Pearson interval for sampled runs. The number of runs must be one that
        the schedule lists."""
        return clopper_pearson(counts, SCHEDULED_ALPHA_SHARE * self.alpha / len(self.sample_sizes))

    def anytime_interval(self, counts: Counts) -> tuple[float, float]:
        """Return a confidence interval that remains valid if sampling stops after an arbitrary
        number of runs (confidence sequence)."""
        return confidence_sequence(counts, (1 - SCHEDULED_ALPHA_SHARE) * self.alpha)

    def is_precise(self, counts: Counts, error: float) -> bool:
        """Return whether the confidence interval, apart from the effect of undecided runs, is at
        most ``2 * error`` wide. For this test the share of undecided runs is subtracted from its
        width."""
        lower, upper = self.interval(counts)
        return upper - lower - counts.undecided / counts.runs <= 2 * error


def _worst_case_runs(wrong: float, error: float) -> int:
    """Return the number of runs after which a Clopper-Pearson interval is never wider than ``2 *
    error``. The interval is widest if half of the runs are hits."""
    runs = math.ceil((NormalDist().inv_cdf(1 - wrong / 2) / error) ** 2 / 4)
    while True:
        lower, upper = clopper_pearson(Counts(runs, runs // 2), wrong)
        if upper - lower <= 2 * error:
            return runs
        runs += max(1, runs // 100)


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Wald's sequential test of whether a probability is above or below a threshold.

    Undecided runs count against both answers. The answer "above" is accepted only if it is right
    with all undecided runs counted as misses. The answer "below" is accepted only if it is right
    with all of them counted as hits.
    """

    low: float
    high: float
    alpha: float
    above: float = 0.0
    below: float = 0.0
    runs: int = 0
    answer: bool | None = None
    """Whether the probability is above the threshold; None until the test has decided."""

    @classmethod
    def around(cls, threshold: float, error: float, wrong: float) -> SequentialTest:
        return cls(max(0.0, threshold - error), min(1.0, threshold + error), wrong)

    def plus(self, hits: Iterable[bool], misses: Iterable[bool]) -> SequentialTest:
        """Return the test after further runs, given in order: whether each is a hit, and whether
        each is a miss. Runs after the decision are ignored."""
        hit, miss = _ratio(self.high, self.low), _ratio(1 - self.high, 1 - self.low)
        bound = -math.log(self.alpha)
        above, below, runs = self.above, self.below, self.runs
        for is_hit, is_miss in zip(hits, misses, strict=True):
            runs += 1
            above += hit if is_hit else miss
            below += miss if is_miss else hit
            if above >= bound or below <= -bound:
                return replace(self, above=above, below=below, runs=runs, answer=above >= bound)
        return replace(self, above=above, below=below, runs=runs)

    @property
    def max_runs(self) -> int:
        """Maximum number of runs after which the test gives up. If all runs are decided, the test
        decides after far fewer runs, for any probability."""
        return math.ceil(20 * math.log(self.alpha) ** 2 / (self.high - self.low) ** 2)


def _ratio(a: float, b: float) -> float:
    """Return the logarithm of a / b."""
    if a <= 0:
        return -math.inf
    return math.inf if b <= 0 else math.log(a / b)


@dataclass(frozen=True, slots=True)
class RunningMean:
    """Mean and variance of the numbers added up to now, updated as in Chan, Golub and LeVeque
    (1979). Infinite numbers are only counted (``infinite``)."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    """Sum of squared deviations from the mean."""
    infinite: int = 0

    def add(self, numbers: Floats) -> RunningMean:
        finite = numbers[np.isfinite(numbers)]
        infinite = self.infinite + len(numbers) - len(finite)
        if not len(finite):
            return replace(self, infinite=infinite)
        count = self.count + len(finite)
        mean = float(finite.mean())
        delta = mean - self.mean
        squares = (
            self.squares
            + float(((finite - mean) ** 2).sum())
            + delta * delta * self.count * len(finite) / count
        )
        return RunningMean(count, self.mean + delta * len(finite) / count, squares, infinite)

    def radius(self, confidence: float) -> float:
        """Return half the width of the confidence interval around the mean, by the normal
        approximation."""
        if self.count < 2:
            return math.inf
        return NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(
            self.squares / (self.count - 1) / self.count
        )

    def is_precise(self, confidence: float, error: float) -> bool:
        return self.count >= FEWEST_FOR_MEAN and self.radius(confidence) <= error * abs(self.mean)
