"""What recorded runs say about when percepts flipped and feedbacks came, counted in reasoning
cycles (Izzo, Sect. 3.4.1).

A wait of a percept is counted in cycles in which it could have been tried: cycles in which the
condition for its activation does not hold are none, and counting starts over after them.  Runs that
were cut off leave waits that did not end.
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
    """The waits of a percept for one of its two processes.

    Each is the counter of its first cycle (1 at the beginning of a run and after cycles without the
    condition, 0 after a flip), its length in cycles, and whether it ended with a flip.
    """

    waits: list[tuple[int, int, bool]] = field(default_factory=list)

    @property
    def flips(self) -> int:
        return sum(flipped for _, _, flipped in self.waits)

    @property
    def cycles(self) -> int:
        return sum(length for _, length, _ in self.waits)

    def tables(self) -> tuple[Counts, Counts]:
        """By how far the counter would have come without ever starting over: how many cycles were
        there, and how many flips."""
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
    """The calls of an action: how many cycles it took, and which feedback came, None for a call
    that was cut off."""

    calls: list[tuple[int, str | None]] = field(default_factory=list)

    @property
    def answered(self) -> int:
        return sum(feedback is not None for _, feedback in self.calls)


def collect_samples(
    agent: ResolvedAgent, runs: Iterable[Iterable[ConformanceStep]]
) -> tuple[Mapping[tuple[str, Process], WaitingSamples], Mapping[str, CallSamples]]:
    """The waits of each percept of an agent, and the calls of each of its actions with feedbacks,
    over all runs."""
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
        """The wait ends without a flip; the next one counts from 1."""
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
        """A call that still waits is one without an answer."""
        if self._cycles:
            self._calls.calls.append((self._cycles, None))
        self._cycles = 0
