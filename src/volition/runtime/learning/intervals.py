"""Confidence intervals of estimated probabilities: Clopper-Pearson and profile likelihood."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

from volition.analysis.smc.intervals import Counts, clopper_pearson

__all__ = ["drop_of", "exact_interval", "profile_interval"]

_HALVINGS = 60


def exact_interval(events: int, trials: int, confidence: float) -> tuple[float, float]:
    """Return the Clopper-Pearson confidence interval of the probability of an event that occurred
    in ``events`` of ``trials`` trials."""
    return (0.0, 1.0) if trials == 0 else clopper_pearson(Counts(trials, events), 1 - confidence)


def drop_of(confidence: float) -> float:
    """Return how far below its maximum a log-likelihood may be within a confidence interval (Wilks'
    theorem, one parameter): 1.92 for a confidence of 95 %."""
    return NormalDist().inv_cdf((1 + confidence) / 2) ** 2 / 2


def profile_interval(
    log_likelihood: Callable[[float], float],
    best: float,
    confidence: float,
    within: tuple[float, float] = (0.0, 1.0),
) -> tuple[float, float]:
    """Return the profile likelihood interval: the values around ``best``, within the given limits,
    whose log-likelihood is at most :func:`drop_of` below that of ``best``. The log-likelihood must
    decrease on both sides of ``best``."""
    minimum = log_likelihood(best) - drop_of(confidence)

    def end(outside: float) -> float:
        if log_likelihood(outside) >= minimum:
            return outside
        inside = best
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            inside, outside = (
                (middle, outside) if log_likelihood(middle) >= minimum else (inside, middle)
            )
        return outside

    return end(within[0]), end(within[1])
