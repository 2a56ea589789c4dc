"""Random systems have the states that a plain interpreter finds, and the merged cycle gives the
answers of the three parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.languages.jason.compare import (
    same_behaviour,
    same_states,
    same_verdicts,
    seen,
    whole_is_found,
)
from tests.languages.jason.directives import carried_out
from tests.languages.jason.random_programs import RandomSystem, random_system
from tests.languages.jason.random_texts import KINDS
from tests.languages.jason.reference import TooManyStates, Unspecified
from tests.languages.jason.shrinking import shrunk
from tests.languages.jason.stuttering import are_stutter_bisimilar
from volition import load

NEW_KINDS = [each for each in KINDS if each != "plain"]
FEW, MANY = 250, 1500
"""States of systems that are compared in every run of the tests, and in the long ones."""


def compared(
    comparison: Callable[[RandomSystem, int], int],
    first: int,
    programs: int,
    maximum: int,
    kind: str = "plain",
) -> int:
    """How many of the systems from a seed on were small enough and agree; the first that does not
    is shown."""
    agreed = 0
    for seed in range(first, first + programs):
        system = random_system(seed, kind)
        try:
            comparison(system, maximum)
            agreed += 1
        except (TooManyStates, Unspecified):
            continue
        except Exception as error:
            error.add_note(str(system))
            raise
    return agreed


def test_random_systems_have_the_states_of_the_reference() -> None:
    assert compared(same_states, 0, 24, FEW) >= 8


@pytest.mark.parametrize("kind", NEW_KINDS)
def test_so_have_systems_of_every_kind(kind: str) -> None:
    assert compared(same_states, 0, 8, FEW, kind) >= 1


def test_whole_cycles_lead_where_the_merged_ones_lead() -> None:
    assert compared(whole_is_found, 0, 10, FEW) >= 4


def test_no_formula_without_next_tells_the_merged_cycle_from_its_parts() -> None:
    assert compared(same_behaviour, 0, 14, FEW) >= 4


def test_merging_parts_of_the_cycle_changes_no_answer() -> None:
    assert compared(same_verdicts, 100, 6, FEW) >= 2


def test_the_comparison_notices_mail_that_crosses() -> None:
    """An agent that writes to itself, and may get other mail in between: a whole cycle at once
    cannot show it."""
    crossing = {
        "a": "!h. +!h : not r <- .send(a,tell,p(1)). +p(1) : r <- +q(2).",
        "b": "!h. +!h <- .send(a,tell,r).",
    }
    queried = ["Bel(a, q(2))"]
    graphs = []
    for cycle in ("parts", "exact", "whole"):
        with TemporaryDirectory() as folder:
            graphs.append(
                seen(
                    load(RandomSystem(0, crossing, None, "free").write(Path(folder), cycle)),
                    queried,
                    MANY,
                )
            )
    parts, exact, whole = graphs
    assert are_stutter_bisimilar(*parts, *exact)
    assert not are_stutter_bisimilar(*parts, *whole)


def test_a_system_is_shrunk_to_what_matters() -> None:
    system = RandomSystem(
        0, {"a": "p(1). q(2).\n!h.\n+!h : r <- +a; (+b; +c) |&| +d."}, "percept r", "free"
    )
    small = shrunk(system, lambda each: "+c" in each.agents["a"])
    assert (small.agents["a"].split(), small.world) == (["+!h", "<-", "+c."], None)


def test_directives_are_carried_out_by_hand_as_the_language_has_it() -> None:
    assert carried_out("{begin bdg(d)} +!d : c <- act. {end}") == (
        "+!d : d. +!d : .intend(d). +!d : c <- act; ?d. +d <- .succeed_goal(d). -!d <- !d."
    )
    assert carried_out(
        "{begin namespace(n)} p(1). +!g(X) : p(X) <- -p(X); +default::q(X). {end}"
    ) == ("n::p(1). +!n::g(X) : n::p(X) <- -n::p(X); +q(X).")


@pytest.mark.soak
@pytest.mark.parametrize("first", range(10_000, 12_000, 100))
def test_many_more_have_them_too(first: int) -> None:
    assert compared(same_states, first, 100, MANY) >= 40


@pytest.mark.soak
@pytest.mark.parametrize("first", range(30_000, 30_400, 100))
@pytest.mark.parametrize("kind", NEW_KINDS)
def test_many_more_of_every_kind(kind: str, first: int) -> None:
    assert compared(same_states, first, 100, MANY, kind) >= 30
    assert compared(whole_is_found, first, 25, MANY, kind) >= 5
    assert compared(same_behaviour, first, 25, MANY, kind) >= 5


@pytest.mark.soak
@pytest.mark.parametrize("first", range(20_000, 20_500, 100))
def test_nor_does_it_in_many_more(first: int) -> None:
    assert compared(same_verdicts, first, 100, MANY) >= 30
    assert compared(same_behaviour, first, 100, MANY) >= 30
