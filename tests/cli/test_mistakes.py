"""What people type wrong: every command says so before it begins to compute, and ends with exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import MANUFACTURING, VACUUM, Volition

BEST = "Pmax=? [ F (PS1 & PS2) ]"
OTHER = "Pmax=? [ F (Pch1 | Pch2) ]"

# --- files to be written -------------------------------------------------------------------------------------------------

WRITING: list[list[str | Path]] = [
    ["check", VACUUM, "--write-trace"],
    ["strategy", MANUFACTURING, "-p", BEST, "-o"],
    ["strategy", MANUFACTURING, "-p", BEST, "--picture"],
    ["sweep", MANUFACTURING, "--vary", "pc=0.1", "--csv"],
    ["sweep", MANUFACTURING, "--vary", "pc=0.1", "--plot"],
    ["pareto", MANUFACTURING, "-p", BEST, "-p", OTHER, "--plot"],
    ["export", VACUUM, "--to", "dot", "-o"],
    ["export", VACUUM, "--to", "prism", "-o"],
    ["export", VACUUM, "--to", "umb", "-o"],
]
writing = pytest.mark.parametrize("arguments", WRITING, ids=lambda arguments: f"{arguments[0]} {arguments[-1]}")


@writing
def test_a_file_in_a_folder_that_does_not_exist(volition: Volition, arguments: list[str | Path], tmp_path: Path) -> None:
    ended = volition(*arguments, tmp_path / "none" / "x.svg")
    assert (ended.exit_code, ended.out) == (2, "")
    assert f"CLI004]: cannot write '{tmp_path / 'none' / 'x.svg'}': there is no folder '{tmp_path / 'none'}'" in ended.err


@writing
def test_a_folder_is_no_file(volition: Volition, arguments: list[str | Path], tmp_path: Path) -> None:
    folder = tmp_path / "x.svg"
    folder.mkdir()
    ended = volition(*arguments, folder, "--force")
    assert (ended.exit_code, ended.out) == (2, "")
    assert "it is a folder" in ended.err


@writing
def test_a_file_that_exists(volition: Volition, arguments: list[str | Path], tmp_path: Path) -> None:
    file = tmp_path / "x.svg"
    file.write_text("mine")
    ended = volition(*arguments, file)
    assert (ended.exit_code, ended.out, file.read_text()) == (2, "", "mine")
    assert "CLI003" in ended.err
