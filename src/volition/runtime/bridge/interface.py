"""Interface of a message bridge (publish and subscribe). A bridge carries messages between the
participants of a run: the main loop of the run, skills (code for actions and senses), and other
processes.

A participant can publish a message, subscribe to messages, announce its presence, and watch the
presence of others.

Topics are names with slashes, such as ``percept/sea_state_is_too_high``. In a pattern, ``*`` stands
for one part and ``**`` for any number of parts. A message is one JSON object. The messages of a
sender arrive in order, and a new subscriber receives the last message of each topic immediately. If
a participant disappears, all others are notified: a lost skill is an event, not an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

__all__ = ["Bridge", "Receive", "matches"]

Receive = Callable[[str, Mapping[str, Any]], None]
"""Function that a message bridge calls with the topic and the JSON object of each message."""


class Bridge(Protocol):
    """Message bridge: a carrier of messages between the participants of a run, by topics."""

    def publish(self, topic: str, data: Mapping[str, Any]) -> None: ...

    def subscribe(self, pattern: str, receive: Receive) -> Callable[[], None]:
        """Call ``receive`` for all messages whose topic matches the pattern. The returned function
        ends the subscription."""

    def announce_presence(self, name: str) -> Callable[[], None]:
        """Announce that the participant ``name`` is present. The returned function announces that
        this participant has left."""

    def watch_presence(self, receive: Callable[[str, bool], None]) -> Callable[[], None]:
        """Call ``receive`` when a participant arrives or leaves, with its name and whether it is
        present now. At first, call ``receive`` once for each participant that is already present.
        The returned function ends the calls."""

    def close(self) -> None: ...


def matches(pattern: str, topic: str) -> bool:
    """Return whether a topic matches a pattern, in which ``*`` stands for one part and ``**`` for
    any number of parts."""
    return _matches_parts(pattern.split("/"), topic.split("/"))


def _matches_parts(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    if not pattern:
        return not parts
    first, *rest = pattern
    if first == "**":
        return any(_matches_parts(rest, parts[count:]) for count in range(len(parts) + 1))
    return bool(parts) and first in ("*", parts[0]) and _matches_parts(rest, parts[1:])
