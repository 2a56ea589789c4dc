"""Waiting: for time to pass, for something to be believed, for an event."""

from __future__ import annotations

from volition.languages.jason.state import Event, Mind

__all__ = ["begin", "is_anyone_waiting", "notice"]


def notice(mind: Mind, event: Event) -> None:
    """Whatever waits for the event, or for something that is believed now, is due at the next ``begin``."""


def begin(mind: Mind) -> None:
    """What was scheduled for the start of a cycle."""


def is_anyone_waiting(mind: Mind) -> bool:
    return False
