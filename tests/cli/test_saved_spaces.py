"""``explore --save``, and every command with what it wrote in the place of the program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.cli.commands import COMMANDS_AT_WORK, RESCUE
from tests.cli.conftest import EXAMPLES, VACUUM
from tests.cli.test_trust import project
from tests.fuzz.saved_spaces import SPECIMENS, SpaceSpecimen, complaint_about, mutant, saved_content
from volition.cli import main


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(
        main, [str(each) for each in arguments], catch_exceptions=False, env={"COLUMNS": "150"}
    )


def settled(text: str) -> str:
    """Without times and what they make of columns, and without what is said of the time and memory
    of exploring."""
    text = re.sub(r" *[0-9.]+ m?s\b", "T", text)
    text = re.sub(r"^.*(time: |bytes per state|Python calls).*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"(?<=[ ─])[ ─]+", "", text)


WITH_STATES = sorted(set(COMMANDS_AT_WORK) - {"sweep", "completion"})


@pytest.mark.parametrize("command", WITH_STATES)
def test_every_command_takes_a_saved_space(tmp_path: Path, command: str) -> None:
    arguments = COMMANDS_AT_WORK[command]
    program = Path(arguments[1])
    space = tmp_path / program.with_suffix(".vsp").name
    formulas = [
        part
        for index, each in enumerate(arguments)
        if arguments[index - 1] == "-p"
        for part in ("--observe", each)
    ]
    assert run("explore", program, "--save", space, *formulas).exit_code == 0
    expected, found = (
        run(*arguments),
        run(*[space if each == program else each for each in arguments]),
    )
    assert found.exit_code == expected.exit_code == 0
    assert settled(found.stdout).replace(str(space), str(program)) == settled(expected.stdout)


def test_a_sweep_says_why_not(tmp_path: Path) -> None:
    run("explore", RESCUE, "--save", tmp_path / "rescue.vsp")
    result = run(
        "sweep", tmp_path / "rescue.vsp", "--vary", "p=0,1", "-p", "Pmax=? [ F Bel(rescued) ]"
    )
    assert result.exit_code == 2
    assert "have fixed values" in result.stderr


def test_a_trace_of_saved_states_is_one_of_the_program(tmp_path: Path) -> None:
    space, trace = tmp_path / "vacuum.vsp", tmp_path / "run.json"
    run("explore", VACUUM, "--save", space)
    assert run("check", space, "-p", "A [ F false ]", "--write-trace", trace).exit_code == 1
    assert run("replay", trace, VACUUM).exit_code == run("replay", trace, space).exit_code == 0


def test_a_file_is_not_overwritten_unless_asked(tmp_path: Path) -> None:
    space = tmp_path / "vacuum.vsp"
    space.write_text("mine")
    refused = run("explore", VACUUM, "--save", space)
    assert (refused.exit_code, space.read_text()) == (2, "mine")
    assert "CLI003" in refused.stderr
    assert run("explore", VACUUM, "--save", space, "--force").exit_code == 0
    assert run("explore", VACUUM, "--save", tmp_path / "vacuum.space").exit_code == 2
    assert not (tmp_path / "vacuum.space").exists()


def test_an_exploration_goes_on_where_it_stopped(tmp_path: Path) -> None:
    part, whole = tmp_path / "part.vsp", tmp_path / "whole.vsp"
    rover = EXAMPLES / "can" / "rover.can"
    assert run("explore", rover, "--max-states", "100", "--save", part).exit_code == 3
    shown = run("explore", part)
    assert shown.exit_code == 3  # nothing is explored
    assert "101 states" in shown.stdout
    assert run("check", part, "-p", "A [ G !false ]").exit_code == 3
    assert run("explore", part, "--resume", "--save", whole).exit_code == 0
    assert settled(run("explore", whole).stdout) == settled(run("explore", rover).stdout)


@pytest.mark.parametrize(
    "command",
    [
        ["check"],
        ["explore"],
        ["show"],
        ["strategy", "-p", "Pmax=? [ F x ]"],
        ["test"],
        ["export", "--to", "dot"],
    ],
)
@pytest.mark.parametrize(
    "content",
    [b"", b"text", b"volition space\r\n\x02\0\0\0", b"volition space\r\n\x01\0\0\0" + b"\0" * 100],
)
def test_bad_files_are_told(tmp_path: Path, command: list[str], content: bytes) -> None:
    path = tmp_path / "bad.vsp"
    path.write_bytes(content)
    result = run(command[0], path, *command[1:])
    assert result.exit_code == 2
    assert re.search(r"error\[SPC00[123]\]", result.stderr + result.stdout)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = run("check", tmp_path / "nothing.vsp")
    assert result.exit_code == 2
    assert "SPC001" in result.stderr


def test_code_in_a_saved_space_runs_only_after_a_yes(tmp_path: Path) -> None:
    house, space = project(tmp_path / "house"), tmp_path / "house.vsp"
    assert run("explore", house, "--trust", "--save", space).exit_code == 0
    mark = house / "mark"
    mark.unlink()
    refused = run("check", space)
    assert refused.exit_code == 2
    assert "LNG020" in refused.stderr
    assert "house.vsp" in refused.stderr
    assert not mark.exists()
    assert run("check", space, "--trust").exit_code == 0
    assert mark.exists()


def test_another_process_opens_it(tmp_path: Path) -> None:
    """In which Python keeps its sets in another order."""
    space = tmp_path / "space.vsp"

    def explore(seed: int, *arguments: str) -> str:
        command = [sys.executable, "-m", "volition", "explore", *arguments]
        return subprocess.run(
            command,
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert explore(1, str(EXAMPLES / "gwendolen" / "lucky_dip"), "--save", str(space)) == explore(
        2, str(space)
    )


@pytest.mark.parametrize("specimen", SPECIMENS[::3], ids=lambda each: each.program)
def test_forged_files_are_refused_or_answered(tmp_path: Path, specimen: SpaceSpecimen) -> None:
    """A sample of what ``make sanitize`` tries."""
    content = saved_content(specimen, tmp_path)
    seen = set()
    for seed in range(12):
        made = mutant(content, seed)
        said, how = complaint_about(specimen, made.file, tmp_path, slice(2))
        assert said is None, made.what
        seen.add(how)
    assert "refused" in seen
    assert complaint_about(specimen, content.written(), tmp_path, slice(2)) == (None, "answered")
