"""Waiting times of percepts and delays of feedbacks in recorded runs, counted in reasoning cycles
(Izzo, Sect. 3.4.1).

A waiting time of a percept counts only cycles in which the percept could flip. Cycles in which the
condition for activation is false do not count, and counting restarts after them. A waiting time
that the end of a run cuts off is stored as one without a flip.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from volition.kernel.system import SlotView
from volition.languages.lisa.resolved import SCHEDULER, Action, Percept, ResolvedAgent
from volition.languages.lisa.semantics import BELIEFS_NEXT, AgentView, believes
from volition.languages.lisa.syntax import holds
from volition.runtime.conformance import ConformanceStep

__all__ = ["CallSamples", "Process", "WaitingSamples", "collect_samples"]

Process = Literal["activation", "deactivation"]
Counts = npt.NDArray[np.int64]


@dataclass
class WaitingSamples:
    """The recorded waiting times of one percept, either until it became active or until it became
    inactive.

    Each element of ``waits`` describes one waiting time by three values:

    - The value of the percept's cycle counter at the beginning. It is 0 after a flip. It is 1 at
      the beginning of a run, and after cycles in which the condition for activation was false.
    - The length of the waiting time in cycles.
    - Whether the waiting time ended with a flip. Otherwise it ended because the condition became
      false, or because the run ended.
    """

    waits: list[tuple[int, int, bool]] = field(default_factory=list)

    @property
    def flips(self) -> int:
        return sum(flipped for _, _, flipped in self.waits)

    @property
    def cycles(self) -> int:
        return sum(length for _, length, _ in self.waits)

    def tables(self) -> tuple[Counts, Counts]:
        """Return two arrays of counts. They show how often the percept flipped (became held or
        absent) at each value of its counter. The counter counts the reasoning cycles of a waiting
        time.

        Element i of the first array is the number of recorded cycles in which the counter was i.
        Element i of the second array is the number of those cycles in which the percept flipped. In
        the model, the counter restarts at 0 when it reaches a maximum. Here it does not restart.
        """
        size = 1 + max((start + length for start, length, _ in self.waits), default=0)
        begun, tries, flips = (
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
        )
        for start, length, flipped in self.waits:
            begun[start] += 1
            begun[start + length] -= 1
            flips[start + length - 1] += flipped
        tries[:] = np.cumsum(begun)
        return tries, flips


@dataclass
class CallSamples:
    """The recorded calls of an action. Each element of ``calls`` describes one call: its duration
    in cycles, and the feedback that came, or None if the call ended without feedback."""

    calls: list[tuple[int, str | None]] = field(default_factory=list)

    @property
    def answered(self) -> int:
        return sum(feedback is not None for _, feedback in self.calls)


def collect_samples(
    agent: ResolvedAgent, runs: Iterable[Iterable[ConformanceStep]]
) -> tuple[Mapping[tuple[str, Process], WaitingSamples], Mapping[str, CallSamples]]:
    """Return the waiting times of each percept of an agent, and the calls of each of its actions
    that has feedbacks, over all recorded runs."""
    waits: dict[tuple[str, Process], WaitingSamples] = {}
    for percept in agent.percepts:
        waits |= {
            (percept.name, "activation"): WaitingSamples(),
            (percept.name, "deactivation"): WaitingSamples(),
        }
    calls = {action.name: CallSamples() for action in agent.actions if action.feedbacks}
    for run in runs:
        watches: list[_PerceptWatch | _ActionWatch] = [
            _PerceptWatch(percept, waits) for percept in agent.percepts
        ]
        watches += [
            _ActionWatch(action, calls[action.name]) for action in agent.actions if action.feedbacks
        ]
        for step in run:
            if step.after is None or step.before[SCHEDULER] != BELIEFS_NEXT:
                continue
            before, after = AgentView(agent, step.before), AgentView(agent, step.after)
            for watch in watches:
                watch.see(before, after)
        for watch in watches:
            watch.cut_off()
    return waits, calls


class _PerceptWatch:
    def __init__(
        self, percept: Percept, waits: Mapping[tuple[str, Process], WaitingSamples]
    ) -> None:
        self._percept = percept
        self._waits = waits
        self._start, self._length = 1, 0
        self._process: Process = "activation"

    def see(self, before: SlotView, after: SlotView) -> None:
        active = before[self._percept.name] == 1
        self._process = "deactivation" if active else "activation"
        if not active and not holds(self._percept.condition, believes(before)):
            self.cut_off()
            return
        self._length += 1
        if (after[self._percept.name] == 1) != active:
            self._keep(flipped=True)
            self._start = 0

    def cut_off(self) -> None:
        """Store the current waiting time, if it has begun, as one without a flip. The counter of
        the next waiting time starts at 1."""
        if self._length:
            self._keep(flipped=False)
        self._start = 1

    def _keep(self, *, flipped: bool) -> None:
        self._waits[self._percept.name, self._process].waits.append(
            (self._start, self._length, flipped)
        )
        self._length = 0


class _ActionWatch:
    def __init__(self, action: Action, calls: CallSamples) -> None:
        self._action = action
        self._calls = calls
        self._cycles = 0

    def see(self, before: SlotView, after: SlotView) -> None:
        counter = self._action.feedbacks[0].name
        if before[counter] <= 1:
            self.cut_off()
            if not any(
                before[position.plan] == position.index for position in self._action.called_at
            ):
                return
        self._cycles += 1
        came = next((each.name for each in self._action.feedbacks if after[each.name] == 1), None)
        if came is not None:
            self._calls.calls.append((self._cycles, came))
            self._cycles = 0

    def cut_off(self) -> None:
        """Store the open call, if there is one, as a call that got no feedback."""
        if self._cycles:
            self._calls.calls.append((self._cycles, None))
        self._cycles = 0
