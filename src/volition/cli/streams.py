"""The two standard streams, where they are less than one would wish: a terminal that knows few characters, a reader that goes away."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from typing import TextIO

__all__ = ["degrade_streams", "knows_all_characters", "leave_unread", "say"]

_IN_ASCII = str.maketrans("✓✗·→←≈…≤≥−–—‘’“”□◇¬∧∨", "+x-><~.<>---''\"\"GF!&|")
"""Signs of ours and their nearest relatives, one for one, so that columns fit."""


def degrade_streams() -> None:
    """Let a terminal that does not know a character show a poorer one."""
    codecs.register_error("volition", _poorer)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="volition")


def _poorer(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    poorer = error.object[error.start : error.end].translate(_IN_ASCII)
    return "".join(character if character.isascii() else "?" for character in poorer), error.end


def knows_all_characters(stream: TextIO) -> bool:
    """Whether a stream can write every character."""
    return codecs.lookup(stream.encoding).name.startswith("utf")


def say(text: str) -> None:
    """A last word on standard error; where nobody can be told, the exit code has to do."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        leave_unread()


def leave_unread() -> None:
    """Throw away what could not be written: the interpreter would try again at its end, and complain with an exit code of its own."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
