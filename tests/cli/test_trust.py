"""Code that a program brings runs only after the user's yes, and cannot end the program or outlive
its time."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import volition as library
from tests.cli.conftest import EXAMPLES, Volition

WORLD = """
from fractions import Fraction
import os, sys, time
from volition.languages.world import WorldTransition, World
open({mark!r}, "a").write("executed")
{module}

class House(World):
    slots = {{"world.dirt": 1}}

    def percepts(self, state, agent):
        {percepts}
        return []

    def execute(self, state, agent, action):
        return [WorldTransition("clean", "cleans", ((Fraction(1), {{"world.dirt": 0}}),))]
"""


def project(
    folder: Path, *, module: str = "", percepts: str = "pass", world: str = "house.py:House"
) -> Path:
    """A project with a world in Python that leaves a mark when it is executed."""
    folder.mkdir(exist_ok=True)
    (folder / "house.py").write_text(
        WORLD.format(mark=str(folder / "mark"), module=module, percepts=percepts)
    )
    (folder / "a.asl").write_text("!go.\n+!go <- clean.")
    (folder / "a.mas").write_text(
        f"agent a = a.asl\nworld = {world}\nproperties\n// RESULT: true\nA [ F dirt = 0 ]\n"
    )
    return folder


COMMANDS: dict[str, list[str]] = {
    "check": [],
    "show": [],
    "explore": [],
    "test": [],
    "export": ["--to", "dot"],
    "strategy": ["-p", "Pmax=? [ F dirt = 0 ]"],
    "pareto": ["-p", "Pmax=? [ F dirt = 0 ]", "-p", "Pmin=? [ F dirt = 0 ]"],
    "mission": ["-p", "Pmax=? [ F dirt = 0 ]"],
    "sweep": ["--vary", "x=1", "-p", "Pmax=? [ F dirt = 0 ]"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_runs_code_without_a_yes(
    volition: Volition, tmp_path: Path, command: str
) -> None:
    folder = project(tmp_path / "p")
    ended = volition(command, folder, *COMMANDS[command])
    assert ended.exit_code == 2
    assert "LNG020" in ended.err
    assert "--trust" in ended.err
    assert "a.mas:2" in ended.err
    assert not (folder / "mark").exists()


def test_a_folder_of_programs_is_tested_without_running_its_code(
    volition: Volition, tmp_path: Path
) -> None:
    folder = project(tmp_path / "p")
    assert volition("test", tmp_path).exit_code == 2
    assert not (folder / "mark").exists()
    assert volition("test", tmp_path, "--trust").exit_code == 0


def test_ways_to_say_yes(
    volition: Volition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project(tmp_path / "p")
    assert volition("check", folder, "--trust").exit_code == 0
    assert volition("check", folder).exit_code == 2, "that was for once"
    monkeypatch.setenv("VOLITION_TRUST", str(tmp_path / "other"))
    assert volition("check", folder).exit_code == 2
    monkeypatch.setenv("VOLITION_TRUST", str(folder))
    assert volition("check", folder).exit_code == 0
    monkeypatch.setenv("VOLITION_TRUST", "1")
    assert volition("check", folder).exit_code == 0
    monkeypatch.delenv("VOLITION_TRUST")
    assert volition("trust", tmp_path).exit_code == 0
    assert volition("check", folder).exit_code == 0
    assert volition("trust", "--list", "--json").document["trusted"] == [str(tmp_path)]
    assert volition("trust", tmp_path, "--forget").exit_code == 0
    assert volition("check", folder).exit_code == 2
    assert volition("trust", tmp_path, "--forget").exit_code == 2


def test_trust_is_about_the_real_folder(volition: Volition, tmp_path: Path) -> None:
    """A link in a trusted folder to a project elsewhere is not trusted, and ../ is no part of
    it."""
    folder = project(tmp_path / "p")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "link").symlink_to(folder)
    assert volition("trust", tmp_path / "mine").exit_code == 0
    assert volition("check", tmp_path / "mine" / "link").exit_code == 2
    assert volition("check", tmp_path / "mine" / ".." / "p").exit_code == 2


def test_from_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The argument is the only way, whatever the user has allowed on the command line."""
    monkeypatch.setenv("VOLITION_TRUST", "1")
    folder = project(tmp_path / "p")
    with pytest.raises(library.InputError, match="trust=True"):
        library.load(folder)
    assert not (folder / "mark").exists()
    assert library.load(folder, trust=True).language == "AgentSpeak(F)"


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 2)])
def test_somebody_who_can_be_asked_is_asked(tmp_path: Path, answer: str, code: int) -> None:
    folder = project(tmp_path / "p")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "volition", "check", str(folder)]
    with subprocess.Popen(
        command,
        stdin=theirs,
        stderr=theirs,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"TERM": "dumb"},
    ) as process:
        os.close(theirs)
        os.write(ours, f"{answer}\n".encode())
        assert process.wait(100) == code
    assert (folder / "mark").exists() == (code == 0)
    assert b"Allow it to run?" in os.read(ours, 100_000)
    os.close(ours)


# --- files outside of the folder ------------------------------------------------------------------


