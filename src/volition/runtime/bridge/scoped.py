"""Message bridge restricted to the topics and names below a prefix, so that several agents can
share a bridge without receiving each other's messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from volition.runtime.bridge.interface import Bridge, Receive

__all__ = ["ScopedBridge"]


class ScopedBridge:
    """A :class:`~volition.runtime.bridge.interface.Bridge` that adds the prefix ``name/`` to all
    topics and to the names of participants. With the name ``drone``, its topic ``percept/x`` is the
    topic ``drone/percept/x`` of the underlying bridge. Closing it does not close the underlying
    bridge."""

    def __init__(self, whole: Bridge, name: str) -> None:
        self._whole = whole
        self._prefix = f"{name}/"

    def publish(self, topic: str, data: Mapping[str, Any]) -> None:
        self._whole.publish(self._prefix + topic, data)

    def subscribe(self, pattern: str, receive: Receive) -> Callable[[], None]:
        return self._whole.subscribe(
            self._prefix + pattern,
            lambda topic, data: receive(topic.removeprefix(self._prefix), data),
        )

    def announce_presence(self, name: str) -> Callable[[], None]:
        return self._whole.announce_presence(self._prefix + name)

    def watch_presence(self, receive: Callable[[str, bool], None]) -> Callable[[], None]:
        def forward(name: str, present: bool) -> None:
            if name.startswith(self._prefix):
                receive(name.removeprefix(self._prefix), present)

        return self._whole.watch_presence(forward)

    def close(self) -> None: ...
