"""What stands in for chance and clocks: the results that Jason could give, and no others."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from volition import load
from volition.kernel import explore
from volition.languages.jason.state import mind_slot
from volition.languages.jason.terms import Literal
from volition.languages.jason.unification import without_annotations


def beliefs(folder: Path, program: str, options: str) -> set[str]:
    """All that an agent may come to believe, without annotations."""
    (folder / "bob.asl").write_text(program)
    (folder / "bob.volition").write_text(options)
    space = explore(load(folder / "bob.asl").model().system)
    states = [space.values(state)[mind_slot("bob", "beliefs")] for state in range(space.num_states)]
    return {
        str(without_annotations(each))
        for state in states
        for each in state
        if isinstance(each, Literal)
    }


def numbers(folder: Path, step: str, options: str = "") -> set[str]:
    """The values that a step may give to X."""
    found = beliefs(folder, f"!go. +!go <- {step}; +n(X). +!same(X, X).", options)
    return {each.removeprefix("n(").removesuffix(")") for each in found}


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("X = math.floor(math.random(3))", {0, 1, 2}),
        ("X = math.round(math.random(3))", {0, 1, 2, 3}),
        ("X = math.ceil(math.random(3))", {0, 1, 2, 3}),
        ("X = math.floor(math.random(2)) + math.floor(math.random(2)) * 4", {0, 1, 4, 5}),
        ("Y = 2; X = Y + math.floor(math.random(2))", {2, 3}),
        ("!same(math.floor(math.random(2)), X)", {0, 1}),
        ("if (true) { X = math.floor(math.random(2)) }", {0, 1}),
        (".random([3, 5, 3], X)", {3, 5}),
    ],
)
def test_whole_numbers_at_random(step: str, expected: set[int], tmp_path: Path) -> None:
    assert numbers(tmp_path, step) == set(map(str, expected))


@pytest.mark.parametrize(
    ("step", "assumed", "may_fail"),
    [
        ("my.dice(2)", "internal my.dice(X) = choice X in 1 .. 2", True),
        ("my.dice(2)", "internal my.dice(X) = repeated choice X in 1 .. 2", False),
        ("my.dice(2)", "internal my.dice(X) = choice X in [2]", False),
        ("my.pick(p(2))", "internal my.pick(X) = choice X in [p(1), p(2)]", True),
        (".random([1, 2], 2)", "", True),
        ("?good", "internal my.dice(X) = choice X in 1 .. 2", True),
        ("?(my.dice(X) & X == 2)", "internal my.dice(X) = choice X in 1 .. 2", True),
    ],
)
def test_a_value_that_is_drawn_may_be_another_one_than_wanted(
    step: str, assumed: str, may_fail: bool, tmp_path: Path
) -> None:
    rule = "good :- my.dice(2)." if "good" in step else ""
    found = beliefs(tmp_path, f"{rule} !go. +!go <- {step}; +won. -!go <- +lost.", assumed)
    assert found == ({"won", "lost"} if may_fail else {"won"})


def test_a_number_is_drawn_in_the_step_that_needs_it(tmp_path: Path) -> None:
    """No other intention has its turn in between."""
    program = (
        "!go. !other. +!go <- ++n(math.floor(math.random(2))); "
        ".print(math.floor(math.random(2))). +!other <- .print(1); .print(2)."
    )
    (tmp_path / "bob.asl").write_text(program)
    (tmp_path / "bob.volition").write_text("cycle = parts")
    space = explore(load(tmp_path / "bob.asl").model().system)
    assert (
        len([state for state in range(space.num_states) if len(space.choices_of(state)) == 2]) == 3
    )  # the first once, then twice


def test_numbers_that_the_project_lists(tmp_path: Path) -> None:
    listed = "random = [0, 0.25, 0.5]"
    assert numbers(tmp_path, ".random(Y); X = Y * 4", listed) == {"0", "1", "2"}
    assert numbers(tmp_path, "X = math.random(8)", listed) == {"0", "2", "4"}
    assert numbers(tmp_path, "N = 4; X = math.random(N) + 1", listed) == {"1", "2", "3"}
    assert numbers(tmp_path, ".wait(math.random(100)); X = 7", listed) == {"7"}


def test_functions_in_java_that_the_project_declares(tmp_path: Path) -> None:
    program = (
        '{ register_function("my.twice") } { register_function("my.way", 2, "jia.way") } '
        "!go. +!go <- +n(my.twice(3) + my.way(1, 5))."
    )
    internal = (
        "internal my.twice(X, Y) :- Y = 2 * X\ninternal jia.way(X, Y, D) :- D = math.abs(X - Y)\n"
    )
    assert beliefs(tmp_path, program, internal) == {"n(10)"}


def test_the_clock_in_initial_goals(tmp_path: Path) -> None:
    found = beliefs(
        tmp_path, "!go(system.time). +!go(T) <- +n(system.time - T).", "clock = 2026-03-01 12:00:00"
    )
    assert found == {"n(0)"}


def test_queries_in_which_somebody_chooses(tmp_path: Path) -> None:
    """Two different numbers: whatever is drawn first, another one is drawn until it differs."""
    internal = "internal my.draw(X, N) = repeated choice X in 0 .. N - 1"
    program = (
        "two(X, Y) :- my.draw(X, 3) & my.draw(Y, 3) & X \\== Y. !go. +!go <- ?two(X, Y); +n(X, Y)."
    )
    assert beliefs(tmp_path, program, internal) == {
        f"n({x},{y})" for x in range(3) for y in range(3) if x != y
    }


def test_what_is_not_drawn_comes_in_its_order(tmp_path: Path) -> None:
    internal = "internal my.draw(X, N) = repeated choice X in 0 .. N - 1"
    program = (
        "p(1). p(2). !go. +!go <- ?(p(X) & my.draw(Y, 3) & Y >= X); if (my.draw(Z, 2) & Z > "
        "0) { +n(X, Y) } else { +m }."
    )
    found = beliefs(tmp_path, program, internal) - {"p(1)", "p(2)"}
    assert found == {"n(1,1)", "n(1,2)"}
    assert beliefs(
        tmp_path, "!go. +!go <- ?(my.draw(Z, 2) & Z > 1); +n. -!go <- +m.", internal
    ) == {"m"}


def test_a_choice_that_does_not_fit_fails_unless_it_is_repeated(tmp_path: Path) -> None:
    """As an internal action does in Java that gives one value: asked again, it has no other."""
    program = "!go. +!go : my.draw(X) & X > 1 <- +n(X). -!go <- +no. +!h."
    assert beliefs(tmp_path, program, "internal my.draw(X) = choice X in 1 .. 3") == {
        "n(2)",
        "n(3)",
        "no",
    }
    assert beliefs(tmp_path, program, "internal my.draw(X) = repeated choice X in 1 .. 3") == {
        "n(2)",
        "n(3)",
    }


def test_the_clock_stands_still(tmp_path: Path) -> None:
    text = (
        "!go. +!go <- .date(Y, M, D); .time(H, N, S); T = system.time; +now(Y, M, D, H, N, S, T)."
    )
    milliseconds = round(
        (datetime(2026, 3, 1, 12, 30, 5) - datetime(1970, 1, 1)).total_seconds() * 1000
    )
    assert beliefs(tmp_path, text, "clock = 2026-03-01 12:30:05") == {
        f"now(2026,3,1,12,30,5,{milliseconds})"
    }
