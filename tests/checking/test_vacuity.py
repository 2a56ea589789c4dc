"""Properties that hold because their condition never happens say so."""

from __future__ import annotations

import pytest

from tests.checking.small_systems import SmallSystem
from volition.checking.qualitative import check_qualitative
from volition.logic import parse

# a, then b, then b for ever; c never.
SYSTEM = SmallSystem(edges=(((0, 1),), ((0, 1),)), labels=(frozenset("a"), frozenset("b")))


@pytest.mark.parametrize(
    ("formula", "vacuous"),
    [
        ("A [ G (c -> b) ]", ["c"]),
        ("AG (c -> AF b)", ["c"]),
        ("A [ G (c -> F b) ]", ["c"]),
        ("A [ G (!c | F b) ]", ["c"]),
        ("A [ G ((a & c) -> X (b U a)) ]", ["a & c"]),
        ("A [ X G (a -> F c) ]", ["a"]),
        ("A [ G (c -> (a -> b)) ]", ["c"]),
        ("A [ G (b -> (a -> c)) ]", ["a"]),
        ("A [ G (a -> F b) ]", []),
        ("A [ (F c) -> false ]", []),
        ("AG (c -> false)", []),
        ("A [ G (a -> X b) ] & A [ G (c -> b) ]", ["c"]),
        ("!E [ F (c -> a) ] | A [ G (a -> F b) ]", []),
    ],
)
def test_vacuous_implications_are_named(formula: str, vacuous: list[str]) -> None:
    verdict = check_qualitative(SYSTEM, SYSTEM.explored(), parse(formula))
    assert verdict.holds is True
    assert [note.split("'")[1] for note in verdict.notes] == vacuous
    assert all(note.startswith("holds vacuously") for note in verdict.notes)


def test_nothing_is_said_of_what_fails() -> None:
    verdict = check_qualitative(SYSTEM, SYSTEM.explored(), parse("A [ G (c -> b) ] & A [ G a ]"))
    assert verdict.holds is False
    assert verdict.notes == ()
