"""``--set``: parameters of a program and options of its language, and what is wrong with them."""

from __future__ import annotations

import pytest

from tests.cli.conftest import EXAMPLES, Volition

AUCTION = EXAMPLES / "agentspeak" / "auction"


def test_all_mistakes_in_settings_are_told_at_once(volition: Volition) -> None:
    ended = volition(
        "check", AUCTION, "--set", "auctions=1", "--set", "idle", "--set", "auctions = 2", "--json"
    )
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
def test_a_name_that_an_agentspeak_project_does_not_know(
    volition: Volition, setting: str, hint: str
) -> None:
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
def test_a_value_that_is_no_term_is_refused_as_it_was_written(
    volition: Volition, value: str
) -> None:
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


@pytest.mark.parametrize(
    ("program", "setting", "code", "why"),
    [
        ("can/smart_manufacturing.can", "pe=2", "CAN028", "2 is not a probability"),
        ("agentspeak/factory", "reliability=2", "WLD025", "'2' is not a probability"),
        ("gwendolen/satellite", "leak=-1", "WLD025", "is not a probability"),
        (
            "lisa/vessel_dtmc",
            "sea_state_is_too_high.activation.p=2",
            "LIS004",
            "is not a probability",
        ),
    ],
)
def test_a_value_that_the_program_refuses_is_an_error_at_the_setting(
    volition: Volition, program: str, setting: str, code: str, why: str
) -> None:
    ended = volition("show", EXAMPLES / program, "--set", setting)
    name, _, value = setting.partition("=")
    assert ended.exit_code == 2
    assert ended.err.count("error[") == 1
    assert f"error[{code}]: '{name}' cannot be '{value}'" in ended.err
    assert why in ended.err
    assert f"--> <set>:1:{len(name) + 2}" in ended.err
    assert "probabilities are between 0 and 1" in ended.err


@pytest.mark.parametrize(
    ("program", "setting", "meant"),
    [
        ("can/smart_manufacturing.can", "pf=0.1", "'pc'"),
        ("agentspeak/factory", "reliabilty=0.5", "'reliability'"),
        ("gwendolen/satellite", "lek=0.5", "'leak'"),
        ("jason/patrol", "rongs=2", "'rings'"),
        (
            "lisa/vessel_dtmc",
            "sea_state_is_to_high.activation.p=0.2",
            "'sea_state_is_too_high.activation.p'",
        ),
        ("dribble/vacuum.dribble", "nestng=2", None),
    ],
)
def test_an_unknown_setting_is_an_error_at_the_setting(
    volition: Volition, program: str, setting: str, meant: str | None
) -> None:
    ended = volition("show", EXAMPLES / program, "--set", setting)
    assert ended.exit_code == 2
    assert "--> <set>:1:1" in ended.err
    assert meant is None or f"did you mean {meant}?" in ended.err


def test_a_value_of_a_sweep_that_the_program_refuses_is_an_error_at_its_axis(
    volition: Volition,
) -> None:
    ended = volition(
        "sweep",
        EXAMPLES / "agentspeak/factory",
        "--vary",
        "reliability=0.5,2",
        "-p",
        "Pmax=? [ F stamped = 1 ]",
    )
    assert ended.exit_code == 2
    assert "'reliability' cannot be '2'" in ended.err
    assert "--> <vary>:1:13" in ended.err
