"""The interface of a bridge: publish, subscribe, and presence.

Topics are names with slashes, such as ``percept/sea_state_is_too_high``. In a pattern, ``*`` stands
for one part and ``**`` for any number of parts. A message is one JSON object. The messages of a
sender arrive in order, and a new subscriber receives the last message of each topic immediately.
Each participant declares a token, and all others are notified when it disappears: a lost skill is
an event, not an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

__all__ = ["Bridge", "Receive", "matches"]

Receive = Callable[[str, Mapping[str, Any]], None]
"""Function that is called with the topic and the object of a message."""


class Bridge(Protocol):
    """A carrier of messages between participants."""

    def publish(self, topic: str, data: Mapping[str, Any]) -> None: ...

    def subscribe(self, pattern: str, receive: Receive) -> Callable[[], None]:
        """Receive all messages whose topic matches the pattern; the returned function ends the
        subscription."""

    def announce_presence(self, name: str) -> Callable[[], None]:
        """Announce that a participant is present; the returned function announces that it has
        left."""

    def watch_presence(self, receive: Callable[[str, bool], None]) -> Callable[[], None]:
        """Report the participants that are present, and every arrival and departure; the returned
        function ends this."""

    def close(self) -> None: ...


def matches(pattern: str, topic: str) -> bool:
    """Return whether a topic matches a pattern."""
    return _matches_parts(pattern.split("/"), topic.split("/"))


def _matches_parts(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    if not pattern:
        return not parts
    first, *rest = pattern
    if first == "**":
        return any(_matches_parts(rest, parts[count:]) for count in range(len(parts) + 1))
    return bool(parts) and first in ("*", parts[0]) and _matches_parts(rest, parts[1:])
