"""How a formula that is being typed may go on: the words of the program that fit its end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Suggestion", "suggestions"]

MOST = 8
"""More of them nobody reads."""

BEGINNINGS = {
    "A [ G ": "always, on every run",
    "A [ F ": "at some time, on every run",
    "E [ F ": "at some time, on some run",
    "Pmax=? [ F ": "how likely at best",
    "Pmin=? [ F ": "how likely at worst",
}
_NAME_AT_END = re.compile(r"\w+$")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A word, what it is, and the whole text with it."""

    word: str
    kind: str
    whole: str


def suggestions(text: str, words: Mapping[str, Sequence[str]]) -> list[Suggestion]:
    """The words that the end of a text may be the beginning of, then those that have a name which
    begins like that; few of them."""
    if not text.strip():
        return [Suggestion(word.strip(), kind, word) for word, kind in BEGINNINGS.items()]
    name = _NAME_AT_END.search(text)
    begun: list[tuple[int, Suggestion]] = []
    named: list[Suggestion] = []
    for kind, several in words.items():
        for word in several:
            if (length := _begun(text, word)) and length < len(word):
                begun.append((length, Suggestion(word, kind, text[: len(text) - length] + word)))
            elif (
                name
                and len(name[0]) > 1
                and re.search(rf"\b{re.escape(name[0])}", word, re.IGNORECASE)
                and not text.endswith(word)
            ):
                named.append(Suggestion(word, kind, text[: name.start()] + word))
    longest = max((length for length, _ in begun), default=0)
    return [*(each for length, each in begun if length == longest), *named][:MOST]


def _begun(text: str, word: str) -> int:
    """How many characters at the end of a text are those that a word begins with; none in the
    middle of a name."""
    for length in range(min(len(text), len(word)), 0, -1):
        if text[-length:].lower() == word[:length].lower():
            start = len(text) - length
            return 0 if start and text[start - 1].isalnum() and text[start].isalnum() else length
    return 0
