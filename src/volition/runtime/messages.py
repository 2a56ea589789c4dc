"""What comes in from the world between two ticks, and what goes out to it: percepts, feedbacks and
messages; calls and stops."""

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
    """A percept was seen to be true or false; ``why`` are the numbers behind it."""

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
    """What somebody says to the agent."""

    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class Inbox:
    """Everything that came since the last tick, in its order."""

    readings: tuple[PerceptReading, ...] = ()
    feedbacks: tuple[ActionFeedback, ...] = ()
    messages: tuple[IncomingMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """An external action is called by a plan, or before the first cycle.  ``objects`` are the
    objects in the sentence of the call."""

    id: int
    agent: str
    action: str
    plan: str | None = None
    objects: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StopRequest:
    """An action that runs repeatedly is stopped; ``call`` is what started it, if something did."""

    call: int | None
    agent: str
    action: str
    plan: str
