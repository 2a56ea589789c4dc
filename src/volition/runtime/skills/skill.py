"""The base class of skills that are written in Python."""

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
    """Something that an agent can do, or a sense that it has.

    A skill is started by a call of its action.  One that runs once sends exactly one feedback:
    ``start`` or a later ``step`` returns it. One that runs repeatedly makes steps at its ``rate``
    until it is stopped.  A skill that no action starts runs from the beginning to the end.
    """

    subsystem: ClassVar[Subsystem] = "control"
    rate: ClassVar[float] = 1.0
    """Steps in a second of the run, while the skill works."""

    def __init__(self) -> None:
        self.ports: Mapping[str, Any] = {}
        self._put: Callable[[str, Any], None] = _nowhere

    # --- what a skill may do of its own -----------------------------------------------------------

    def start(self, call: ActionRequest | None) -> str | None:  # noqa: ARG002
        """The action is called; for a skill without an action, None.  A feedback that is known at
        once is returned."""
        return None

    def step(self, time: float) -> str | None:  # noqa: ARG002
        """One step of its work, at a time of the run in seconds; the feedback, where the work is
        done."""
        return None

    def stop(self) -> str | None:
        """The action is stopped; the feedback that is still due, if there is one."""
        return None

    # --- what it may ask for ----------------------------------------------------------------------

    def report_percept(self, percept: str, value: bool, **why: Any) -> None:
        """Tells the agent what a percept is, with the numbers behind it."""
        self.publish(f"percept/{name_of(percept)}", {"value": value, "why": why})

    def send_message(self, text: str, *, sender: str = "") -> None:
        """Sends the agent a message."""
        self.publish("message", {"from": sender or type(self).__name__, "text": text})

    def publish(self, topic: str, value: Any) -> None:
        """Puts a value where others read it."""
        self._put(topic, value)

    def connect(self, ports: Mapping[str, Any], put: Callable[[str, Any], None]) -> None:
        """For the host: where ports are read and written."""
        self.ports, self._put = ports, put


def _nowhere(topic: str, value: Any) -> None:
    """A skill that nobody has connected talks to nobody."""
