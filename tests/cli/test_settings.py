"""``--set``: parameters of a program and options of its language, and what is wrong with them."""

from __future__ import annotations

import pytest

from tests.cli.conftest import EXAMPLES, Volition

AUCTION = EXAMPLES / "agentspeak" / "auction"


def test_all_mistakes_in_settings_are_told_at_once(volition: Volition) -> None:
    ended = volition("check", AUCTION, "--set", "auctions=1", "--set", "idle", "--set", "auctions = 2", "--json")
    assert ended.exit_code == 2
    assert [(each["code"], each["message"]) for each in ended.document["diagnostics"]] == [
        ("CLI011", "the setting 'idle' does not have the form key=value"),
        ("LNG010", "'auctions' is set twice"),
    ]


@pytest.mark.parametrize(
    ("setting", "hint"),
    [
        ("auctoins=3", "did you mean 'auctions'?"),
        ("idel=cycle", "did you mean 'idle'?"),
        ("nosuch=3", "expected one of auctions, idle, on_failure, SelectEvent"),
    ],
)
def test_a_name_that_an_agentspeak_project_does_not_know(volition: Volition, setting: str, hint: str) -> None:
    ended = volition("check", AUCTION, "--set", setting)
    assert ended.exit_code == 2
    assert "WLD003" in ended.err
    assert hint in ended.err


def test_a_parameter_that_is_not_a_number_says_what_it_is(volition: Volition) -> None:
    ended = volition("check", AUCTION, "--set", "auctions=many")
    assert ended.exit_code == 2
    assert "'auctions' is not a number" in ended.err
    assert "the parameter is 'many'" in ended.err
    assert "did you mean" not in ended.err


@pytest.mark.parametrize("value", ["", ")", "1:2", "Many", "round-robin"])
def test_a_value_that_is_no_term_is_refused_as_it_was_written(volition: Volition, value: str) -> None:
    ended = volition("check", AUCTION, "--set", f"auctions={value}")
    assert ended.exit_code == 2
    assert f"the setting 'auctions' cannot be '{value}'" in ended.err


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("can/smart_manufacturing.can", "update"),
        ("dribble/vacuum.dribble", "len_max"),
        ("agentspeak/auction", "auctions"),
        ("lisa/vessel_mdp", "picture_taken.p"),
    ],
)
def test_a_setting_that_is_given_twice(volition: Volition, program: str, name: str) -> None:
    ended = volition("show", EXAMPLES / program, "--set", f"{name}=1", "--set", f"{name} = 2")
    assert ended.exit_code == 2
    assert f"error[LNG010]: '{name}' is set twice" in ended.err
    assert "first to '1': remove one of them" in ended.err
