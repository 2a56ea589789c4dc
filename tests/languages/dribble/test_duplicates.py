"""What is written twice or occurs nowhere else is warned of, in every section."""

from __future__ import annotations

import pytest

from volition.diagnostics import InputError, Source
from volition.languages.dribble.program import read

PROGRAM = """
len_max: 5
beliefs:
  p, ~q
goals:
  g
actions:
  act : p => q, g if q
abstract plans:
  later
goal rules:
  first = g -> act; later
revision rules:
  later | q -> act
properties:
  A [ F Bel(g) ]
"""


def codes(old: str, new: str) -> list[str]:
    assert old in PROGRAM
    try:
        return [
            each.code
            for each in read(Source("p.dribble", PROGRAM.replace(old, new, 1)), "p").warnings
        ]
    except InputError as error:
        return [each.code for each in error.diagnostics]


def test_the_program_itself_is_in_order() -> None:
    assert codes("len_max", "len_max") == []


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("len_max: 5", "len_max: 5\nlen_max: 6", "LNG010"),
        ("p, ~q", "p, p, ~q", "DRB045"),
        ("p, ~q", "p, ~q & ~q, ~q", "DRB045"),
        ("p, ~q", "p, ~q, unused", "DRB047"),
        ("q, g if q", "q, g & never_read if q", "DRB048"),
        ("goals:\n  g", "goals:\n  g, g", "DRB045"),
        ("  act : p => q, g if q", "  act : p => q, g if q\n  act : p => q", "DRB023"),
        ("g if q", "g if q, g if q", "DRB046"),
        ("g if q", "g & g if q", "DRB046"),
        ("  later\n", "  later, later\n", "DRB023"),
        ("  first = g -> act; later", "  first = g -> act; later\n  first = g -> act", "DRB026"),
        (
            "  first = g -> act; later",
            "  first = g -> act; later\n  second = g -> act; later",
            "DRB046",
        ),
        ("  later | q -> act", "  later | q -> act\n  later | q -> act", "DRB046"),
        ("properties:", "beliefs:\n  q\nproperties:", "DRB003"),
    ],
)
def test_a_mutant_is_noticed(old: str, new: str, code: str) -> None:
    assert code in codes(old, new)
