"""What a run says on a bridge: each message has the time of the run, the cycle, and its number
among all that were sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from volition.runtime.bridge.interface import Bridge

__all__ = ["Sender"]


class Sender:
    """Counts messages, and knows what time it is."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._time, self._sent = 0.0, 0

    def send(
        self, topic: str, cycle: int, data: Mapping[str, Any], *, to: Bridge | None = None
    ) -> None:
        """One message, on a part of the bridge if it is ``to`` one agent."""
        self._sent += 1
        (to or self._bridge).publish(
            topic, {"t": self._time, "cycle": cycle, "seq": self._sent, **data}
        )

    def tick(self, start: float, end: float, cycle: int) -> None:
        """Time passes."""
        self._time = start
        self.send("clock", cycle, {"seconds": end - start, "step": "tick"})
        self._time = end

    def end(self) -> None:
        """The run is over."""
        self._bridge.publish("clock", {"step": "end"})
