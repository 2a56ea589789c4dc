"""Answers as conditions: what holds is true, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from volition.checking.check import Report

PROGRAM = """// Initial belief bases
s
// External events
e
// Plan library
e : s <- a.
// Actions description
a : s <- <{s}, {done}>
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "small.can"
    path.write_text(PROGRAM)
    return path


def ask(program: Path, *formulas: str, max_states: int | None = None) -> Report:
    return volition.check(program, list(formulas), max_states=max_states)


HOLDS, VIOLATED, QUERY = "A [ F Bel(done) ]", "A [ G Bel(s) ]", "Pmax=? [ F Bel(done) ]"


def test_only_what_holds_is_true(program: Path) -> None:
    assert ask(program, HOLDS)
    assert all(ask(program, HOLDS, "Pmax>=1 [ F Bel(done) ]"))
    assert not ask(program, VIOLATED)
    assert not ask(program, HOLDS, VIOLATED)
    assert [bool(each) for each in ask(program, HOLDS, VIOLATED)] == [True, False]
    assert not ask(program, f"{VIOLATED} // RESULT: false"), (
        "that it was expected does not make it hold"
    )


def test_what_is_not_known_is_false(program: Path) -> None:
    report = ask(program, HOLDS, max_states=1)
    assert report[0].verdict.unknown is not None
    assert not report
    assert not report[0]
    assert not report[0].verdict


@pytest.mark.parametrize("formulas", [(QUERY,), (VIOLATED, QUERY), (QUERY, VIOLATED)])
def test_a_query_is_neither(program: Path, formulas: tuple[str, ...]) -> None:
    report = ask(program, *formulas)
    with pytest.raises(TypeError, match="is a query, so its result is neither true nor false"):
        bool(report)


def test_estimates_are_true_likewise(program: Path) -> None:
    def estimate(formula: str) -> bool:
        return bool(volition.simulate(program, formula, runs=200, scheduler="uniform"))

    assert estimate("P>=0.5 [ F Bel(done) ]")
    assert not estimate("P<0.5 [ F Bel(done) ]")
    with pytest.raises(TypeError, match="is a query, so its result"):
        estimate("P=? [ F Bel(done) ]")


@pytest.mark.parametrize(
    ("stated", "limit", "expected"),
    [
        ((HOLDS,), 100, None),
        ((VIOLATED,), 100, None),
        ((f"{HOLDS} // RESULT: true",), 100, True),
        ((f"{HOLDS} // RESULT: true", VIOLATED), 100, True),
        ((f"{VIOLATED} // RESULT: false",), 100, True),
        ((f"{VIOLATED} // RESULT: true",), 100, False),
        ((f"{VIOLATED} // RESULT: true", f"{HOLDS} // RESULT: true"), 100, False),
        ((f"{HOLDS} // RESULT: true",), 1, None),
    ],
)
def test_as_expected_is_about_stated_results(
    program: Path, stated: tuple[str, ...], limit: int, expected: bool | None
) -> None:
    assert ask(program, *stated, max_states=limit).as_expected is expected


def test_programs_with_an_unknown_result_have_not_passed(program: Path) -> None:
    program.write_text(f"{PROGRAM}// Properties\n{HOLDS} // RESULT: true\n")
    assert all(volition.test(program.parent))
    (tested,) = volition.test(program.parent, max_states=1)
    assert not tested.passed
    assert not tested


@pytest.mark.parametrize("exact", [True, False])
def test_a_threshold_comes_with_its_value(program: Path, exact: bool) -> None:
    (answer,) = volition.check(program, "Pmax<0.5 [ F Bel(done) ]", exact=exact)
    assert (answer.verdict.holds, answer.verdict.value) == (False, 1)
    assert (answer.verdict.lower is None) == exact
    assert repr(answer) == "<Answer: Pmax<0.5 [ F Bel(done) ] is violated>"
