"""Completion of a formula while the user types it, from the vocabulary of the program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Suggestion", "suggestions"]

MAX_SUGGESTIONS = 8
"""Largest number of completions that are offered at a time."""

TEMPLATES = {
    "A [ G ": "always, on every run",
    "A [ F ": "eventually, on every run",
    "E [ F ": "eventually, on some run",
    "Pmax=? [ F ": "maximum probability",
    "Pmin=? [ F ": "minimum probability",
}
_NAME_AT_END = re.compile(r"\w+$")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Suggested completion of a formula: the inserted item, its kind (such as belief or action),
    and the complete text after insertion."""

    word: str
    kind: str
    whole: str


def suggestions(text: str, words: Mapping[str, Sequence[str]]) -> list[Suggestion]:
    """Return at most ``MAX_SUGGESTIONS`` completions of the formula ``text``. ``words`` is the
    vocabulary of the program, by kind.

    Items that continue the end of the text come first, then items that contain a name that begins
    with the last name of the text. For an empty text, formula templates are returned.
    """
    if not text.strip():
        return [Suggestion(word.strip(), kind, word) for word, kind in TEMPLATES.items()]
    name = _NAME_AT_END.search(text)
    begun: list[tuple[int, Suggestion]] = []
    named: list[Suggestion] = []
    for kind, several in words.items():
        for word in several:
            if (length := _overlap(text, word)) and length < len(word):
                begun.append((length, Suggestion(word, kind, text[: len(text) - length] + word)))
            elif (
                name
                and len(name[0]) > 1
                and re.search(rf"\b{re.escape(name[0])}", word, re.IGNORECASE)
                and not text.endswith(word)
            ):
                named.append(Suggestion(word, kind, text[: name.start()] + word))
    longest = max((length for length, _ in begun), default=0)
    return [*(each for length, each in begun if length == longest), *named][:MAX_SUGGESTIONS]


def _overlap(text: str, word: str) -> int:
    """Return how many characters at the end of ``text`` are a prefix of ``word``, ignoring case; 0
    if these characters start in the middle of a name."""
    for length in range(min(len(text), len(word)), 0, -1):
        if text[-length:].lower() == word[:length].lower():
            start = len(text) - length
            return 0 if start and text[start - 1].isalnum() and text[start].isalnum() else length
    return 0
