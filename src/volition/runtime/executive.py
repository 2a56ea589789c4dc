"""The main loop of a run: it executes one reasoning cycle, or one step of a program without cycles,
at each tick of a clock. A stop condition, a limit or an interruption ends the run.

By default the run is in lock-step with its world: time is only counted, and the main loop does not
wait for a clock. The same seed then gives the same run. In real time, each tick waits for the
clock. If a tick is late, its cycle takes longer; no tick is skipped.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

from volition.diagnostics import InputError, plural
from volition.display import HtmlDisplay
from volition.runtime.interruption import deferred_interrupts
from volition.runtime.run_log import RunLog
from volition.runtime.successor import State

__all__ = ["CYCLES", "DEADLOCK", "INTERRUPTED", "RunResult", "Runner", "run"]

CYCLES, INTERRUPTED, DEADLOCK = "cycles", "interrupted", "no further step is possible"
"""Reasons for the end of a run other than a stop condition of its program."""


class Runner(Protocol):
    """A running program. The main loop of the run calls it at each tick of the clock."""

    @property
    def state(self) -> State:
        """The current state, a new object after every step."""

    def start(self) -> None: ...

    def advance(self, cycle: int, time: float) -> str | None:
        """Execute one cycle, or one step of a program without cycles. Return the reason for the end
        of the run, or None if the run goes on."""

    def advance_time(self, start: float, end: float, cycle: int) -> str | None:
        """Let the world advance from the time ``start`` to the time ``end``, at which the next
        cycle begins. Return the reason for the end of the run, or None if the run goes on."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, repr=False)
class RunResult(HtmlDisplay):
    """The result of a run: why it ended, after how many cycles and seconds of simulated time, and
    the number of log lines of each kind."""

    reason: str
    cycles: int
    seconds: float
    totals: dict[str, int]

    def __repr__(self) -> str:
        return f"<RunResult: {self.sentence()}>"

    @property
    def interrupted(self) -> bool:
        return self.reason == INTERRUPTED

    def sentence(self) -> str:
        """Return the result as a sentence: ``ended after 1,678 cycles: Mission complete``."""
        steps = "step" if self.totals.get("step") else "cycle"
        why = {CYCLES: "limit reached", INTERRUPTED: "interrupted"}.get(self.reason, self.reason)
        return f"ended after {self.cycles:,} {plural(self.cycles, steps)}: {why}"

    def as_json(self) -> dict[str, Any]:
        return {
            "reason": self.reason,
            "cycles": self.cycles,
            "t": self.seconds,
            "totals": self.totals,
        }


def run(
    runner: Runner, journal: RunLog, *, cycles: int | None, cycle_seconds: float, real_time: bool
) -> RunResult:
    """Run a program until it ends by itself, the cycle limit is reached, or the user presses
    Ctrl-C.

    ``cycles`` is the cycle limit, None for no limit. Each cycle takes ``cycle_seconds`` of
    simulated time.
    """
    done, reason = 0, None
    with deferred_interrupts() as interruption:
        try:
            runner.start()
            due = time.monotonic()
            while reason is None:
                if interruption:
                    reason = INTERRUPTED
                elif done == cycles:
                    reason = CYCLES
                else:
                    reason = runner.advance(done, done * cycle_seconds)
                    if reason != DEADLOCK:
                        done += 1
                    if reason is None:
                        reason = runner.advance_time(
                            (done - 1) * cycle_seconds, done * cycle_seconds, done - 1
                        )
                        if real_time:
                            due = max(due + cycle_seconds, time.monotonic())
                            interruption.wait(due - time.monotonic())
        except InputError as error:
            _end(journal, f"error: {error.diagnostics[0].message}", done, cycle_seconds)
            raise
        finally:
            runner.close()
        return _end(journal, reason, done, cycle_seconds)


def _end(journal: RunLog, reason: str, cycles: int, cycle_seconds: float) -> RunResult:
    totals = dict(journal.line_counts)
    journal.write("end", cycle=cycles, t=cycles * cycle_seconds, reason=reason, totals=totals)
    return RunResult(reason, cycles, cycles * cycle_seconds, totals)
