"""Errors as data."""

from __future__ import annotations

import pickle

import pytest

from volition.diagnostics import (
    Diagnostic,
    InputError,
    Source,
    did_you_mean,
    merge_similar,
    nearest,
    render,
    suggested_fix,
)


def test_an_error_from_another_process_says_the_same() -> None:
    error = InputError(
        [Diagnostic("CAN001", "unexpected 'x'", Source("a.can", "move x").span(5, 6), "remove it")]
    )
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, InputError)
    assert str(again) == str(error)
    assert [each.code for each in again.diagnostics] == ["CAN001"]


def test_of_a_very_long_line_the_place_is_shown() -> None:
    source = Source("a.can", "x" * 100_000 + "!" + "y" * 100_000)
    shown = render(Diagnostic("CAN001", "unexpected '!'", source.span(100_000, 100_001)))
    line, carets = shown.splitlines()[3:5]
    assert len(shown) < 2_000
    assert line[carets.index("^")] == "!"
    assert "a.can:1:100001" in shown


FAMILY = [f"wrap_{number}" for number in range(1, 31)]


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("wrap_33", FAMILY, "did you mean one of 'wrap_1' to 'wrap_30'?"),
        ("wrp_3", ["wrap_33", *FAMILY], "did you mean 'wrap_3'?"),
        ("wrp_33", ["wrap_3", "wrap_33"], "did you mean 'wrap_33'?"),
        ("wrap3", ["wrap_3", "wrap_33"], "did you mean 'wrap_3'?"),
        ("wrp_40", FAMILY, "did you mean one of 'wrap_1' to 'wrap_30'?"),
        ("wrap_2", ["wrap_1", "move"], "did you mean 'wrap_1'?"),
        ("move", ["moved", "wrap_1"], "did you mean 'moved'?"),
        ("x", ["moved"], None),
        ("1", ["2", "3"], None),
        ("a" * 16_000, ["a" * 15_999, "b"], None),
    ],
)
def test_a_hint_helps_with_numbered_names(name: str, known: list[str], hint: str | None) -> None:
    assert did_you_mean(name, known) == hint


def test_a_fix_writes_what_was_meant_where_the_name_stands() -> None:
    source = Source("<formula>", "F Bel(wraped)")
    unknown = Diagnostic(
        "CAN060",
        "unknown belief 'wraped'",
        source.span(2, 13),
        did_you_mean("wraped", ["wrapped", "sold"]),
    )
    found = suggested_fix(unknown)
    assert found is not None
    assert (found[0].start, found[0].end, found[1]) == (6, 12, "wrapped")


@pytest.mark.parametrize("hint", [None, "compare it with a number", "did you mean 'a1' or 'a2'?"])
def test_without_one_known_name_there_is_no_fix(hint: str | None) -> None:
    assert (
        suggested_fix(
            Diagnostic("CAN060", "unknown belief 'a'", Source("<formula>", "F a").span(2, 3), hint)
        )
        is None
    )


def test_a_family_of_warnings_is_one() -> None:
    source = Source("a.can", "".join(f"act{number}\n" for number in range(30)))
    family = [
        Diagnostic(
            "CAN044",
            f"the action 'act{i}' is never used",
            source.span(6 * i, 6 * i + 1),
            None,
            "warning",
        )
        for i in range(10)
    ]
    other = Diagnostic("CAN044", "the action 'move' is never used", None, None, "warning")
    errors = [Diagnostic("CAN024", f"two of {number}") for number in range(10)]
    shown = merge_similar([family[0], other, *family[1:], *errors])
    assert (
        shown[0].message
        == "the action 'act0' is never used (and 9 more like this, in lines 1 to 11)"
    )
    assert shown[1:] == [other, *errors]
    assert merge_similar(family[:3]) == family[:3]


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("bogus", ["jobs", "json"], None),
        ("jbos", ["jobs", "json"], "jobs"),
        ("place", ["plcae", "lace"], "lace"),
        ("PLACE", ["place"], "place"),
        ("prop", ["property", "paths"], "property"),
        ("max", ["max-states", "max-memory"], None),
        ("pe", ["qo", "x"], None),
        ("reliabilty", ["reliability"], "reliability"),
        ("banana", ["bandana", "ananas"], "bandana"),
    ],
)
def test_a_suggested_name_is_near(name: str, known: list[str], meant: str | None) -> None:
    assert nearest(name, known) == meant
