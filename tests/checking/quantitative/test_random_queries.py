"""The comparison of :mod:`tests.checking.compare_values` on a few questions, and on many when there
is time."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.checking.compare_values import compare


@pytest.mark.parametrize(
    ("first", "properties"), [(1, 40), pytest.param(10**6, 2000, marks=pytest.mark.soak)]
)
def test_random_questions(first: int, properties: int) -> None:
    counts: Counter[str] = Counter()
    assert [
        text
        for seed in range(first, first + properties)
        for text in compare(random.Random(seed), counts)
    ] == []
    assert counts["enclosures"] == counts["questions"] == properties
