"""Rate limit: the number of messages per topic that are accepted between two ticks."""

from __future__ import annotations

from collections import Counter

__all__ = ["MAX_PER_TOPIC", "RateLimiter"]

MAX_PER_TOPIC = 200
"""Limit on the messages of one topic between two ticks."""


class RateLimiter:
    """Counter of messages per topic. It is not thread-safe: callers must hold a lock."""

    def __init__(self) -> None:
        self._came: Counter[str] = Counter()

    def accept(self, topic: str) -> bool:
        """Return whether one more message of a topic is accepted."""
        self._came[topic] += 1
        return self._came[topic] <= MAX_PER_TOPIC

    def drain_dropped(self) -> list[tuple[str, str]]:
        """Reset the counts; return the topics with dropped messages, each with a text."""
        came, self._came = self._came, Counter()
        return [
            (
                topic,
                f"{count - MAX_PER_TOPIC} messages exceeded the limit of {MAX_PER_TOPIC} per cycle",
            )
            for topic, count in came.items()
            if count > MAX_PER_TOPIC
        ]
