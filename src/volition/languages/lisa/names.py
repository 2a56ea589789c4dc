"""Names that stand for sentences in properties, states and PRISM code (Izzo, Sect. 6.4): lower
case, with underscores for spaces and without the final dot.

Two sentences have the same name if and only if they differ at most in case, spaces and the final
dot. An underscore in a sentence counts as a space, as in the program of Izzo, App. B.1
(``Re_exploring areas``). A mark that is neither a letter nor a digit becomes a word after two
underscores: *Depth > 10* is ``depth__greater_10``. Two underscores do not occur in names otherwise.
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
"""Words that stand for punctuation marks in names. All other marks are represented by their code
point."""

_PIECE = re.compile(r"[^\W_]+|[^\w\s]")
_OPERATORS = re.compile(r'[~¬∼&|∧∨⊤⊥^"“”„«»→⇒↔⇔\\]|/\*|->|=>|!|^[^\w]')
"""Pattern of marks that a sentence cannot contain: operators of formulas, quotation marks, comment
marks, and any mark at the beginning. ``!`` is allowed at the end."""


def clean(sentence: str) -> str:
    """Return a sentence on one line and without the final dot, for display."""
    return " ".join(sentence.split()).removesuffix(".").rstrip()


@lru_cache(maxsize=10_000)
def name_of(sentence: str) -> str:
    """Return the name that stands for a sentence in properties, states and PRISM code.

    >>> name_of("Sea state is too high.")
    'sea_state_is_too_high'
    >>> name_of("Depth > 10"), name_of("!Depth > 10")
    ('depth__greater_10', '_exclamation_depth__greater_10')
    """
    # Convert each letter separately. For a whole text, Python lets the lower case of some letters
    # depend on the letters around them, so that equal sentences could get different names.
    text = "".join(map(str.lower, unicodedata.normalize("NFC", clean(sentence))))
    return "_".join(
        piece if piece[0].isalnum() else f"_{_MARKS.get(piece, f'u{ord(piece):x}')}"
        for piece in _PIECE.findall(text)
    )


def find_operator_mark(sentence: str) -> re.Match[str] | None:
    """Return the match of the first mark that a sentence cannot contain: an operator, a quotation
    mark, or any mark at the beginning. Return None if the sentence has no such mark."""
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
