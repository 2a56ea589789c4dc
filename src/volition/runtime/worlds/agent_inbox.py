"""Inbox of one agent on a message bridge: the valid percepts, feedbacks and messages that arrive
between two reasoning cycles."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from volition.languages.lisa.names import name_of
from volition.runtime.bridge.interface import Bridge
from volition.runtime.messages import ActionFeedback, Inbox, IncomingMessage, PerceptReading
from volition.runtime.worlds.rate_limit import RateLimiter

__all__ = ["AgentInbox"]

LONGEST_TEXT = 2_000


class AgentInbox:
    """Receiver of the percepts, feedbacks and messages for one agent. ``bridge`` is the message
    bridge of the run, or its part with the topics of this agent."""

    def __init__(self, agent: str, bridge: Bridge) -> None:
        self.agent = agent
        self.bridge = bridge
        self._lock = threading.Lock()
        self._arrived: list[PerceptReading | ActionFeedback | IncomingMessage] = []
        self._refused: list[tuple[str, str]] = []
        self._flood = RateLimiter()

    def begin(self) -> None:
        for pattern in ("percept/*", "feedback/*", "message"):
            self.bridge.subscribe(pattern, self._receive)

    def drain(self) -> tuple[Inbox, list[tuple[str, str]]]:
        """Return what has arrived since the last call of this method, and the topic and the reason
        of each rejected message."""
        with self._lock:
            arrived, self._arrived = self._arrived, []
            refused, self._refused = self._refused, []
            refused += self._flood.drain_dropped()
        inbox = Inbox(
            tuple(each for each in arrived if isinstance(each, PerceptReading)),
            tuple(each for each in arrived if isinstance(each, ActionFeedback)),
            tuple(each for each in arrived if isinstance(each, IncomingMessage)),
        )
        return inbox, refused

    def _receive(self, topic: str, data: Mapping[str, Any]) -> None:
        with self._lock:
            if not self._flood.accept(topic):
                return
            try:
                self._arrived.append(_parse_message(topic, data))
            except ValueError as error:
                self._refused.append((topic, str(error)))


def _parse_message(
    topic: str, data: Mapping[str, Any]
) -> PerceptReading | ActionFeedback | IncomingMessage:
    """Return the percept, feedback or message that an object on the bridge describes. Raise
    :class:`ValueError` if it is invalid."""
    kind, _, name = topic.partition("/")
    match kind:
        case "percept":
            why = data.get("why", {})
            if not isinstance(data.get("value"), bool):
                raise ValueError(f"'value' is not true or false, but {data.get('value')!r:.80}")
            if not isinstance(why, Mapping) or not all(_is_plain(each) for each in why.values()):
                raise ValueError(f"'why' is not an object with numbers and texts, but {why!r:.80}")
            return PerceptReading(name_of(name), data["value"], dict(why))
        case "feedback":
            call, feedback = data.get("id"), data.get("feedback")
            if not isinstance(feedback, str) or len(feedback) > LONGEST_TEXT:
                raise ValueError(f"'feedback' is not a text, but {feedback!r:.80}")
            if not isinstance(call, int) or isinstance(call, bool):
                raise ValueError(f"'id' is not the number of a call, but {call!r:.80}")
            return ActionFeedback(call, name, name_of(feedback))
        case _:
            sender, text = data.get("from", ""), data.get("text")
            if not isinstance(text, str) or not isinstance(sender, str):
                raise ValueError(
                    f"'from' and 'text' are not texts, but {sender!r:.40} and {text!r:.40}"
                )
            return IncomingMessage(sender[:LONGEST_TEXT], text[:LONGEST_TEXT])


def _is_plain(value: object) -> bool:
    return value is None or (
        isinstance(value, str | int | float | bool)
        and value == value
        and value not in (float("inf"), -float("inf"))
    )
