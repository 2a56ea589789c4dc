"""Estimation of action feedbacks from recorded calls: after how many cycles a feedback arrives
(Izzo, Eq. 3.7), and which feedback it is (the weights of Eq. 3.8).

The number of cycles lies in a window with centre mu and half-width sigma, both integers. If no
feedback arrived before, one arrives in the t-th cycle after the call with probability h(t) = (t -
mu + sigma + 1)/(2 sigma + 1), for t from mu - sigma to mu + sigma. Since h(mu + sigma) = 1, a
feedback arrives in cycle mu + sigma at the latest. mu and sigma are found by exhaustive search.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from volition.kernel.arrays import Floats
from volition.runtime.learning.intervals import drop_of, exact_interval
from volition.runtime.learning.samples import CallSamples

__all__ = ["FittedWeight", "FittedWindow", "fit_weights", "fit_window", "window_likelihood"]


@dataclass(frozen=True, slots=True)
class FittedWindow:
    """The most likely window for the delay of an action's feedbacks: a feedback arrives from mu -
    sigma to mu + sigma cycles after the call (Izzo, Eq. 3.7). ``others`` are the pairs (mu, sigma)
    that are nearly as likely."""

    mu: int
    sigma: int
    log_likelihood: float
    others: tuple[tuple[int, int], ...] = ()

    def chances(self, longest: int) -> Floats:
        """Return, for each of the first ``longest`` cycles after a call, the probability that a
        feedback comes in that cycle if none came before."""
        return _chances(self.mu, self.sigma, longest)


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """The relative frequency of one of an action's feedbacks among those that came, with its
    confidence interval."""

    feedback: str
    count: int
    total: int
    lower: float
    upper: float


def window_likelihood(calls: CallSamples, mu: int, sigma: int) -> float:
    """Return the log-likelihood of the recorded feedback delays if feedbacks arrive from mu - sigma
    to mu + sigma cycles after the call (Izzo, Eq. 3.7). Which feedback came does not matter."""
    return _log_likelihood(*_tables(calls), mu, sigma)


def fit_window(calls: CallSamples, *, confidence: float = 0.95) -> FittedWindow | None:
    """Return the window under which the recorded feedback delays are most likely, or None if no
    feedback came. With the window (mu, sigma), feedbacks arrive from mu - sigma to mu + sigma
    cycles after the call. Of several equally likely windows, take the narrowest."""
    if not calls.answered:
        return None
    risk, events = _tables(calls)
    first, last = int(np.argmax(events > 0)) + 1, len(risk)
    found = {
        (mu, sigma): _log_likelihood(risk, events, mu, sigma)
        for mu in range(1, 2 * last + 2)
        for sigma in range(max(0, mu - first), mu)
        if mu + sigma >= last
    }
    likeliest = max(found.values())
    best = min(
        (shape for shape, each in found.items() if each >= likeliest - 1e-9),
        key=lambda shape: (shape[1], shape[0]),
    )
    near = tuple(
        sorted(
            shape
            for shape, each in found.items()
            if shape != best and each >= likeliest - drop_of(confidence)
        )
    )
    return FittedWindow(*best, found[best], near)


def fit_weights(
    calls: CallSamples, feedbacks: Mapping[str, object], *, confidence: float = 0.95
) -> list[FittedWeight]:
    """Return the estimated weight of each feedback of an action: its share of all feedbacks that
    came."""
    counts = Counter(feedback for _, feedback in calls.calls if feedback is not None)
    total = calls.answered
    return [
        FittedWeight(name, counts[name], total, *exact_interval(counts[name], total, confidence))
        for name in feedbacks
    ]


def _tables(calls: CallSamples) -> tuple[Floats, Floats]:
    """Return two arrays over the cycles after a call: how many calls had no feedback before the
    cycle, and how many feedbacks came in the cycle."""
    longest = max((cycles for cycles, _ in calls.calls), default=0)
    risk, events = np.zeros(longest), np.zeros(longest)
    for cycles, feedback in calls.calls:
        risk[:cycles] += 1
        if feedback is not None:
            events[cycles - 1] += 1
    return risk, events


def _chances(mu: int, sigma: int, longest: int) -> Floats:
    cycle = np.arange(1, longest + 1)
    return np.clip((np.minimum(cycle, mu + sigma) - mu + sigma + 1) / (2 * sigma + 1), 0.0, 1.0)


def _log_likelihood(risk: Floats, events: Floats, mu: int, sigma: int) -> float:
    chance, missed = _chances(mu, sigma, len(risk)), risk - events
    if (events[chance == 0] > 0).any() or (missed[chance == 1] > 0).any():
        return -math.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        came = np.where(events > 0, events * np.log(chance), 0.0)
        waited = np.where(missed > 0, missed * np.log1p(-chance), 0.0)
    return float(came.sum() + waited.sum())
