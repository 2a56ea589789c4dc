"""Messages: what one of them does when it is processed (``mail``)."""

from __future__ import annotations

from volition.languages.jason import beliefs as base
from volition.languages.jason.events import post
from volition.languages.jason.state import Event, Mind
from volition.languages.jason.terms import Literal, source

__all__ = ["mail"]


def mail(mind: Mind) -> None:
    """Processes one message."""
    if not mind.mail:
        return
    message, mind.mail = mind.mail[0], mind.mail[1:]
    raise NotImplementedError
