"""Probability that a percept flips, and that an action's feedback comes, in a given reasoning
cycle. Both are exact fractions (Izzo, Sect. 3.4.1)."""

from __future__ import annotations

from fractions import Fraction

from volition.languages.lisa.resolved import Action
from volition.languages.lisa.syntax import TimingDistribution

__all__ = ["feedback_chance", "flip_chance"]


def feedback_chance(action: Action, cycle: int) -> Fraction:
    """Return the probability that an action's feedback comes in the given cycle after the call, if
    none came before (Izzo, Eq. 3.7). The first cycle after the call has the number 1."""
    earliest = action.mean - action.deviation
    if cycle < earliest:
        return Fraction(0)
    return Fraction(min(cycle, action.latest) - earliest + 1, 2 * action.deviation + 1)


def flip_chance(triple: TimingDistribution, counter: int) -> Fraction:
    """Return the probability that a percept flips at the given value of its counter (Izzo, Eq.
    3.9). It is p at the average mu and decreases linearly on both sides."""
    distance = abs(counter - triple.mean)
    if distance > triple.deviation:
        return Fraction(0)
    return triple.probability * (1 - Fraction(distance, triple.deviation + 1))
