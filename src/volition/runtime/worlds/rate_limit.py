"""Rate limit for messages on a message bridge: how many messages with the same topic are accepted
between two ticks of the clock."""

from __future__ import annotations

from collections import Counter

__all__ = ["MAX_PER_TOPIC", "RateLimiter"]

MAX_PER_TOPIC = 200
"""The largest number of messages of one topic that are accepted between two ticks."""


class RateLimiter:
    """Counter of the messages of each topic since the last tick. It is not thread-safe: callers
    must hold a lock."""

    def __init__(self) -> None:
        self._came: Counter[str] = Counter()

    def accept(self, topic: str) -> bool:
        """Count a message of a topic, and return whether it is within the limit."""
        self._came[topic] += 1
        return self._came[topic] <= MAX_PER_TOPIC

    def drain_dropped(self) -> list[tuple[str, str]]:
        """Reset the counts. Return the topics that exceeded the limit, each with a text about how
        many messages were dropped."""
        came, self._came = self._came, Counter()
        return [
            (
                topic,
                f"{count - MAX_PER_TOPIC} messages exceeded the limit of {MAX_PER_TOPIC} per cycle",
            )
            for topic, count in came.items()
            if count > MAX_PER_TOPIC
        ]
