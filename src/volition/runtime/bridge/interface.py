"""The three verbs of a bridge.

Topics are names with slashes, such as ``percept/sea_state_is_too_high``; in a pattern ``*`` stands
for one part and ``**`` for any number. What is published is one JSON object.  Messages of one
sender arrive in their order, and who subscribes gets the last message of each topic at once.  Who
takes part declares a token, and everybody hears when it is gone: a lost skill is news, not an
exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

__all__ = ["Bridge", "Receive", "matches"]

Receive = Callable[[str, Mapping[str, Any]], None]
"""Gets the topic and the object of a message."""


class Bridge(Protocol):
    """What carries messages."""

    def publish(self, topic: str, data: Mapping[str, Any]) -> None: ...

    def subscribe(self, pattern: str, receive: Receive) -> Callable[[], None]:
        """From now on messages are received; what is returned ends that."""

    def announce_presence(self, name: str) -> Callable[[], None]:
        """Says that somebody is there; what is returned says that he is gone."""

    def watch_presence(self, receive: Callable[[str, bool], None]) -> Callable[[], None]:
        """Hears who is there, and who comes and goes; what is returned ends that."""

    def close(self) -> None: ...


def matches(pattern: str, topic: str) -> bool:
    """Whether a topic is one of those that a pattern means."""
    return _fits(pattern.split("/"), topic.split("/"))


def _fits(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    if not pattern:
        return not parts
    first, *rest = pattern
    if first == "**":
        return any(_fits(rest, parts[count:]) for count in range(len(parts) + 1))
    return bool(parts) and first in ("*", parts[0]) and _fits(rest, parts[1:])