@pytest.mark.parametrize("way", ["..", "absolute", "link"])
def test_a_project_reads_nothing_outside_of_its_folder(
    volition: Volition, tmp_path: Path, way: str
) -> None:
    (tmp_path / "secret.asl").write_text("the secret of the user")
    folder = project(tmp_path / "p")
    (folder / "link.asl").symlink_to(tmp_path / "secret.asl")
    file = {"..": "../secret.asl", "absolute": str(tmp_path / "secret.asl"), "link": "link.asl"}[
        way
    ]
    (folder / "a.mas").write_text(f"agent a = {file}\n")
    ended = volition("show", folder)
    assert ended.exit_code == 2
    assert "LNG021" in ended.err
    assert "the secret" not in ended.err
    (tmp_path / "secret.asl").write_text("!go.\n+!go <- +done.\n")
    assert volition("show", folder, "--trust").exit_code == 0


def test_a_lisa_project_reads_nothing_outside_of_its_folder(
    volition: Volition, tmp_path: Path
) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    for file in (EXAMPLES / "lisa" / "vessel_dtmc").rglob("*.*"):
        if file.is_file():
            (folder / file.name).symlink_to(file)
    ended = volition("show", folder)
    assert ended.exit_code == 2
    assert "LNG021" in ended.err
    assert volition("show", folder, "--trust").exit_code == 0


def test_a_program_may_itself_be_a_link(volition: Volition, tmp_path: Path) -> None:
    (tmp_path / "x.can").symlink_to(EXAMPLES / "can" / "rescue.can")
    assert volition("show", tmp_path / "x.can").exit_code == 0


def test_a_folder_is_tested_without_what_links_lead_to(volition: Volition, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    shutil.copy(EXAMPLES / "can" / "rescue.can", tmp_path / "mine")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "broken.can").write_text("// Plans\n(")
    (tmp_path / "mine" / "link").symlink_to(tmp_path / "other")
    (tmp_path / "mine" / "project").symlink_to(project(tmp_path / "p"))
    ended = volition("test", tmp_path / "mine")
    assert ended.exit_code == 0
    assert "broken" not in ended.out + ended.err


# --- code that ends the process, or never ends ----------------------------------------------------

ENDINGS = [
    "sys.exit(0)",
    "os._exit(0)",
    "exit()",
    "raise SystemExit",
    "os.abort()",
    "raise GeneratorExit",
    "os.kill(os.getpid(), 9)",
]


