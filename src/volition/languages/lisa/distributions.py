"""When percepts flip and feedbacks come: the distributions of Izzo, Sect. 3.4.1, in exact
numbers."""

from __future__ import annotations

from fractions import Fraction

from volition.languages.lisa.resolved import Action
from volition.languages.lisa.syntax import TimingDistribution

__all__ = ["feedback_chance", "flip_chance"]


def feedback_chance(action: Action, cycle: int) -> Fraction:
    """Eq. 3.7: the chance that a feedback comes in this cycle after the call (1 is the first), if
    none came before."""
    earliest = action.mean - action.deviation
    if cycle < earliest:
        return Fraction(0)
    return Fraction(min(cycle, action.latest) - earliest + 1, 2 * action.deviation + 1)


def flip_chance(triple: TimingDistribution, counter: int) -> Fraction:
    """Eq. 3.9: the chance that a percept flips when its counter stands here: p at the average,
    falling to both sides."""
    distance = abs(counter - triple.mean)
    if distance > triple.deviation:
        return Fraction(0)
    return triple.probability * (1 - Fraction(distance, triple.deviation + 1))
