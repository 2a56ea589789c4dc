"""Random systems have the states that a plain interpreter finds, and the merged cycle gives the answers of the three parts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.languages.jason.compare import same_states, same_verdicts
from tests.languages.jason.random_programs import RandomSystem, random_system
from tests.languages.jason.reference import TooManyStates, Unspecified

FEW, MANY = 250, 1500
"""States of systems that are compared in every run of the tests, and in the long ones."""


def compared(comparison: Callable[[RandomSystem, int], int], first: int, programs: int, most: int) -> int:
    """How many of the systems from a seed on were small enough and agree; the first that does not is shown."""
    agreed = 0
    for seed in range(first, first + programs):
        system = random_system(seed)
        try:
            comparison(system, most)
            agreed += 1
        except (TooManyStates, Unspecified):
            continue
        except Exception as error:
            error.add_note(str(system))
            raise
    return agreed


def test_random_systems_have_the_states_of_the_reference() -> None:
    assert compared(same_states, 0, 40, FEW) >= 15


def test_merging_parts_of_the_cycle_changes_no_answer() -> None:
    assert compared(same_verdicts, 0, 12, FEW) >= 4


@pytest.mark.soak
@pytest.mark.parametrize("first", range(10_000, 12_000, 100))
def test_many_more_have_them_too(first: int) -> None:
    assert compared(same_states, first, 100, MANY) >= 40


@pytest.mark.soak
@pytest.mark.parametrize("first", range(20_000, 20_500, 100))
def test_nor_does_it_in_many_more(first: int) -> None:
    assert compared(same_verdicts, first, 100, MANY) >= 30
