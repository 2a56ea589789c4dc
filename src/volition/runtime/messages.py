"""Messages between the executive and the world: percepts, feedbacks and messages to the agent;
calls and stops to the world."""

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
    """An observed value of a percept. ``why`` has the measurements behind it."""

    percept: str
    value: bool
    why: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ActionFeedback:
    """The feedback of an action to one of its calls."""

    call: int | None
    action: str
    feedback: str


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """A message to the agent, as text."""

    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class Inbox:
    """Everything that arrived since the last tick, in order of arrival."""

    readings: tuple[PerceptReading, ...] = ()
    feedbacks: tuple[ActionFeedback, ...] = ()
    messages: tuple[IncomingMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """The call of an external action, by a plan or before the first cycle.

    ``objects`` are the objects in the sentence of the call.
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
