"""From sentences to names (Izzo, Sect. 6.4): lower case, spaces become underscores, the final dot
is dropped.

Two sentences have the same name if and only if they differ by no more than case, spaces and the
final dot; an underscore is a space, as in the thesis's own program (``Re_exploring areas``, App.
B.1).  A mark that is no letter and no digit is spelt out behind two underscores, which stand
nowhere else: *Depth > 10* is ``depth__greater_10``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

__all__ = ["clean", "find_operator_mark", "name_of"]

_MARKS = {
    "!": "exclamation",
    '"': "quote",
    "#": "hash",
    "$": "dollar",
    "%": "percent",
    "&": "and",
    "'": "apostrophe",
    "’": "apostrophe2",
    "(": "open",
    ")": "close",
    "*": "star",
    "+": "plus",
    ",": "comma",
    "-": "hyphen",
    ".": "dot",
    "/": "slash",
    ":": "colon",
    ";": "semicolon",
    "<": "less",
    "=": "equals",
    ">": "greater",
    "?": "question",
    "@": "at",
    "[": "open2",
    "\\": "backslash",
    "]": "close2",
    "^": "hat",
    "`": "backquote",
    "{": "open3",
    "|": "or",
    "}": "close3",
    "~": "tilde",
    "¬": "not",
    "°": "degree",
}
"""How marks are spelt in names; any other one by its number."""

_PIECE = re.compile(r"[^\W_]+|[^\w\s]")
_OPERATORS = re.compile(r'[~¬∼&|∧∨⊤⊥^"“”„«»→⇒↔⇔\\]|/\*|->|=>|!|^[^\w]')
"""What belongs to a formula, a quotation or a comment, and no natural language has: at its
beginning any mark, but ``!`` at its end."""


def clean(sentence: str) -> str:
    """A sentence as it is shown to people: on one line, without the final dot."""
    return " ".join(sentence.split()).removesuffix(".").rstrip()


@lru_cache(maxsize=10_000)
def name_of(sentence: str) -> str:
    """The name that stands for a sentence in properties, states and PRISM code.

    >>> name_of("Sea state is too high.")
    'sea_state_is_too_high'
    >>> name_of("Depth > 10"), name_of("!Depth > 10")
    ('depth__greater_10', '_exclamation_depth__greater_10')
    """
    # Letter by letter, since the lower case of a letter must not depend on its neighbours.
    text = "".join(map(str.lower, unicodedata.normalize("NFC", clean(sentence))))
    return "_".join(
        piece if piece[0].isalnum() else f"_{_MARKS.get(piece, f'u{ord(piece):x}')}"
        for piece in _PIECE.findall(text)
    )


def find_operator_mark(sentence: str) -> re.Match[str] | None:
    """The first mark in a sentence that no natural language has: an operator, a quotation mark, or
    any mark at its beginning."""
    last_word = next(
        (
            index
            for index in range(len(sentence) - 1, -1, -1)
            if sentence[index] == "_" or sentence[index].isalnum()
        ),
        0,
    )
    found = _OPERATORS.finditer(sentence)
    return next((each for each in found if each[0] != "!" or each.start() <= last_word), None)
