"""``volition check --reduce``: fewer states, the same answers, runs that the program has, and why
not where it cannot be."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import EXAMPLES, Volition

CONTRACT = EXAMPLES / "agentspeak" / "contract_net"
CROSSING = EXAMPLES / "agentspeak" / "mutual_exclusion"


def test_small_models_are_explored_as_a_whole_unless_asked(volition: Volition) -> None:
    whole, static, full = (
        volition("check", CONTRACT, "--json", "--reduce", how).document
        for how in ("auto", "static", "lookahead")
    )
    assert whole["model"]["states"] == 1098
    assert "reduced" not in whole["model"]
    assert full["model"]["states"] < static["model"]["states"] < 300
    assert static["model"]["reduced"]["states_evaluated"] > static["model"]["states"]
    for other in (static, full):
        assert [each["holds"] for each in other["properties"]] == [
            each["holds"] for each in whole["properties"]
        ]


def test_large_models_are_reduced_by_themselves(volition: Volition) -> None:
    ended = volition("check", CROSSING)
    assert ended.exit_code == 0
    assert "stored, after partial-order reduction" in ended.out
    assert volition("check", CROSSING, "--json").document["model"]["states"] < 100_000


def test_runs_are_told_in_full(volition: Volition, tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    volition(
        "check",
        CONTRACT,
        "-p",
        "forall x. <> Bel(x, paid(_))",
        "--reduce",
        "lookahead",
        "--write-trace",
        run,
    )
    assert volition("replay", run, CONTRACT).exit_code == 0
    whole = json.loads(
        volition(
            "check", CONTRACT, "-p", "forall x. <> Bel(x, paid(_))", "--reduce", "off", "--json"
        ).out
    )
    assert len(json.loads(run.read_text())["steps"]) >= len(
        whole["properties"][0]["trace"]["steps"]
    )


def test_what_counts_steps_is_not_reduced(volition: Volition) -> None:
    ended = volition(
        "check", CONTRACT, "-p", "A [ X !Bel(anna, call(paint)) ]", "--reduce", "static"
    )
    assert "not reduced: the property counts steps" in " ".join(ended.out.split())


def test_numbers_are_the_same_and_strategies_are_for_the_whole(volition: Volition) -> None:
    query = "Pmax=? [ !Bel(bert, call(paint)) U Bel(anna, call(paint)) ]"
    whole, reduced = (
        volition("check", CONTRACT, "-p", query, "--strategy", "--json", "--reduce", how).document
        for how in ("off", "static")
    )
    assert reduced["model"]["states"] < whole["model"]["states"]
    assert reduced["properties"][0]["value"] == whole["properties"][0]["value"]
    assert reduced["properties"][0]["strategy"] == whole["properties"][0]["strategy"]
