"""Sender of all messages of a run to its skills and to other processes, over a message bridge. It
adds the simulated time, the number of the reasoning cycle, and a sequence number to each message.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from volition.runtime.bridge.interface import Bridge

__all__ = ["Sender"]


class Sender:
    """Publisher of the messages of a run on a message bridge. It adds the simulated time, the
    number of the reasoning cycle, and a sequence number to each message."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._time, self._sent = 0.0, 0

    def send(
        self, topic: str, cycle: int, data: Mapping[str, Any], *, to: Bridge | None = None
    ) -> None:
        """Publish one message about a cycle. ``to`` is the message bridge to publish it on, such as
        the part that belongs to one agent. By default the message goes to the bridge of the whole
        run."""
        self._sent += 1
        (to or self._bridge).publish(
            topic, {"t": self._time, "cycle": cycle, "seq": self._sent, **data}
        )

    def tick(self, start: float, end: float, cycle: int) -> None:
        """Publish the clock tick of a cycle from ``start`` to ``end``, and set the current time to
        ``end``."""
        self._time = start
        self.send("clock", cycle, {"seconds": end - start, "step": "tick"})
        self._time = end

    def end(self) -> None:
        """Publish on the topic ``clock`` that the run has ended."""
        self._bridge.publish("clock", {"step": "end"})
