"""Base class of skills in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

from volition.languages.lisa.names import name_of
from volition.runtime.messages import ActionRequest

__all__ = ["SUBSYSTEMS", "Skill", "Subsystem"]

Subsystem = Literal["dynamics", "sensing", "abstraction", "sequencing", "control"]
SUBSYSTEMS: tuple[Subsystem, ...] = ("sequencing", "control", "dynamics", "sensing", "abstraction")
"""The subsystems of Izzo, Fig. 3.1, and the environment, in the order in which they work between
two ticks of the agent."""


class Skill:
    """An action or a sense of an agent.

    A call of its action starts a skill. A skill that runs once gives exactly one feedback:
    ``start`` or a later ``step`` returns it. A skill that runs repeatedly makes steps at its
    ``rate`` until it is stopped. A skill without an action runs from the beginning to the end of
    the run.
    """

    subsystem: ClassVar[Subsystem] = "control"
    rate: ClassVar[float] = 1.0
    """Steps per second of run time, while the skill works."""

    def __init__(self) -> None:
        self.ports: Mapping[str, Any] = {}
        self._put: Callable[[str, Any], None] = _nowhere

    # --- methods to override ----------------------------------------------------------------------

    def start(self, call: ActionRequest | None) -> str | None:  # noqa: ARG002
        """Start the work for a call, which is None for a skill without an action; return the
        feedback if it is already known."""
        return None

    def step(self, time: float) -> str | None:  # noqa: ARG002
        """Do one step of the work at a time of the run in seconds; return the feedback if the work
        is done."""
        return None

    def stop(self) -> str | None:
        """Stop the work; return the feedback that is still due, if there is one."""
        return None

    # --- methods to call --------------------------------------------------------------------------

    def report_percept(self, percept: str, value: bool, **why: Any) -> None:
        """Report the value of a percept to the agent, with the measurements behind it."""
        self.publish(f"percept/{name_of(percept)}", {"value": value, "why": why})

    def send_message(self, text: str, *, sender: str = "") -> None:
        """Send a message to the agent."""
        self.publish("message", {"from": sender or type(self).__name__, "text": text})

    def publish(self, topic: str, value: Any) -> None:
        """Publish a value on a topic."""
        self._put(topic, value)

    def connect(self, ports: Mapping[str, Any], put: Callable[[str, Any], None]) -> None:
        """Connect the skill to the ports of its host."""
        self.ports, self._put = ports, put


def _nowhere(topic: str, value: Any) -> None:
    """Discard what a skill publishes before it is connected."""
