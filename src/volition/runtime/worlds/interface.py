"""What every world offers to the cycle of a LISA agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from volition.runtime.messages import ActionRequest, Inbox, StopRequest
from volition.runtime.run_log import RunLog
from volition.runtime.successor import State

__all__ = ["RuntimeWorld"]


class RuntimeWorld(Protocol):
    """Where percepts, feedbacks and messages come from, and where calls go to.

    At each tick the executive takes what came (``receive``), moves the agent, hands over what it
    asks for (``call``, ``stop``), and lets the world go on until the next tick (``advance``).
    """

    @property
    def name(self) -> str:
        """As the record has it: ``simulated``, ``vessel``, ..."""

    def begin(self, journal: RunLog) -> None:
        """Before the first cycle.  What the world has to tell of itself goes to the journal."""

    def receive(self, state: State, cycle: int) -> Mapping[str, Inbox]:
        """What came since the last tick for each agent by its name, the system being in this
        state."""

    def call(self, call: ActionRequest, cycle: int) -> None: ...

    def stop(self, stop: StopRequest, cycle: int) -> None: ...

    def advance(self, start: float, end: float, cycle: int) -> str | None:
        """Lets time pass, in seconds of the run; why the run is over, if the world ends it."""

    def close(self) -> None:
        """After the last cycle, whatever ended the run."""
