"""A part of a bridge: the topics and the names below one name, so that several agents share a
bridge and none hears what is for another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from volition.runtime.bridge.interface import Bridge, Receive

__all__ = ["ScopedBridge"]


class ScopedBridge:
    """A :class:`~volition.runtime.bridge.interface.Bridge`: ``percept/x`` is ``drone/percept/x`` on
    the whole one, which others close."""

    def __init__(self, whole: Bridge, name: str) -> None:
        self._whole = whole
        self._below = f"{name}/"

    def publish(self, topic: str, data: Mapping[str, Any]) -> None:
        self._whole.publish(self._below + topic, data)

    def subscribe(self, pattern: str, receive: Receive) -> Callable[[], None]:
        return self._whole.subscribe(
            self._below + pattern,
            lambda topic, data: receive(topic.removeprefix(self._below), data),
        )

    def announce_presence(self, name: str) -> Callable[[], None]:
        return self._whole.announce_presence(self._below + name)

    def watch_presence(self, receive: Callable[[str, bool], None]) -> Callable[[], None]:
        def hear(name: str, present: bool) -> None:
            if name.startswith(self._below):
                receive(name.removeprefix(self._below), present)

        return self._whole.watch_presence(hear)

    def close(self) -> None: ...
