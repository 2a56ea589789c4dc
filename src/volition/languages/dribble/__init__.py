"""Dribble: a language for one agent with declarative goals and plan revision (Trang et al.)."""

from volition.languages.dribble.model import DribbleModel
from volition.languages.dribble.program import DribbleProgram, load, read

__all__ = ["DribbleModel", "DribbleProgram", "load", "read"]
