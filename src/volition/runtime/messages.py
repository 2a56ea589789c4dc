"""Messages between the executive and the world. To the agent: percepts, feedbacks and texts of
other agents. To the world: calls and stops of actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "ActionFeedback",
    "ActionRequest",
    "Inbox",
    "IncomingMessage",
    "PerceptReading",
    "StopRequest",
]


@dataclass(frozen=True, slots=True)
class PerceptReading:
    """An observed truth value of a percept. ``why`` has the measurements that it was computed from."""

    percept: str
    value: bool
    why: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ActionFeedback:
    """The feedback that an action gives to one of its calls. ``call`` is the number of the call, or
    None if the world does not know it."""

    call: int | None
    action: str
    feedback: str


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """A text that another participant has sent to the agent."""

    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class Inbox:
    """Everything that arrived for the agent since the last tick, each kind in order of arrival."""

    readings: tuple[PerceptReading, ...] = ()
    feedbacks: tuple[ActionFeedback, ...] = ()
    messages: tuple[IncomingMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """The call of an external action, by a plan or before the first cycle.

    ``objects`` are the objects that the sentence of the call mentions.
    """

    id: int
    agent: str
    action: str
    plan: str | None = None
    objects: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StopRequest:
    """The stop of an action that runs repeatedly. ``call`` is the call that started it, or None."""

    call: int | None
    agent: str
    action: str
    plan: str
