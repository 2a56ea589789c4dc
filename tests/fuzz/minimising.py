"""The shortest text that still does what a longer one did: pieces are left out for as long as that
makes no difference."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

__all__ = ["minimal"]

_PIECES = (re.compile(r"[^\n]*\n?"), re.compile(r"\s+|\w+|[^\w\s]"), re.compile(r".", re.DOTALL))
"""Lines first, then words, then single characters."""


def minimal(text: str, still: Callable[[str], bool], *, seconds: float) -> str:
    """A part of ``text`` of which ``still`` is true, found within a time; after Zeller and
    Hildebrandt's delta debugging."""
    deadline = time.monotonic() + seconds
    for pattern in _PIECES:
        pieces = [each for each in pattern.findall(text) if each]
        text = "".join(_fewer(pieces, still, deadline))
    return text


def _fewer(pieces: Sequence[str], still: Callable[[str], bool], deadline: float) -> Sequence[str]:
    size = max(1, len(pieces) // 2)
    while True:
        position, shorter = 0, False
        while position < len(pieces):
            if time.monotonic() > deadline:
                return pieces
            rest = [*pieces[:position], *pieces[position + size :]]
            if still("".join(rest)):
                pieces, shorter = rest, True
            else:
                position += size
        if size == 1 and not shorter:
            return pieces
        size = max(1, size // 2)
