"""Message bridge (publish and subscribe) within one process. ``publish`` calls the receivers
directly."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from volition.runtime.bridge.interface import Receive, matches

__all__ = ["InProcessBridge"]

MAX_KEPT = 10_000
"""The largest number of topics whose last message a message bridge stores for new subscribers.
Beyond it, the topic with the oldest message is dropped."""


class InProcessBridge:
    """Thread-safe message bridge (publish and subscribe) within one process. It delivers one
    message at a time."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._last: OrderedDict[str, Mapping[str, Any]] = OrderedDict()
        self._subscriptions: list[tuple[str, Receive]] = []
        self._present: dict[str, int] = {}
        self._watchers: list[Callable[[str, bool], None]] = []

    def publish(self, topic: str, data: Mapping[str, Any]) -> None:
        with self._lock:
            self._last[topic] = data
            self._last.move_to_end(topic)
            if len(self._last) > MAX_KEPT:
                self._last.popitem(last=False)
            for pattern, receive in list(self._subscriptions):
                if matches(pattern, topic):
                    receive(topic, data)

    def subscribe(self, pattern: str, receive: Receive) -> Callable[[], None]:
        entry = (pattern, receive)
        with self._lock:
            self._subscriptions.append(entry)
            for topic, data in list(self._last.items()):
                if matches(pattern, topic):
                    receive(topic, data)
        return lambda: self._end(self._subscriptions, entry)

    def announce_presence(self, name: str) -> Callable[[], None]:
        with self._lock:
            self._present[name] = self._present.get(name, 0) + 1
            if self._present[name] == 1:
                self._announce(name, True)
        return lambda: self._withdraw(name)

    def watch_presence(self, receive: Callable[[str, bool], None]) -> Callable[[], None]:
        with self._lock:
            self._watchers.append(receive)
            for name in list(self._present):
                receive(name, True)
        return lambda: self._end(self._watchers, receive)

    def close(self) -> None:
        with self._lock:
            self._subscriptions.clear()
            self._watchers.clear()

    def _withdraw(self, name: str) -> None:
        with self._lock:
            self._present[name] -= 1
            if not self._present[name]:
                del self._present[name]
                self._announce(name, False)

    def _announce(self, name: str, present: bool) -> None:
        for receive in list(self._watchers):
            receive(name, present)

    def _end(self, entries: list[Any], entry: object) -> None:
        with self._lock:
            if entry in entries:
                entries.remove(entry)
