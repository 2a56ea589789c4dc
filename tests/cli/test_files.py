"""Programs that cannot be read, and files that look different and mean the same."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, VACUUM, Volition
from volition.languages import LANGUAGES, Language

PROGRAMS = {
    ".can": "can/vacuum.can",
    ".dribble": "dribble/vacuum.dribble",
    ".sej": "lisa/vessel_mdp",
    ".mas": "agentspeak/contract_net",
    ".gwendolen": "gwendolen/lucky_dip",
    ".gwen": "gwendolen/lucky_dip/child.gwen",
    ".eass": "gwendolen/cruise_control/car.eass",
}
languages = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.suffix)


def written(folder: Path, language: Language, content: bytes) -> Path:
    """A file that is a program of the language by its name."""
    file = folder / f"a{language.suffix}"
    file.write_bytes(content)
    return file


@languages
def test_a_link_that_leads_nowhere(volition: Volition, language: Language, tmp_path: Path) -> None:
    link = tmp_path / f"a{language.suffix}"
    link.symlink_to("gone")
    ended = volition("show", link)
    assert ended.exit_code == 2
    assert "LNG001" in ended.err
    assert "is a broken link to 'gone'" in ended.err
    assert "did you mean" not in ended.err


@languages
@pytest.mark.parametrize(
    "content",
    [b"\x7fELF\x02\xff", b"a\0b", "agent".encode("utf-16")],
    ids=["bytes", "zeros", "UTF-16"],
)
def test_a_file_that_is_not_text(
    volition: Volition, language: Language, content: bytes, tmp_path: Path
) -> None:
    ended = volition("show", written(tmp_path, language, content))
    assert ended.exit_code == 2
    assert "LNG005" in ended.err
    assert "save the file as UTF-8 text" in ended.err


@languages
def test_what_is_no_file_is_not_read(
    volition: Volition, language: Language, tmp_path: Path
) -> None:
    """A pipe to which nobody writes, a device without end, and a file that is larger than memory
    may be."""
    pipe, device, sparse = (
        tmp_path / name / f"a{language.suffix}" for name in ("pipe", "device", "sparse")
    )
    for path in (pipe, device, sparse):
        path.parent.mkdir()
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    sparse.touch()
    os.truncate(sparse, 2**40)
    for path in (pipe, device, sparse):
        ended = volition("show", path)
        assert ended.exit_code == 2
        assert "LNG008" in ended.err


def test_folders_with_links_to_themselves(volition: Volition, tmp_path: Path) -> None:
    below = tmp_path / "below"
    below.mkdir()
    shutil.copy(VACUUM, below)
    (below / "up").symlink_to("..")
    (tmp_path / "self").symlink_to(".")
    (tmp_path / "again").symlink_to("below")
    ended = volition("test", tmp_path, "--json")
    assert ended.exit_code == 0
    assert [each["program"] for each in ended.document["programs"]] == [
        str(tmp_path / "again" / VACUUM.name)
    ]


@languages
def test_an_empty_file(volition: Volition, language: Language, tmp_path: Path) -> None:
    """Only an agent of Jason may be empty; it is warned of."""
    ended = volition("show", written(tmp_path, language, b""))
    assert ended.exit_code == (0 if language.suffix == ".asl" else 2)
    assert "help:" in ended.err


@languages
@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read(
    volition: Volition, language: Language, tmp_path: Path
) -> None:
    file = written(tmp_path, language, b"")
    file.chmod(0)
    ended = volition("show", file)
    assert ended.exit_code == 2
    assert "LNG004" in ended.err


@pytest.mark.parametrize("command", ["show", "test"])
def test_a_name_that_no_file_can_have(volition: Volition, command: str) -> None:
    ended = volition(command, "x" * 300)
    assert ended.exit_code == 2
    assert "LNG004" in ended.err


def test_a_folder_without_a_program(volition: Volition, tmp_path: Path) -> None:
    ended = volition("show", tmp_path)
    assert ended.exit_code == 2
    assert "LNG003" in ended.err
    assert "programs are CAN (.can)" in ended.err


def test_a_folder_of_projects_names_one_of_them(volition: Volition) -> None:
    folder = EXAMPLES / "agentspeak"
    ended = volition("show", folder)
    assert ended.exit_code == 2
    assert f"such as '{folder / 'auction'}'" in ended.err


@pytest.mark.parametrize("example", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("style", ["byte order mark", "carriage returns"])
def test_files_of_other_editors(
    volition: Volition, example: str, style: str, tmp_path: Path
) -> None:
    """What is shown of a program, places included, does not depend on how its lines end."""
    original = EXAMPLES / example
    copy = tmp_path / original.name
    shutil.copy(original, copy) if original.is_file() else shutil.copytree(original, copy)
    for file in [each for each in (copy, *copy.rglob("*")) if each.is_file()]:
        content = file.read_bytes()
        file.write_bytes(
            b"\xef\xbb\xbf" + content
            if style == "byte order mark"
            else content.replace(b"\n", b"\r\n")
        )
    shown = volition("show", copy, "--json")
    assert shown.exit_code == 0
    assert shown.out.replace(str(copy), str(original)) == volition("show", original, "--json").out


def test_a_trace_and_properties_of_other_editors(volition: Volition, tmp_path: Path) -> None:
    properties, trace = tmp_path / "asked.props", tmp_path / "run.json"
    properties.write_bytes(b"\xef\xbb\xbf// RESULT: false\r\nA [ F (B(c1)\r\n  & B(c2)) ]\r\n")
    assert volition("check", VACUUM, "--props", properties, "--write-trace", trace).exit_code == 0
    trace.write_bytes(b"\xef\xbb\xbf" + trace.read_bytes().replace(b"\n", b"\r\n"))
    assert volition("replay", trace, VACUUM).exit_code == 0


@pytest.mark.parametrize(
    "command",
    [
        [
            "slice",
            EXAMPLES / "gwendolen" / "cruise_control",
            "-o",
            "same.svg",
            "--graph",
            "same.svg",
        ],
        [
            "sweep",
            EXAMPLES / "can" / "rover.can",
            "--vary",
            "base_to_site1=1,3",
            "--csv",
            "same.svg",
            "--plot",
            "./same.svg",
        ],
    ],
    ids=lambda command: command[0],
)
def test_two_results_do_not_go_into_one_file(
    volition: Volition, command: list[str | Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = volition(*command)
    assert ended.exit_code == 2
    assert "error[CLI017]: cannot write two results to" in ended.err
    assert not list(tmp_path.iterdir())
