"""Base class of skills in Python. A skill implements an action or a sense of an agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

from volition.languages.lisa.names import name_of
from volition.runtime.messages import ActionRequest

__all__ = ["SUBSYSTEMS", "Skill", "Subsystem"]

Subsystem = Literal["dynamics", "sensing", "abstraction", "sequencing", "control"]
SUBSYSTEMS: tuple[Subsystem, ...] = ("sequencing", "control", "dynamics", "sensing", "abstraction")
"""The subsystems of Izzo, Fig. 3.1, and the environment (``dynamics``), in the order in which their
skills work between two ticks of the agent."""


class Skill:
    """An action or a sense of an agent. Derive a class from it and override ``start``, ``step`` and
    ``stop``.

    A call of its action starts a skill. A skill that runs once gives exactly one feedback:
    ``start`` or a later ``step`` returns it. A skill that runs repeatedly makes steps at its
    ``rate`` until it is stopped. A skill without an action runs from the beginning to the end of
    the run.
    """

    subsystem: ClassVar[Subsystem] = "control"
    rate: ClassVar[float] = 1.0
    """Number of steps per second of simulated time while the skill works."""

    def __init__(self) -> None:
        self.ports: Mapping[str, Any] = {}
        self._put: Callable[[str, Any], None] = _discard

    # --- methods to override ----------------------------------------------------------------------

    def start(self, call: ActionRequest | None) -> str | None:  # noqa: ARG002
        """Start the work for a call of the action. ``call`` is None for a skill without an action.
        Return the feedback if it is already known, else None."""
        return None

    def step(self, time: float) -> str | None:  # noqa: ARG002
        """Do one step of the work. ``time`` is the time since the start of the run in seconds.
        Return the feedback if the work is done, else None."""
        return None

    def stop(self) -> str | None:
        """Stop the work. Return the feedback of the current call if the skill has not given it yet,
        or None if there is none to give."""
        return None

    # --- methods to call --------------------------------------------------------------------------

    def report_percept(self, percept: str, value: bool, **why: Any) -> None:
        """Report the value of a percept to the agent, with the measurements that it was computed
        from."""
        self.publish(f"percept/{name_of(percept)}", {"value": value, "why": why})

    def send_message(self, text: str, *, sender: str = "") -> None:
        """Send a message to the agent. ``sender`` is by default the name of the skill's class."""
        self.publish("message", {"from": sender or type(self).__name__, "text": text})

    def publish(self, topic: str, value: Any) -> None:
        """Publish a value on a topic of the bridge, which also sets the ports with that topic."""
        self._put(topic, value)

    def connect(self, ports: Mapping[str, Any], put: Callable[[str, Any], None]) -> None:
        """Connect the skill to its host: ``ports`` has the last value of each topic, and ``put``
        publishes a value on a topic."""
        self.ports, self._put = ports, put


def _discard(topic: str, value: Any) -> None:
    """Discard what a skill publishes before it is connected."""
