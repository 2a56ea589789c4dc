"""Interface between a world and the reasoning cycle of LISA agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from volition.runtime.messages import ActionRequest, Inbox, StopRequest
from volition.runtime.run_log import RunLog
from volition.runtime.successor import State

__all__ = ["RuntimeWorld"]


class RuntimeWorld(Protocol):
    """The source of percepts, feedbacks and messages, and the receiver of calls.

    At each tick the executive takes what arrived (``receive``), moves the agent, passes on its
    requests (``call``, ``stop``), and lets the world continue until the next tick (``advance``).
    """

    @property
    def name(self) -> str:
        """The name in the record: ``simulated``, ``vessel``, ..."""

    def begin(self, journal: RunLog) -> None:
        """Prepare for the first cycle. The world may log its properties."""

    def receive(self, state: State, cycle: int) -> Mapping[str, Inbox]:
        """Return what arrived since the last tick, by agent; ``state`` is the current state of the
        system."""

    def call(self, call: ActionRequest, cycle: int) -> None: ...

    def stop(self, stop: StopRequest, cycle: int) -> None: ...

    def advance(self, start: float, end: float, cycle: int) -> str | None:
        """Advance the world between two times of the run in seconds; return the reason if the world
        ends the run, else None."""

    def close(self) -> None:
        """Clean up after the last cycle, for whatever reason the run ended."""
