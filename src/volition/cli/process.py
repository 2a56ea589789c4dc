"""The process as its caller sees it: the code that it ends with, and the two standard streams, where they are less than one would wish.

A terminal may know few characters, and a reader may go away.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from volition.checking.check import Report

__all__ = ["Exit", "degrade_streams", "exit_code", "knows_all_characters", "leave_unread", "say", "worst"]


# --- how it ends ---------------------------------------------------------------------------------------------------------


class Exit(IntEnum):
    """The exit codes; scripts rely on them."""

    AS_EXPECTED = 0
    VIOLATED = 1
    BAD_INPUT = 2
    STOPPED = 3
    OUR_MISTAKE = 70
    INTERRUPTED = 130
    UNREAD = 141
    TERMINATED = 143


def exit_code(report: Report) -> Exit:
    """What the answers tell the caller; a violation is certain, so it counts more than an answer that is missing."""
    if any(
        answer.as_expected is False or (answer.question.expected is None and answer.verdict.holds is False) for answer in report.answers
    ):
        return Exit.VIOLATED
    if any(answer.verdict.unknown is not None for answer in report.answers):
        return Exit.STOPPED
    return Exit.AS_EXPECTED


def worst(codes: Iterable[Exit]) -> Exit:
    """The exit code for several reports: a violation counts more than an answer that is missing."""
    found = set(codes)
    return next((code for code in (Exit.VIOLATED, Exit.STOPPED) if code in found), Exit.AS_EXPECTED)


# --- its streams ---------------------------------------------------------------------------------------------------------

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
