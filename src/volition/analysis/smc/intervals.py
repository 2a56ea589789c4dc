"""What some runs say about a probability or a mean, and when there are enough of them.

Probabilities: intervals of Clopper and Pearson ("The use of confidence or fiducial limits
illustrated in the case of the binomial", 1934) at numbers of runs that are fixed beforehand.  The
chance to be wrong is shared out among these looks, so that all of their intervals are right at once
with the confidence asked for (Bonferroni).  A small part of it is for the mixture of Robbins
("Statistical methods related to the law of the iterated logarithm", 1970), whose interval is right
after every run at once, so that it can be read wherever somebody stops.  Both are proven for every
number of runs; nothing is normal, or approximate.

Thresholds: the sequential test of Wald ("Sequential tests of statistical hypotheses", 1945) with
the boundaries 1/d and d, which keep each chance of a wrong answer below d (Ville's inequality); it
promises nothing if the probability is within the error of the threshold.

Means: the normal approximation, mean ± z s / √n, which is right for many runs; nothing is proven
for a number of them.
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
"""Of the chance to be wrong, what the planned looks get; the rest is for stopping whenever one
likes."""
GROWTH = 1.5
"""How many times more runs there are at the next look."""
FEWEST_FOR_MEAN = 1_000
"""Runs before which the normal approximation is not asked."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How runs ended: ``open`` ones may go either way."""

    runs: int = 0
    hits: int = 0
    undecided: int = 0

    def plus(self, runs: int, hits: int, open: int) -> Counts:
        return Counts(self.runs + runs, self.hits + hits, self.undecided + open)


def clopper_pearson(counts: Counts, wrong: float) -> tuple[float, float]:
    """An interval that misses the probability with a chance of at most ``wrong``; open runs are
    misses below and hits above."""
    runs, below, above = counts.runs, counts.hits, counts.hits + counts.undecided
    lower = 0.0 if below == 0 else float(betaincinv(below, runs - below + 1, wrong / 2))
    upper = 1.0 if above == runs else float(betaincinv(above + 1, runs - above, 1 - wrong / 2))
    return lower, upper


def confidence_sequence(counts: Counts, wrong: float) -> tuple[float, float]:
    """An interval that is right after every number of runs at once, but for a chance of ``wrong``.

    If p is the probability, the likelihood of the runs under a uniformly distributed probability,
    divided by that under p, is a martingale: that it ever exceeds c has a chance of at most 1/c.
    """
    return _confidence_sequence_end(
        counts.hits, counts.runs, wrong / 2, 0.0
    ), _confidence_sequence_end(counts.hits + counts.undecided, counts.runs, wrong / 2, 1.0)


def _confidence_sequence_end(hits: int, runs: int, wrong: float, end: float) -> float:
    """Where, between the share of hits and 0 or 1, the ratio of likelihoods becomes too large."""
    mixed = float(betaln(hits + 1, runs - hits + 1))

    def believable(p: float) -> bool:
        under_p = _times_log(hits, p) + _times_log(runs - hits, 1 - p)
        return mixed - under_p < -math.log(wrong)

    inside, outside = (hits / runs if runs else 0.5), end
    if believable(outside):
        return end
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if believable(middle) else (inside, middle)
    return outside


def _times_log(count: int, p: float) -> float:
    return 0.0 if count == 0 else -math.inf if p <= 0 else count * math.log(p)


@dataclass(frozen=True, slots=True)
class LookSchedule:
    """When to look, for an interval of at most twice the error: fixed before the first run is
    made."""

    sample_sizes: tuple[int, ...]
    alpha: float

    @classmethod
    def for_error(cls, confidence: float, error: float) -> LookSchedule:
        """From what is enough where all runs end alike, to what is enough in any case."""
        wrong = 1 - confidence
        looks = 1
        while True:  # more looks share less chance each, and so need more runs
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
        """The interval at a look."""
        return clopper_pearson(counts, SCHEDULED_ALPHA_SHARE * self.alpha / len(self.sample_sizes))

    def anytime_interval(self, counts: Counts) -> tuple[float, float]:
        """The interval after any number of runs."""
        return confidence_sequence(counts, (1 - SCHEDULED_ALPHA_SHARE) * self.alpha)

    def is_precise(self, counts: Counts, error: float) -> bool:
        """Whether chance, apart from the runs that stayed open, leaves no more than the error on
        each side."""
        lower, upper = self.interval(counts)
        return upper - lower - counts.undecided / counts.runs <= 2 * error


def _worst_case_runs(wrong: float, error: float) -> int:
    """Runs after which an interval is never wider than twice the error: it is widest where half of
    the runs are hits."""
    runs = math.ceil((NormalDist().inv_cdf(1 - wrong / 2) / error) ** 2 / 4)
    while True:
        lower, upper = clopper_pearson(Counts(runs, runs // 2), wrong)
        if upper - lower <= 2 * error:
            return runs
        runs += max(1, runs // 100)


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Wald's test whether a probability is above or below a threshold, run by run.

    Open runs count against both answers, in two tests: "above" must be found with them as misses,
    "below" with them as hits.
    """

    low: float
    high: float
    alpha: float
    above: float = 0.0
    below: float = 0.0
    runs: int = 0
    answer: bool | None = None
    """Whether the probability is above the threshold, once that is known."""

    @classmethod
    def around(cls, threshold: float, error: float, wrong: float) -> SequentialTest:
        return cls(max(0.0, threshold - error), min(1.0, threshold + error), wrong)

    def plus(self, hits: Iterable[bool], misses: Iterable[bool]) -> SequentialTest:
        """After some runs more, in their order; what comes after the answer does not count."""
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
        """Far more than the test needs if all runs are decided, wherever the probability is."""
        return math.ceil(20 * math.log(self.alpha) ** 2 / (self.high - self.low) ** 2)


def _ratio(a: float, b: float) -> float:
    """The logarithm of a / b."""
    if a <= 0:
        return -math.inf
    return math.inf if b <= 0 else math.log(a / b)


@dataclass(frozen=True, slots=True)
class RunningMean:
    """A mean of many numbers, added up as Chan, Golub and LeVeque (1979) do it."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    """The squared distances from the mean."""
    infinite: int = 0

    def add(self, numbers: Floats) -> RunningMean:
        finite = numbers[np.isfinite(numbers)]
        infinite = self.infinite + len(numbers) - len(finite)
        if not len(finite):
            return replace(self, infinite=infinite)
        count = self.count + len(finite)
        mean = float(finite.mean())
        apart = mean - self.mean
        squares = (
            self.squares
            + float(((finite - mean) ** 2).sum())
            + apart * apart * self.count * len(finite) / count
        )
        return RunningMean(count, self.mean + apart * len(finite) / count, squares, infinite)

    def radius(self, confidence: float) -> float:
        """How far the expected value may be from the mean, by the normal approximation."""
        if self.count < 2:
            return math.inf
        return NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(
            self.squares / (self.count - 1) / self.count
        )

    def is_precise(self, confidence: float, error: float) -> bool:
        return self.count >= FEWEST_FOR_MEAN and self.radius(confidence) <= error * abs(self.mean)
