"""Dribble: one agent with declarative goals and plan revision (seed 004, Trang, Logan and Alechina)."""

from volition.languages.dribble.model import DribbleModel
from volition.languages.dribble.program import DribbleProgram, load, read

__all__ = ["DribbleModel", "DribbleProgram", "load", "read"]
