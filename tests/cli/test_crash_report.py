"""What people type wrong: every command says so before it begins to compute, and ends with exit
code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import MANUFACTURING, VACUUM, Volition

BEST = "Pmax=? [ F (PS1 & PS2) ]"
OTHER = "Pmax=? [ F (Pch1 | Pch2) ]"

# --- files to be written --------------------------------------------------------------------------

WRITING: list[list[str | Path]] = [
    ["check", VACUUM, "--write-trace"],
    ["strategy", MANUFACTURING, "-p", BEST, "-o"],
    ["strategy", MANUFACTURING, "-p", BEST, "--plot"],
    ["sweep", MANUFACTURING, "--vary", "pc=0.1", "--csv"],
    ["sweep", MANUFACTURING, "--vary", "pc=0.1", "--plot"],
    ["pareto", MANUFACTURING, "-p", BEST, "-p", OTHER, "--plot"],
    ["export", VACUUM, "--to", "dot", "-o"],
    ["export", VACUUM, "--to", "prism", "-o"],
    ["export", VACUUM, "--to", "umb", "-o"],
]
writing = pytest.mark.parametrize(
    "arguments", WRITING, ids=lambda arguments: f"{arguments[0]} {arguments[-1]}"
)


@writing
def test_a_file_in_a_folder_that_does_not_exist(
    volition: Volition, arguments: list[str | Path], tmp_path: Path
) -> None:
    ended = volition(*arguments, tmp_path / "none" / "x.svg")
    assert (ended.exit_code, ended.out) == (2, "")
    assert (
        f"CLI004]: cannot write '{tmp_path / 'none' / 'x.svg'}': the folder '{tmp_path / 'none'}' "
        "does not exist"
    ) in ended.err


@writing
def test_a_folder_is_no_file(
    volition: Volition, arguments: list[str | Path], tmp_path: Path
) -> None:
    folder = tmp_path / "x.svg"
    folder.mkdir()
    ended = volition(*arguments, folder, "--force")
    assert (ended.exit_code, ended.out) == (2, "")
    assert "it is a folder" in ended.err


@writing
def test_a_file_that_exists(
    volition: Volition, arguments: list[str | Path], tmp_path: Path
) -> None:
    file = tmp_path / "x.svg"
    file.write_text("mine")
    ended = volition(*arguments, file)
    assert (ended.exit_code, ended.out, file.read_text()) == (2, "", "mine")
    assert "CLI003" in ended.err


# --- numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["0", "-5", "many", "0.5"])
def test_a_limit_is_above_nothing(volition: Volition, value: str) -> None:
    ended = volition("explore", VACUUM, "--max-states", value)
    assert ended.exit_code == 2
    assert f"'{value}' is not a positive number" in ended.err


@pytest.mark.parametrize(("option", "what"), [("--timeout", "time"), ("--max-memory", "size")])
def test_limits_of_other_kinds(volition: Volition, option: str, what: str) -> None:
    ended = volition("check", VACUUM, option, "0")
    assert ended.exit_code == 2
    assert f"'0' is not a positive {what}" in ended.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["strategy", MANUFACTURING, "-p", BEST, "--simulate", "0"],
            "'0' is not a whole number of at least 1",
        ),
        (
            ["strategy", MANUFACTURING, "-p", BEST, "--simulate", "many"],
            "'many' is not a whole number of at least 1",
        ),
        (
            ["strategy", MANUFACTURING, "-p", BEST, "--simulate", "5", "--seed", "-1"],
            "'-1' is not a whole number of at least 0",
        ),
        (
            ["sweep", MANUFACTURING, "--vary", "pc=0.1", "--jobs", "1.5"],
            "'1.5' is not a whole number of at least 1",
        ),
    ],
)
def test_whole_numbers(volition: Volition, arguments: list[str | Path], message: str) -> None:
    ended = volition(*arguments)
    assert ended.exit_code == 2
    assert message in ended.err


# --- formulas -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["strategy", MANUFACTURING, "-p", "Pmax=? [ F nosuch ]"],
        [
            "check",
            MANUFACTURING,
            "-p",
            "E [ F PS1 ]",
            "-p",
            "E [ F PS2 ]",
            "--assume",
            "G F nosuch",
        ],
    ],
)
def test_a_mistake_in_one_formula_is_told_once(
    volition: Volition, arguments: list[str | Path]
) -> None:
    """Though the formula is asked in two ways, or beside two others."""
    ended = volition(*arguments)
    assert ended.exit_code == 2
    assert ended.err.count("unknown label or belief 'nosuch'") == 1


# --- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["strategy", MANUFACTURING, "-p", BEST, "--property", OTHER],
        ["explore", VACUUM, "--max-states", "3", "--max-states", "4"],
        ["check", VACUUM, "--props", "a.props", "--props", "b.props"],
    ],
)
def test_an_option_given_twice_is_not_ignored(
    volition: Volition, arguments: list[str | Path]
) -> None:
    ended = volition(*arguments)
    assert ended.exit_code == 2
    assert "takes one value, but is given more than once" in ended.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["strategy", MANUFACTURING, "-p", BEST, "--uniform"],
        ["sweep", MANUFACTURING, "--vary", "pc=0.1", "--style", "lines"],
        ["export", VACUUM, "--to", "dot", "-p", "A [ F stalled ]"],
    ],
)
def test_an_option_that_would_do_nothing(volition: Volition, arguments: list[str | Path]) -> None:
    ended = volition(*arguments)
    assert (ended.exit_code, ended.out) == (2, "")
    assert "CLI013" in ended.err


def test_a_parameter_is_set_or_varied(volition: Volition) -> None:
    ended = volition("sweep", MANUFACTURING, "--set", "pc=0.3", "--vary", "pc=0.1,0.2")
    assert ended.exit_code == 2
    assert "the parameter 'pc' is both set to '0.3' and varied" in ended.err


@pytest.mark.parametrize(
    "command",
    [
        "check",
        "explore",
        "show",
        "test",
        "replay",
        "export",
        "strategy",
        "pareto",
        "mission",
        "sweep",
    ],
)
def test_an_option_that_does_not_exist(volition: Volition, command: str) -> None:
    ended = volition(command, "--jsn")
    assert ended.exit_code == 2
    assert "'--json'" in ended.err
