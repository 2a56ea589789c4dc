"""``volition test`` and ``volition replay``."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import REPAIRED, VACUUM, Volition

# --- test -----------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for program in (VACUUM, REPAIRED):
        shutil.copy(program, tmp_path)
    return tmp_path


def test_a_folder_that_is_as_stated(volition: Volition, folder: Path) -> None:
    ended = volition("test", folder)
    assert ended.exit_code == 0
    assert "vacuum.dribble: 3 of 3 results as expected" in ended.out
    assert "vacuum_repaired.dribble" in ended.out


def test_a_wrong_result_is_named(volition: Volition, folder: Path) -> None:
    program = folder / "vacuum.dribble"
    program.write_text(program.read_text().replace("RESULT: true", "RESULT: false"))
    ended = volition("test", folder)
    assert ended.exit_code == 1
    assert "2 of 3 results as expected" in ended.out
    assert "holds, expected false" in ended.words


def test_a_program_that_is_not_tested_because_of_its_name_is_told(
    volition: Volition, folder: Path
) -> None:
    (folder / "below").mkdir()
    for name in ("spare.Dribble", "below/spare.CAN", "notes.txt"):
        shutil.copy(REPAIRED, folder / name)
    ended = volition("test", folder)
    assert ended.exit_code == 0
    assert ended.err.count("LNG007") == 2


def test_a_broken_program_does_not_hide_the_others(volition: Volition, folder: Path) -> None:
    (folder / "broken.dribble").write_text("beliefs: (")
    ended = volition("test", folder, "--json")
    assert ended.exit_code == 2
    broken, good, _ = ended.document["programs"]
    assert broken["diagnostics"]
    assert good["as_expected"]
    assert ended.document["as_expected"] is False


def test_a_program_that_states_no_results_is_passed_over(volition: Volition, folder: Path) -> None:
    (folder / "a.can").write_text(
        "// Events\ngo\n// Plans\ngo : true <- +b.\n// Properties\nA [ F b ]\n"
    )
    ended = volition("test", folder, "--json")
    assert ended.exit_code == 0
    assert [program["properties"] == [] for program in ended.document["programs"]] == [
        True,
        False,
        False,
    ]
    assert "a.can: has no expected results" in volition("test", folder).out


def test_a_limit_leaves_results_open(volition: Volition, folder: Path) -> None:
    ended = volition("test", folder / "vacuum_repaired.dribble", "--max-states", "3")
    assert ended.exit_code == 3


def test_a_folder_without_programs(volition: Volition, tmp_path: Path) -> None:
    ended = volition("test", tmp_path)
    assert ended.exit_code == 2
    assert "CLI006" in ended.err


# --- replay ---------------------------------------------------------------------------------------


@pytest.fixture
def recorded(volition: Volition, tmp_path: Path) -> Path:
    file = tmp_path / "run.json"
    assert volition("check", VACUUM, "--write-trace", file).exit_code == 0
    return file


def test_a_run_of_the_same_program(volition: Volition, recorded: Path) -> None:
    ended = volition("replay", recorded, VACUUM)
    assert ended.exit_code == 0
    assert "still a run of the program" in ended.out


def test_a_run_that_a_repair_made_impossible(volition: Volition, recorded: Path) -> None:
    """The recorded agent stalls before cR with an empty battery; the repaired one may charge it."""
    ended = volition("replay", recorded, REPAIRED, "--json")
    assert ended.exit_code == 1
    assert ended.document["possible"] is False
    assert [step["outcome"] for step in ended.document["steps"][:6]] == ["same"] * 6
    assert ended.document["steps"][6]["outcome"] == "impossible"


def test_a_file_that_is_no_trace(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text("{")
    assert "CLI007" in volition("replay", file, VACUUM).err
    file.write_text("{}")
    ended = volition("replay", file, VACUUM)
    assert ended.exit_code == 2
    assert "CHK006" in ended.err
