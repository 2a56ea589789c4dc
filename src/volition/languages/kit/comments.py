"""Comments: ``//`` up to the end of the line, the same in every file of every language."""

from __future__ import annotations

import re

__all__ = ["without_comments"]

_COMMENT = re.compile(r"//[^\n]*")


def without_comments(text: str) -> str:
    """The text with spaces in the place of its comments: every place is still that of the source."""
    return _COMMENT.sub(lambda comment: " " * len(comment[0]), text)
