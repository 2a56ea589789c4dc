"""Interface between a world and the reasoning cycle of LISA agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from volition.runtime.messages import ActionRequest, Inbox, StopRequest
from volition.runtime.run_log import RunLog
from volition.runtime.successor import State

__all__ = ["RuntimeWorld"]


class RuntimeWorld(Protocol):
    """World in which LISA agents run: the source of percepts, feedbacks and messages, and the
    receiver of calls and stops.

    At each tick the executive takes what arrived (``receive``), moves the agents, passes on their
    requests (``call``, ``stop``), and lets the world continue until the next tick (``advance``).
    """

    @property
    def name(self) -> str:
        """The name of the world in the record: ``simulated``, ``vessel``, ..."""

    def begin(self, journal: RunLog) -> None:
        """Start the world before the first cycle. A world may write its properties to the run log
        ``journal`` here."""

    def receive(self, state: State, cycle: int) -> Mapping[str, Inbox]:
        """Return what has arrived for each agent since the last tick. ``state`` is the current
        state of the system."""

    def call(self, call: ActionRequest, cycle: int) -> None: ...

    def stop(self, stop: StopRequest, cycle: int) -> None: ...

    def advance(self, start: float, end: float, cycle: int) -> str | None:
        """Advance the world from ``start`` to ``end``, in seconds since the start of the run.
        Return the reason if the world ends the run, else None."""

    def close(self) -> None:
        """Release the resources of the world after the last cycle, for whatever reason the run
        ended."""
