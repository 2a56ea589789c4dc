"""Probability that a percept flips (becomes held or absent), and that an action's feedback comes,
in a given reasoning cycle. Both are exact fractions (Izzo, Sect. 3.4.1)."""

from __future__ import annotations

from fractions import Fraction

from volition.languages.lisa.resolved import Action
from volition.languages.lisa.syntax import TimingDistribution

__all__ = ["feedback_chance", "flip_chance"]


def feedback_chance(action: Action, cycle: int) -> Fraction:
    """Return the probability that a feedback (result) of an action comes in the given reasoning
    cycle, if none came before (Izzo, Eq. 3.7). Cycles are counted from the call, starting with 1.
    """
    earliest = action.mean - action.deviation
    if cycle < earliest:
        return Fraction(0)
    return Fraction(min(cycle, action.latest) - earliest + 1, 2 * action.deviation + 1)


def flip_chance(triple: TimingDistribution, counter: int) -> Fraction:
    """Return the probability that a percept flips (becomes held or absent) at a value of its
    counter, which counts reasoning cycles (Izzo, Eq. 3.9).

    ``triple`` is the percept's ``[p, mu, sigma]``. The probability is p at the average mu,
    decreases linearly on both sides, and is 0 if the counter differs from mu by more than sigma.
    """
    distance = abs(counter - triple.mean)
    if distance > triple.deviation:
        return Fraction(0)
    return triple.probability * (1 - Fraction(distance, triple.deviation + 1))
