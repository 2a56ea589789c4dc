"""Estimation of a percept's timing ``[p, mu, sigma]`` (Izzo, Eq. 3.9) from recorded waiting times.

A counter c counts the cycles of a percept up to mu + sigma and then restarts. In the cycles with c
within sigma of mu, the percept may flip (a trial): it does so with probability p w, where w = 1 -
abs(c - mu)/(sigma + 1). In all other cycles the probability of a flip is 0.

Given mu and sigma, the log-likelihood is the sum of log(p w) over flips and of log(1 - p w) over
the other trials. It is concave in p; for sigma = 0 its maximum is at p = flips/trials. mu and sigma
are found by exhaustive search.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from volition.kernel.arrays import Floats
from volition.runtime.learning.intervals import exact_interval, profile_interval
from volition.runtime.learning.samples import WaitingSamples

__all__ = ["EVERY_CYCLE", "FittedPercept", "TimingShape", "fit_percept", "fit_shape"]

LONGEST_PERIOD = 450
"""The largest period for which the timing parameters mu and sigma of a percept are searched. The
period is mu + sigma + 1 cycles, after which the percept's counter restarts. It is limited because a
model has a state for every counted cycle."""

_SHAPE_PENALTY = 2.0
"""The increase of the log-likelihood that fitted values of the timing parameters mu and sigma must
reach. If the increase is smaller, the simpler assumption is kept that the percept can flip in every
cycle."""

_HALVINGS = 50


@dataclass(frozen=True, slots=True)
class TimingShape:
    """The cycles in which a percept can become active or inactive (Izzo, Eq. 3.9). The percept has
    a counter of cycles that goes up to mu + sigma and then restarts. It can flip if the counter is
    within ``sigma`` of ``mu``. As a special case, mu = 1 and sigma = 0 mean that it can flip in
    every cycle."""

    mu: int
    sigma: int

    @property
    def every_cycle(self) -> bool:
        return self.mu == 1 and self.sigma == 0

    def weights(self, counters: npt.NDArray[np.int64]) -> Floats:
        """Return the weight w for each of the given values of the percept's cycle counter. The
        percept flips with probability p w, where p is its probability parameter. Counter values may
        exceed the period mu + sigma + 1; they are reduced modulo the period."""
        if self.every_cycle:
            return np.ones(len(counters))
        distance = np.abs(counters % (self.mu + self.sigma + 1) - self.mu)
        return np.where(distance <= self.sigma, 1 - distance / (self.sigma + 1), 0.0)


EVERY_CYCLE = TimingShape(1, 0)


@dataclass(frozen=True, slots=True)
class FittedPercept:
    """The estimated probability ``p`` with which a percept becomes active or inactive, and its
    confidence interval.

    ``shape`` determines the cycles in which the percept can flip. ``p`` is None if a recorded flip
    is in a cycle in which it is impossible, or if the records contain no cycle in which the percept
    could flip.
    """

    shape: TimingShape
    trials: int
    flips: int
    p: float | None
    lower: float
    upper: float
    log_likelihood: float
    exact: bool
    """Whether the interval is a Clopper-Pearson interval; otherwise it is a profile likelihood
    interval."""

    def chances(self, counters: npt.NDArray[np.int64]) -> Floats:
        """Return the probability of a flip for each of the given values of the percept's cycle
        counter. The values may exceed the period after which the counter restarts."""
        return self.shape.weights(counters) * (self.p or 0.0)


def fit_percept(
    waits: WaitingSamples, shape: TimingShape, *, confidence: float = 0.95
) -> FittedPercept:
    """Return the most likely probability of a percept's flips, with its confidence interval.
    ``shape`` determines the cycles in which the percept can flip."""
    tries, flips = waits.tables()
    weights = shape.weights(np.arange(len(tries)))
    trials, events = int(tries[weights > 0].sum()), int(flips.sum())
    if flips[weights == 0].any():
        return FittedPercept(
            shape, trials, events, None, 0.0, 1.0, -math.inf, exact=shape.sigma == 0
        )
    seen = tries > 0
    w, n, f = (
        weights[seen & (weights > 0)],
        tries[seen & (weights > 0)],
        flips[seen & (weights > 0)],
    )

    def log_likelihood(p: float) -> float:
        return _log_likelihood(p, w, n, f)

    best = _best(w, n, f)
    if shape.sigma == 0:
        lower, upper = exact_interval(events, trials, confidence)
    else:
        lower, upper = profile_interval(log_likelihood, best, confidence) if trials else (0.0, 1.0)
    return FittedPercept(
        shape,
        trials,
        events,
        best if trials else None,
        lower,
        upper,
        log_likelihood(best),
        exact=shape.sigma == 0,
    )


def fit_shape(waits: WaitingSamples, *, confidence: float = 0.95) -> FittedPercept:
    """Return the timing parameters mu, sigma and p under which the recorded waiting times of a
    percept are most likely. mu and sigma determine the cycles in which the percept can flip (the
    shape), and p the probability. All shapes up to :data:`LONGEST_PERIOD` are tried.

    The shape in which the percept can flip in every cycle is preferred, because it has two
    parameters fewer. Another shape is returned only if its log-likelihood is greater by at least
    two (Akaike's criterion).
    """
    best = fit_percept(waits, EVERY_CYCLE, confidence=confidence)
    if not waits.flips:
        return best
    candidates = [(best.log_likelihood + _SHAPE_PENALTY, EVERY_CYCLE), *_candidates(waits)]
    likeliest = max(each for each, _ in candidates)
    chosen = next(shape for each, shape in candidates if each >= likeliest - 1e-9)
    return fit_percept(waits, chosen, confidence=confidence)


def _candidates(waits: WaitingSamples) -> Iterator[tuple[float, TimingShape]]:
    """Yield each shape under which all recorded flips are possible, with its log-likelihood. A
    shape has the timing parameters mu and sigma, which determine the cycles in which a percept can
    flip. The log-likelihoods of all shapes with the same period mu + sigma + 1 are computed
    together."""
    tries, flips = waits.tables()
    counters = np.arange(len(tries))
    longest = max(start + length - 1 for start, length, flipped in waits.waits if flipped)
    for period in range(2, min(2 * longest + 2, LONGEST_PERIOD) + 1):
        n = np.bincount(counters % period, tries, period).astype(np.float64)
        f = np.bincount(counters % period, flips, period).astype(np.float64)
        first = int(np.argmax(f > 0))
        sigmas = np.arange(max(0, math.ceil((period - 1 - first) / 2)), (period - 1) // 2 + 1)
        shapes = [TimingShape(period - 1 - int(sigma), int(sigma)) for sigma in sigmas]
        kept = [shape for shape in shapes if not shape.every_cycle]
        if kept:
            w = np.array([shape.weights(np.arange(period)) for shape in kept])
            yield from zip(_maxima(w, n, f).tolist(), kept, strict=True)


def _log_likelihood(
    p: float, w: Floats, n: npt.NDArray[np.int64], f: npt.NDArray[np.int64]
) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):
        flipped = np.where(f > 0, f * np.log(p * w), 0.0)
        others = np.where(n > f, (n - f) * np.log1p(-p * w), 0.0)
    return float(flipped.sum() + others.sum())


def _best(w: Floats, n: npt.NDArray[np.int64], f: npt.NDArray[np.int64]) -> float:
    """Return the flip probability p with the greatest log-likelihood, which is concave in p. The
    arrays are indexed by the value of the percept's cycle counter: ``w`` is the factor by which p
    is multiplied, ``n`` the number of cycles and ``f`` the number of flips."""
    if not f.any():
        return 0.0
    if (w == 1).all():
        return float(f.sum() / n.sum())
    return float(_maximisers(w[np.newaxis], n, f)[0])


def _maximisers(
    w: Floats, n: Floats | npt.NDArray[np.int64], f: Floats | npt.NDArray[np.int64]
) -> Floats:
    """Return the most likely flip probability p for each row of weights ``w``. A percept flips with
    probability p times the weight of the current cycle; ``n`` counts the cycles and ``f`` the
    flips. The result is the p at which the derivative of the log-likelihood is 0, or 1 if the
    derivative is positive everywhere."""
    low, high = np.zeros(len(w)), np.ones(len(w))
    events, missed = f.sum(), n - f
    with np.errstate(divide="ignore"):
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            slope = events / middle - np.sum(missed * w / (1 - middle[:, np.newaxis] * w), axis=1)
            low, high = np.where(slope > 0, middle, low), np.where(slope > 0, high, middle)
    return (low + high) / 2


def _maxima(w: Floats, n: Floats, f: Floats) -> Floats:
    """Return, for each row of weights ``w``, the greatest log-likelihood over all flip
    probabilities p. A percept flips with probability p times the weight of the current cycle; ``f``
    counts the flips and ``n`` the cycles."""
    p = _maximisers(w, n, f)[:, np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        flipped = np.where(f > 0, f * np.log(p * w), 0.0)
        others = np.where((n > f) & (w > 0), (n - f) * np.log1p(-p * w), 0.0)
    return np.asarray(flipped.sum(axis=1) + others.sum(axis=1))
