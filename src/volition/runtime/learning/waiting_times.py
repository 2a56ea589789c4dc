"""Comparison of observed waiting times with those that an estimate predicts. An estimate with the
right mean may still predict the wrong distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from volition.kernel.arrays import Floats
from volition.runtime.learning.feedbacks import FittedWindow
from volition.runtime.learning.percepts import FittedPercept
from volition.runtime.learning.samples import CallSamples, WaitingSamples

__all__ = ["WaitingRow", "waiting_for_feedback", "waiting_for_flip"]

MAX_ROWS = 6


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """Row of a table of waiting times: how many waiting times had a length of ``minimum`` to
    ``maximum`` cycles, and how many were expected to."""

    minimum: int
    maximum: int
    observed: int
    expected: float


def waiting_for_flip(waits: WaitingSamples, fitted: FittedPercept) -> tuple[WaitingRow, ...]:
    """Return rows that compare the observed waiting times of a percept's flips with those that its
    fitted probability predicts."""
    longest = max((length for _, length, _ in waits.waits), default=0)
    expected, observed = np.zeros(longest), np.zeros(longest)
    for start in (0, 1):
        lengths = [length for begun, length, _ in waits.waits if begun == start]
        expected += _at_risk(lengths, longest) * fitted.chances(start + np.arange(longest))
    for _, length, flipped in waits.waits:
        observed[length - 1] += flipped
    return _rows(observed, expected)


def waiting_for_feedback(calls: CallSamples, fitted: FittedWindow) -> tuple[WaitingRow, ...]:
    """Return rows that compare the observed delays of an action's feedbacks with those that its
    fitted window predicts."""
    longest = max((cycles for cycles, _ in calls.calls), default=0)
    observed = np.zeros(longest)
    for cycles, feedback in calls.calls:
        observed[cycles - 1] += feedback is not None
    return _rows(
        observed, _at_risk([cycles for cycles, _ in calls.calls], longest) * fitted.chances(longest)
    )


def _at_risk(lengths: Sequence[int], longest: int) -> Floats:
    """Return, for each n from 1 to ``longest``, the number of waiting times of at least n
    cycles."""
    risk = np.zeros(longest)
    for length in lengths:
        risk[:length] += 1
    return risk


def _rows(observed: Floats, expected: Floats) -> tuple[WaitingRow, ...]:
    """Return table rows with the observed and expected numbers of waiting times. ``observed`` and
    ``expected`` have one number per length in cycles.

    Lengths are merged into at most ``MAX_ROWS`` ranges with about equal observed numbers. The
    lengths below the shortest observed one form an additional row.
    """
    total = int(observed.sum())
    if total == 0:
        return ()
    requested = min(MAX_ROWS, total)
    reached = np.cumsum(observed)
    parts = {
        int(np.searchsorted(reached, total * part / requested - 1e-9))
        for part in range(1, requested)
    }
    first = int(np.argmax(observed > 0))
    ends = sorted(parts | {len(observed) - 1} | ({first - 1} if first else set()))
    starts = [0, *(end + 1 for end in ends[:-1])]
    return tuple(
        WaitingRow(
            start + 1,
            end + 1,
            int(observed[start : end + 1].sum()),
            float(expected[start : end + 1].sum()),
        )
        for start, end in zip(starts, ends, strict=True)
    )
