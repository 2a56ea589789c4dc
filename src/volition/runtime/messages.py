"""Messages between the main loop of a run and the world. The agent receives percepts, feedbacks of
actions, and texts of other participants. The world receives calls and stops of actions."""

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
    """An observed truth value of a percept. ``why`` has the measurements it was computed from."""

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
    """Everything that arrived for the agent since the last reasoning cycle, each kind in order of
    arrival."""

    readings: tuple[PerceptReading, ...] = ()
    feedbacks: tuple[ActionFeedback, ...] = ()
    messages: tuple[IncomingMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """The call of an action that the world executes. ``plan`` is the plan that makes the call, or
    None for a call before the first reasoning cycle.

    ``objects`` are the arguments of the call: the values of the objects that the LISA sentence for
    the call mentions, such as the location in *Go to location A*. The keys are the names of the
    objects in the definition of the action.
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
