"""``volition explore`` and ``volition show``.  Figures: Archibald et al., Sect. 4.1; Trang et al.,
Sect. 4.3."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import MANUFACTURING, VACUUM, Volition


def test_figures_as_json(volition: Volition) -> None:
    ended = volition("explore", MANUFACTURING, "--json")
    assert ended.exit_code == 0
    document = ended.document
    assert {
        "states": 784,
        "choices": 1288,
        "transitions": 1418,
        "complete": True,
    }.items() <= document.items()
    assert isinstance(document["python_calls"], int)
    assert isinstance(document["seconds"], float)


def test_figures_for_people(volition: Volition) -> None:
    ended = volition("explore", MANUFACTURING, "--stats")
    assert "784 states, 1,288 choices, 1,418 transitions" in ended.out
    assert "bytes per state" in ended.out


def test_memory_has_a_limit_that_nobody_states(
    volition: Volition, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of what there is: a machine that says it has one page stops at once."""
    monkeypatch.setattr("os.sysconf", lambda name: {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1}[name])
    ended = volition("explore", MANUFACTURING)
    assert ended.exit_code == 3
    assert "stopped at the limit of 2 KiB of memory" in ended.err
    assert volition("explore", MANUFACTURING, "--max-memory", "1G").exit_code == 0


@pytest.mark.parametrize(
    ("option", "limit", "reason"),
    [("--max-states", "100", "states"), ("--max-memory", "1k", "memory")],
)
def test_a_limit_gives_a_partial_result(
    volition: Volition, option: str, limit: str, reason: str
) -> None:
    ended = volition("explore", MANUFACTURING, option, limit, "--json")
    assert ended.exit_code == 3
    assert ended.document["complete"] is False
    assert ended.document["stopped"]["reason"] == reason
    assert 0 < ended.document["states"] < 784
    assert "stopped at the limit" in ended.err


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("--max-states", "0"),
        ("--max-states", "many"),
        ("--timeout", "5 weeks"),
        ("--max-memory", "-1G"),
        ("--timeout", ""),
    ],
)
def test_a_limit_that_is_none(volition: Volition, option: str, text: str) -> None:
    ended = volition("explore", MANUFACTURING, option, text)
    assert ended.exit_code == 2
    assert "write it like" in ended.err


@pytest.mark.parametrize(
    ("text", "states"),
    [("2k", 2000), ("1.5k", 1500), ("700", 700), ("1_000", 1000), ("10M", 10_000_000)],
)
def test_units_of_limits(volition: Volition, text: str, states: int) -> None:
    document = volition("explore", MANUFACTURING, "--max-states", text, "--json").document
    assert document["complete"] is (states > 784)


def test_coverage_names_what_is_never_used(volition: Volition) -> None:
    """The printed vacuum cleaner never charges its battery: no run executes cB."""
    document = volition("explore", VACUUM, "--coverage", "--json").document
    assert "cR" in document["coverage"]["used"]["actions"]
    assert "cB" in document["coverage"]["unused"]["actions"]
    assert "cB" in volition("explore", VACUUM, "--coverage").out


def test_show(volition: Volition) -> None:
    ended = volition("show", VACUUM)
    assert ended.exit_code == 0
    assert "is a program in Dribble" in ended.out
    assert "if r1 then cR else {mL; cR}" in ended.words
    assert "both rooms can be cleaned" in ended.out
    assert "warning[DRB" in ended.err


def test_show_as_json(volition: Volition) -> None:
    document = volition("show", VACUUM, "--json").document
    assert document["language"] == "Dribble"
    actions = next(table for table in document["tables"] if table["title"] == "Actions")
    assert [row[0] for row in actions["rows"]] == ["mR", "mL", "cR", "cB"]
    properties = next(table for table in document["tables"] if table["title"] == "Properties")
    assert [row[-1] for row in properties["rows"]] == ["false", "false", "true"]
    assert document["warnings"]


def test_a_program_with_mistakes_is_refused_with_all_of_them(
    volition: Volition, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.dribble"
    broken.write_text(
        VACUUM.read_text().replace("cR : b  =>", "cR : b b =>").replace("mR : r1 =>", "mR r1 =>")
    )
    ended = volition("explore", broken)
    assert ended.exit_code == 2
    assert ended.err.count("error[DRB") >= 2
    assert f"{broken}:15:" in ended.err
    assert f"{broken}:17:" in ended.err


def test_a_program_that_is_not_there(volition: Volition) -> None:
    ended = volition("explore", VACUUM.with_name("vacum.dribble"), "--json")
    assert ended.exit_code == 2
    assert ended.document["diagnostics"][0]["code"] == "LNG001"
    assert "did you mean 'vacuum.dribble'?" in ended.err


def test_titles_are_not_broken_where_there_is_room(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "a.can"
    file.write_text(
        "// Initial belief bases\n1. b\n2. c\n// Events\ngo\n// Plans\ngo : b | c <- +d.\n"
    )
    assert "Initial beliefs (1 of 2)" in volition("show", file).out


@pytest.mark.parametrize("number", ["99999999999999999999", "9" * 400, "9" * 5000])
def test_limits_beyond_machine_words_are_no_limits(volition: Volition, number: str) -> None:
    for option in ("--max-states", "--max-memory", "--timeout"):
        assert volition("explore", VACUUM, option, number).exit_code == 0


def test_down_to_a_depth(volition: Volition) -> None:
    ended = volition("explore", MANUFACTURING, "--depth", "3", "--json")
    assert ended.exit_code == 3
    assert ended.document["stopped"]["reason"] == "depth"
    assert "stopped at the depth of 3 steps" in ended.err
    assert volition("explore", MANUFACTURING, "--depth", "0").exit_code == 2
    assert volition("explore", MANUFACTURING, "--depth", "1000").exit_code == 0
    assert volition("check", MANUFACTURING, "--depth", "3", "-p", "A [ G !PS1 ]").exit_code == 3
