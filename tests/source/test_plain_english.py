"""Docstrings and C++ comments follow the style guide; see :mod:`tests.source.plain_english`."""

from __future__ import annotations

from tests.source.plain_english import flagged

ACCEPTED = 20
"""Texts that match a pattern and are right all the same, such as the performative ``tell``."""


def test_docstrings_avoid_the_words_of_the_old_dialect() -> None:
    found = [f"{each.where}: {', '.join(each.patterns())}" for each in flagged()]
    assert len(found) <= ACCEPTED, "\n".join(found)
