"""Estimation of a percept's timing ``[p, mu, sigma]`` (Izzo, Eq. 3.9) from recorded waiting times.

The counter c of a percept goes up to mu + sigma and restarts. Within sigma of mu, each cycle is a
trial: the percept flips with probability p w, where w = 1 - abs(c - mu)/(sigma + 1). Given mu and
sigma, the log-likelihood is the sum of log(p w) over flips and of log(1 - p w) over the other
trials. It is concave in p; for sigma = 0 its maximum is at p = flips/trials. mu and sigma are found
by exhaustive search. A flip when c is further than sigma from mu has probability 0.
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
"""The largest period mu + sigma + 1 that the search for mu and sigma tries. It is limited because a
model has a state for every counted cycle."""

_SHAPE_PENALTY = 2.0
"""The smallest gain in log-likelihood for which fitted values of mu and sigma are preferred to a
trial in every cycle."""

_HALVINGS = 50


@dataclass(frozen=True, slots=True)
class TimingShape:
    """The parameters mu and sigma of a percept's activation or deactivation. mu = 1 and sigma = 0
    mean a trial in every cycle."""

    mu: int
    sigma: int

    @property
    def every_cycle(self) -> bool:
        return self.mu == 1 and self.sigma == 0

    def weights(self, counters: npt.NDArray[np.int64]) -> Floats:
        """Return the weight w for each of the given counter values: the percept flips with
        probability p w. The counter values may be larger than the period mu + sigma + 1; they are
        reduced modulo the period."""
        if self.every_cycle:
            return np.ones(len(counters))
        distance = np.abs(counters % (self.mu + self.sigma + 1) - self.mu)
        return np.where(distance <= self.sigma, 1 - distance / (self.sigma + 1), 0.0)


EVERY_CYCLE = TimingShape(1, 0)


@dataclass(frozen=True, slots=True)
class FittedPercept:
    """The fitted probability p of a percept's activation or deactivation, with its confidence
    interval.

    ``p`` is None if an observed flip is impossible with the ``shape`` mu, sigma, or if there were
    no trials.
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
        """Return the probability of a flip for each value of the percept's counter. The values come
        from a counter that never restarts."""
        return self.shape.weights(counters) * (self.p or 0.0)


def fit_percept(
    waits: WaitingSamples, shape: TimingShape, *, confidence: float = 0.95
) -> FittedPercept:
    """Return the most likely probability p of a percept's flips for a given shape mu, sigma, with
    its confidence interval."""
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
    """Return the most likely shape mu, sigma of a percept's waiting times, with the most likely
    probability p. All shapes up to :data:`LONGEST_PERIOD` are tried.

    The shape with a trial in every cycle is preferred, because it has two parameters fewer. Another
    shape is returned only if its log-likelihood is greater by at least two (Akaike's criterion).
    """
    best = fit_percept(waits, EVERY_CYCLE, confidence=confidence)
    if not waits.flips:
        return best
    candidates = [(best.log_likelihood + _SHAPE_PENALTY, EVERY_CYCLE), *_candidates(waits)]
    likeliest = max(each for each, _ in candidates)
    chosen = next(shape for each, shape in candidates if each >= likeliest - 1e-9)
    return fit_percept(waits, chosen, confidence=confidence)


def _candidates(waits: WaitingSamples) -> Iterator[tuple[float, TimingShape]]:
    """Yield pairs of a log-likelihood and a shape mu, sigma, for each shape under which all
    recorded flips are possible. The log-likelihoods of all shapes with the same period are computed
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
    """Return the probability p with the greatest log-likelihood, which is concave in p. At each
    value of the counter, ``w`` is the factor of p, ``n`` the number of trials and ``f`` the number
    of flips."""
    if not f.any():
        return 0.0
    if (w == 1).all():
        return float(f.sum() / n.sum())
    return float(_maximisers(w[np.newaxis], n, f)[0])


def _maximisers(
    w: Floats, n: Floats | npt.NDArray[np.int64], f: Floats | npt.NDArray[np.int64]
) -> Floats:
    """Return the most likely probability p for each row of weights ``w``: the p at which the
    derivative of the log-likelihood is 0, or 1 if the derivative is positive everywhere. ``n``
    counts the trials and ``f`` the flips."""
    low, high = np.zeros(len(w)), np.ones(len(w))
    events, missed = f.sum(), n - f
    with np.errstate(divide="ignore"):
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            slope = events / middle - np.sum(missed * w / (1 - middle[:, np.newaxis] * w), axis=1)
            low, high = np.where(slope > 0, middle, low), np.where(slope > 0, high, middle)
    return (low + high) / 2


def _maxima(w: Floats, n: Floats, f: Floats) -> Floats:
    """Return the greatest log-likelihood over all p for each row of weights ``w``. A percept flips
    with probability p times the weight of the current cycle; ``f`` counts the flips and ``n`` the
    trials."""
    p = _maximisers(w, n, f)[:, np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        flipped = np.where(f > 0, f * np.log(p * w), 0.0)
        others = np.where((n > f) & (w > 0), (n - f) * np.log1p(-p * w), 0.0)
    return np.asarray(flipped.sum(axis=1) + others.sum(axis=1))
