"""What has more parts than the kernel can number: an answer that says so, never a traceback.  The
limits are made small to be met."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import volition
from volition.checking.graph import automaton_product
from volition.cli import main
from volition.kernel import exploration

VACUUM = str(Path(__file__).parents[2] / "examples" / "dribble" / "vacuum.dribble")
REPEATED = "A [ G F Bel(c1) ]"
COUNTED = "Pmax=? [ F (A [ G F Bel(c1) ]) ]"


def test_a_full_store_ends_the_exploration_like_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = volition.explore(volition.load(VACUUM))
    monkeypatch.setattr(exploration, "MAX_STATES", 10)
    space = volition.explore(volition.load(VACUUM))
    assert space.stopped is not None
    assert space.stopped.reason == "states"
    left = space.num_states - space.num_expanded
    found = f"{space.num_expanded} states explored, {left} more found but not explored"
    assert space.stopped.text == f"stopped at the 10 states that can be stored: {found}"
    assert 0 < space.num_expanded < space.num_states <= 10
    last = space.first_transition[space.first_choice[space.num_expanded]]
    assert (space.targets == whole.targets[:last]).all()


def test_a_smaller_limit_of_the_user_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploration, "MAX_STATES", 10)
    space = volition.explore(volition.load(VACUUM), max_states=5)
    assert space.stopped is not None
    assert "the limit of 5 states" in space.stopped.text


def test_a_store_that_is_just_large_enough_is_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = volition.explore(volition.load(VACUUM))
    monkeypatch.setattr(exploration, "MAX_STATES", whole.num_states)
    assert volition.explore(volition.load(VACUUM)).complete


@pytest.mark.parametrize("formula", [REPEATED, COUNTED])
def test_a_product_that_is_too_large_leaves_the_answer_unknown(
    formula: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(automaton_product, "MAX_NODES", 3)
    (answer,) = volition.check(volition.load(VACUUM), formula)
    assert (
        answer.verdict.unknown
        == "the automaton of the formula and the state space together have more than 3 states"
    )


def test_the_command_line_says_so_and_ends_as_if_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton_product, "MAX_NODES", 3)
    result = CliRunner().invoke(main, ["check", VACUUM, "-p", REPEATED, "--json"])
    assert result.exit_code == 3
    (answer,) = json.loads(result.stdout)["properties"]
    assert "more than 3 states" in answer["unknown"]
