"""Motions that the tests of the vessel look at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from volition.vessel.anchor import DroppedAnchor
from volition.vessel.dynamics import Dynamics, State, at_rest
from volition.vessel.parameters import Hull

HULL = Hull()
SLOTS = ("north", "east", "draft", "roll", "pitch", "heading", "u", "v", "w", "p", "q", "r")

Motion = list[tuple[float, State]]


def displaced(**offsets: float) -> State:
    """At rest but for some of the twelve numbers."""
    state = list(at_rest(HULL))
    for name, offset in offsets.items():
        state[SLOTS.index(name)] += offset
    return tuple(state)


def moved(
    dynamics: Dynamics,
    state: State,
    seconds: float,
    *,
    step: float = 0.05,
    thrust: float = 0.0,
    rudder: float = 0.0,
    anchor: DroppedAnchor | None = None,
) -> Motion:
    """The states of a motion with their times, the first one among them."""
    motion = [(0.0, state)]
    for number in range(round(seconds / step)):
        state = dynamics.step(
            state, number * step, step, thrust=thrust, rudder=rudder, anchor=anchor
        )
        motion.append(((number + 1) * step, state))
    return motion


def values(motion: Motion, name: str, *, context: float = 0.0) -> list[float]:
    return [state[SLOTS.index(name)] - context for _, state in motion]


def crossings(motion: Motion, name: str, *, context: float = 0.0) -> list[float]:
    """When a number passes zero, interpolated."""
    times = [time for time, _ in motion]
    return [
        start + (end - start) * one / (one - other)
        for (start, one), (end, other) in pairwise(
            zip(times, values(motion, name, context=context), strict=True)
        )
        if one * other < 0
    ]


def peaks(motion: Motion, name: str, *, context: float = 0.0) -> list[float]:
    """The maxima behind the beginning, by the parabola through the three highest points."""
    found = []
    numbers = values(motion, name, context=context)
    for before, top, after in zip(numbers, numbers[1:], numbers[2:], strict=False):
        if top > before and top >= after:
            found.append(top - (after - before) ** 2 / (8 * (before - 2 * top + after)))
    return found


def mean_period(times: Sequence[float]) -> float:
    """From zero crossings, of which there are two in a period."""
    return 2 * (times[-1] - times[0]) / (len(times) - 1)


def speed(state: State) -> float:
    return hypot(state[6], state[7])