@pytest.mark.parametrize("where", ["module", "percepts"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_code_that_ends_the_process_is_a_mistake_with_its_line(
    volition: Volition, tmp_path: Path, where: str, ending: str
) -> None:
    folder = project(tmp_path / "p", **{where: ending})
    ended = volition("check", folder, "--trust")
    assert ended.exit_code == 2
    line = next(
        number
        for number, text in enumerate((folder / "house.py").read_text().split("\n"), 1)
        if text.strip() == ending
    )
    assert f"house.py:{line}:" in ended.err


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    """A check in a process of its own, with a time limit of a second."""
    command = [sys.executable, "-m", "volition", "check", str(folder), "--trust", "--timeout", "1"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


CATCHING = """while True:
            try:
                time.sleep(0.01)
            except BaseException:
                pass
            """


@pytest.mark.parametrize("where", ["module", "percepts"])
@pytest.mark.parametrize(
    "loop", ["while True: time.sleep(0)", CATCHING], ids=["plain", "catching everything"]
)
def test_code_that_never_ends_is_a_mistake_with_its_line(
    tmp_path: Path, where: str, loop: str
) -> None:
    ended = run(project(tmp_path / "p", **{where: loop}))
    assert ended.returncode == 2, ended.stderr
    assert "did not finish within the time limit of 1 second" in ended.stderr
    assert re.search(r"house\.py:\d+:", ended.stderr)


def test_a_thread_of_such_code_does_not_outlive_the_program(tmp_path: Path) -> None:
    thread = (
        "import threading; threading.Thread(target=lambda: [time.sleep(0.1) for _ in "
        "iter(int, 1)]).start()"
    )
    assert run(project(tmp_path / "p", module=thread, percepts=thread)).returncode == 0


def test_a_copy_of_the_process_gives_no_answer_of_its_own(tmp_path: Path) -> None:
    ended = run(project(tmp_path / "p", module="os.fork()", percepts="os.fork()"))
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("A [ F dirt = 0 ]") == 1


def test_to_be_ended_from_outside_is_no_mistake_of_such_code(tmp_path: Path) -> None:
    ended = run(
        project(tmp_path / "p", percepts="import signal; signal.raise_signal(signal.SIGTERM)")
    )
    assert (ended.returncode, ended.stderr) == (143, "")


def test_a_failure_is_told_in_a_few_words(volition: Volition, tmp_path: Path) -> None:
    ended = volition(
        "check", project(tmp_path / "p", percepts="raise ValueError('long ' * 100_000)"), "--trust"
    )
    assert ended.exit_code == 2
    assert len(ended.err) < 3000


# --- the list of trusted folders ------------------------------------------------------------------


@pytest.fixture
def trusted_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, volition: Volition) -> Path:  # noqa: ARG001
    """The file that holds the list; there is none yet."""
    (tmp_path / "volition").mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "volition" / "trusted.json"


DAMAGED = [
    '{"folders": "/"}',
    '{"folders": [3]}',
    "[]",
    "[" * 100_000,
    "",
    '{"folders": ["p"]}',
    '{"folders": ["FOLDER", 3]}',
]
DAMAGED += [
    '{"folders": ["FOLDER", "/a\\u0000b"]}',
    '{"folders": ["FOLDER", "/a\\ud800b"]}',
    '{"folders": ["FOLDER/q/.."]}',
]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_list_trusts_no_folder_and_is_not_overwritten(
    volition: Volition, tmp_path: Path, trusted_list: Path, content: str
) -> None:
    folder = project(tmp_path / "p")
    text = content.replace("FOLDER", str(folder))
    trusted_list.write_text(text)
    trusted_list.chmod(0o600)
    assert "LNG020" in volition("check", folder).err
    for arguments in (["--list"], [folder], [folder, "--forget"]):
        ended = volition("trust", *arguments)
        assert ended.exit_code == 2
        assert "CLI016" in ended.err
    assert trusted_list.read_text() == text


@pytest.mark.parametrize("kind", ["group can write", "others can write", "pipe", "folder"])
def test_a_list_that_others_can_change_or_that_is_not_a_file_trusts_no_folder(
    volition: Volition, tmp_path: Path, trusted_list: Path, kind: str
) -> None:
    folder = project(tmp_path / "p")
    if kind == "pipe":
        os.mkfifo(trusted_list)
    elif kind == "folder":
        trusted_list.mkdir()
    else:
        assert volition("trust", folder).exit_code == 0
        assert volition("check", folder).exit_code == 0
        (folder / "mark").unlink()
        trusted_list.chmod(0o620 if kind == "group can write" else 0o602)
    assert "LNG020" in volition("check", folder).err
    assert not (folder / "mark").exists()
    assert "CLI016" in volition("trust", "--list").err
    assert volition("check", folder, "--trust").exit_code == 0


def test_a_list_of_another_user_trusts_no_folder(
    volition: Volition, tmp_path: Path, trusted_list: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project(tmp_path / "p")
    assert volition("trust", folder).exit_code == 0
    owner = trusted_list.stat().st_uid
    if owner == 0:
        os.chown(trusted_list, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert "LNG020" in volition("check", folder).err
    assert "CLI016" in volition("trust", "--list").err


def test_only_the_owner_can_change_the_list(
    volition: Volition, tmp_path: Path, trusted_list: Path
) -> None:
    before = os.umask(0)
    try:
        assert volition("trust", tmp_path).exit_code == 0
    finally:
        os.umask(before)
    assert trusted_list.stat().st_mode & 0o777 == 0o600
    assert volition("trust", "--list", "--json").document["trusted"] == [str(tmp_path)]


def test_a_trusted_folder_that_becomes_a_link_does_not_make_its_target_trusted(
    volition: Volition, tmp_path: Path, trusted_list: Path
) -> None:
    good, evil, other = (
        project(tmp_path / "good"),
        project(tmp_path / "evil"),
        project(tmp_path / "other"),
    )
    assert volition("trust", good).exit_code == 0
    good.rename(tmp_path / "moved")
    good.symlink_to(evil)
    assert "LNG020" in volition("check", good).err
    assert volition("trust", other).exit_code == 0, "the list is written again"
    assert str(evil) not in trusted_list.read_text()
    assert "LNG020" in volition("check", evil).err
    assert volition("trust", good, "--forget").exit_code == 0, "by the name that it was trusted by"
    assert volition("trust", "--list", "--json").document["trusted"] == [str(other)]


def test_a_trusted_folder_may_change_but_code_that_a_link_brings_in_from_elsewhere_is_not_trusted(
    volition: Volition, tmp_path: Path, trusted_list: Path
) -> None:
    folder, evil = project(tmp_path / "p"), project(tmp_path / "evil")
    assert volition("trust", folder).exit_code == 0
    (folder / "house.py").write_text((folder / "house.py").read_text() + "\n# edited\n")
    assert volition("check", folder).exit_code == 0
    (folder / "house.py").unlink()
    (folder / "house.py").symlink_to(evil / "house.py")
    assert "LNG020" in volition("check", folder).err
    assert not (evil / "mark").exists()
    assert trusted_list.exists()


def test_what_code_prints_is_no_part_of_the_answer(volition: Volition, tmp_path: Path) -> None:
    folder = project(tmp_path / "p", module="print('hello')", percepts="print('hello')")
    assert volition("check", folder, "--trust", "--json").document["as_expected"] is True


def test_an_error_that_cannot_even_be_told(volition: Volition, tmp_path: Path) -> None:
    module = "class Bad(Exception):\n    def __str__(self): raise self\n    __repr__ = __str__"
    ended = volition(
        "check", project(tmp_path / "p", module=module, percepts="raise Bad"), "--trust"
    )
    assert ended.exit_code == 2
    assert "House.percepts fails: Bad" in ended.err
