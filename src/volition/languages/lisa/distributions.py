"""Distributions of the times at which percepts flip and feedbacks come, in exact fractions (Izzo,
Sect. 3.4.1)."""

from __future__ import annotations

from fractions import Fraction

from volition.languages.lisa.resolved import Action
from volition.languages.lisa.syntax import TimingDistribution

__all__ = ["feedback_chance", "flip_chance"]


def feedback_chance(action: Action, cycle: int) -> Fraction:
    """Return the probability of Eq. 3.7 that a feedback comes in this cycle after the call, if none
    came before. The first cycle after the call is 1."""
    earliest = action.mean - action.deviation
    if cycle < earliest:
        return Fraction(0)
    return Fraction(min(cycle, action.latest) - earliest + 1, 2 * action.deviation + 1)


def flip_chance(triple: TimingDistribution, counter: int) -> Fraction:
    """Return the probability of Eq. 3.9 that a percept flips at this value of its counter: p at the
    average, decreasing linearly on both sides."""
    distance = abs(counter - triple.mean)
    if distance > triple.deviation:
        return Fraction(0)
    return triple.probability * (1 - Fraction(distance, triple.deviation + 1))
