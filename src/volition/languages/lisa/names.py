"""From sentences to names (Izzo, Sect. 6.4): lower case, spaces become underscores, the final dot is dropped."""

from __future__ import annotations

import re

__all__ = ["clean", "name_of"]


def clean(sentence: str) -> str:
    """A sentence as it is shown to people: on one line, without the final dot."""
    return " ".join(sentence.split()).removesuffix(".").rstrip()


def name_of(sentence: str) -> str:
    """The name that stands for a sentence in properties, states and PRISM code.

    >>> name_of("Sea state is too high.")
    'sea_state_is_too_high'
    """
    return re.sub(r"\W+", "_", clean(sentence).lower()).strip("_")
