"""More than anybody can want to say: of each topic only so many messages are taken between two
ticks."""

from __future__ import annotations

from collections import Counter

__all__ = ["MAX_PER_TOPIC", "RateLimiter"]

MAX_PER_TOPIC = 200
"""Messages of one topic between two ticks; what is beyond says nothing new."""


class RateLimiter:
    """Counts messages, for who has a lock."""

    def __init__(self) -> None:
        self._came: Counter[str] = Counter()

    def accept(self, topic: str) -> bool:
        """Whether one more message of a topic is taken."""
        self._came[topic] += 1
        return self._came[topic] <= MAX_PER_TOPIC

    def drain_dropped(self) -> list[tuple[str, str]]:
        """Begins anew; what was not taken, topic and words."""
        came, self._came = self._came, Counter()
        return [
            (topic, f"{count - MAX_PER_TOPIC} more messages came than one cycle takes")
            for topic, count in came.items()
            if count > MAX_PER_TOPIC
        ]
