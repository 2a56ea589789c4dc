"""``volition simulate``.  The exact values stand in the examples."""

from __future__ import annotations

import pytest

from tests.cli.conftest import EXAMPLES, MANUFACTURING, VACUUM, Volition

COURIER, RESCUE = EXAMPLES / "can" / "courier.can", EXAMPLES / "can" / "rescue.can"
DELIVERED = "P=? [ F delivered ]"
BEST = "Pmax=? [ F (PS1 & PS2) ]"


def test_an_interval_and_how_far_to_trust_it(volition: Volition) -> None:
    ended = volition(
        "simulate",
        COURIER,
        "-p",
        DELIVERED,
        "--confidence",
        "0.95",
        "--error",
        "0.02",
        "--jobs",
        "1",
    )
    assert ended.exit_code == 0
    assert f"{DELIVERED} is 0.9" in ended.out
    assert "confidence 0.95 by the Clopper-Pearson interval" in ended.out
    assert "(proven)" in ended.out


def test_json(volition: Volition) -> None:
    arguments = (
        "simulate",
        COURIER,
        "-p",
        DELIVERED,
        "--runs",
        "2000",
        "--seed",
        "5",
        "--jobs",
        "1",
        "--json",
    )
    document = volition(*arguments).document
    (answer,) = document["properties"]
    assert answer["lower"] < 0.96 < answer["upper"]
    assert (
        answer["runs"],
        answer["seed"],
        answer["undecided"],
        answer["bound_kind"],
        answer["confidence"],
    ) == (2000, 5, 0, "value", 0.99)
    assert {**volition(*arguments).document["properties"][0], "seconds": 0} == {
        **answer,
        "seconds": 0,
    }


@pytest.mark.parametrize(
    ("formula", "code", "said"),
    [
        ("P>=0.9 [ F delivered ]", 0, "holds"),
        ("P>=0.99 [ F delivered ]", 1, "is violated"),
        ("P>=0.99 [ F delivered ] // RESULT: false", 0, "agrees with false"),
        ("P=? [ F delivered ] // RESULT: 0.5", 1, "does not agree with 0.5"),
        ("P=? [ F delivered ] // RESULT: 0.96", 0, "agrees with 0.96"),
    ],
)
def test_exit_codes(volition: Volition, formula: str, code: int, said: str) -> None:
    ended = volition("simulate", COURIER, "-p", formula, "--jobs", "1")
    assert (ended.exit_code, said in ended.out) == (code, True)


def test_a_bound_for_programs_with_choices(volition: Volition) -> None:
    ended = volition(
        "simulate",
        MANUFACTURING,
        "-p",
        BEST,
        "--error",
        "0.05",
        "--num-schedulers",
        "1000",
        "--jobs",
        "1",
    )
    assert ended.exit_code == 0
    assert "is at least 0." in ended.out
    assert "under the best of 1,000 schedulers" in ended.out


def test_a_search_that_proves_nothing_is_no_answer(volition: Volition) -> None:
    ended = volition(
        "simulate",
        MANUFACTURING,
        "-p",
        "P<=0.7 [ F (PS1 & PS2) ]",
        "--num-schedulers",
        "8",
        "--jobs",
        "1",
    )
    assert ended.exit_code == 3
    assert "does not prove that none exists" in ended.err


def test_the_numbers_that_a_file_asks_for(volition: Volition) -> None:
    document = volition(
        "simulate", RESCUE, "--error", "0.1", "--num-schedulers", "8", "--jobs", "1", "--json"
    ).document
    assert [each["formula"][0] for each in document["properties"]] == ["P", "R", "R"]
    assert all(each["as_expected"] for each in document["properties"] if "unknown" not in each)


def test_a_file_that_asks_for_none(volition: Volition) -> None:
    ended = volition("simulate", VACUUM)
    assert ended.exit_code == 2
    assert "the program has no property about a probability or a reward" in ended.err
    assert "give one with -p" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-p", "P=? [ F (PS1 & PS2) ]"], "use Pmin or Pmax, or --scheduler uniform"),
        (["-p", "A [ F PS1 ]"], "single runs do not answer it"),
        (["-p", BEST, "--confidence", "1"], "'1' is not a number between 0 and 1"),
        (["-p", BEST, "--error", "0.5"], "'0.5' is not a number between 0 and 0.5"),
        (["-p", BEST, "--error", "nan"], "'nan' is not a number"),
        (["-p", BEST, "--runs", "0"], "'0' is not a whole number of at least 1"),
        (["-p", BEST, "--max-steps", "-1"], "'-1' is not a whole number of at least 1"),
    ],
)
def test_mistakes(volition: Volition, arguments: list[str], said: str) -> None:
    ended = volition("simulate", MANUFACTURING, *arguments)
    assert ended.exit_code == 2
    assert said in " ".join(ended.err.split())


def test_time_that_is_over(volition: Volition) -> None:
    ended = volition(
        "simulate",
        COURIER,
        "-p",
        DELIVERED,
        "--error",
        "0.00001",
        "--timeout",
        "0.5",
        "--jobs",
        "2",
    )
    assert ended.exit_code == 3
    assert "less precise than requested: the time limit was reached" in ended.err
    assert f"{DELIVERED} is 0.96" in ended.out
    assert "Robbins' mixture" in ended.out
