"""Slices and guided answers have the verdicts and values of the program, in every language."""

from __future__ import annotations

import pytest

from tests.slicing.random_languages import PROGRAMS
from tests.slicing.verdict_pairs import batches, compared


@pytest.mark.parametrize("language", PROGRAMS)
def test_verdicts(language: str) -> None:
    seen = compared(language, examples=8, formulas=10, start=1)
    assert seen["sound, with something left out"] > 5
    assert seen["proved"] > 3
    assert seen["confirmed"] > 3


@pytest.mark.soak
@pytest.mark.parametrize("language", PROGRAMS)
def test_many_verdicts(language: str) -> None:
    *_, seen = batches(language, pairs=10_000)
    assert seen["sound, with something left out"] > 3_000
    assert seen["proved"] > 1_000
    assert seen["confirmed"] > 1_000


@pytest.mark.soak
def test_the_methods_of_the_paper_are_told_from_ours() -> None:
    """The same programs and formulas show that both answer wrongly."""
    *_, seen = batches("Gwendolen", pairs=2_000)
    assert seen["old, wrong"] > 20
    assert seen["new, wrong"] > 5
