"""How commands end when something goes wrong that is not the user's doing: never with the exit code
of a violated property."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.cli.commands import COMMANDS_AT_WORK, RESCUE
from tests.cli.conftest import MANUFACTURING, VACUUM, Ended, Volition, reports
from tests.languages.lisa.projects import action, reasoning
from volition.cli import main
from volition.runtime.record import read_record

PACKAGE = str(Path(sys.modules["volition"].__file__ or "").parent)
at_work = pytest.mark.parametrize("command", COMMANDS_AT_WORK)


def run(arguments: list[str | Path], **options: Any) -> subprocess.CompletedProcess[bytes]:
    """The program in a process of its own."""
    command = [sys.executable, "-m", "volition", *map(str, arguments)]
    options = {
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "timeout": 120,
        "check": False,
        **options,
    }
    return subprocess.run(command, **options)


# --- mistakes of ours -----------------------------------------------------------------------------


def counted_calls(
    action: Callable[[], Ended], fail_at: int | None, error: BaseException
) -> tuple[Ended, int]:
    """Does something and counts the calls of our functions; the one with the number ``fail_at``
    raises the error instead."""
    calls = 0

    def watch(frame: FrameType, event: str, _: Any) -> None:
        nonlocal calls
        if (
            event == "call"
            and frame.f_code.co_filename.startswith(PACKAGE)
            and "/cli/program.py" not in frame.f_code.co_filename
        ):
            calls += 1
            if calls == fail_at:
                sys.setprofile(None)
                raise error

    sys.setprofile(watch)
    try:
        return action(), calls
    finally:
        sys.setprofile(None)


def fail_with_key(*_: Any, **__: Any) -> None:
    raise KeyError("_")


MISTAKES = [
    KeyError("_"),
    RecursionError("deep"),
    AssertionError(),
    EOFError(),
    SystemExit(1),
    SystemExit(0),
    click.Abort(),
    OSError(errno.EPERM, "no"),
    click.ClickException("no"),
    ImportError("none"),
    ValueError("\x1b[31mred"),
]


@at_work
def test_a_mistake_of_ours_anywhere_is_no_verdict(mistaken: Volition, command: str) -> None:
    """Whichever of our functions fails, in whichever way: the exit code says that there is no
    answer."""
    arguments = COMMANDS_AT_WORK[command]
    ended, calls = counted_calls(lambda: mistaken(*arguments), None, KeyError())
    assert ended.exit_code == 0, ended.err
    chance = random.Random(command)
    for index in sorted(chance.sample(range(1, calls), k=min(calls - 1, 3))):
        error = chance.choice(MISTAKES)
        ended, _ = counted_calls(lambda: mistaken(*arguments), index, error)
        assert ended.exit_code != 1, f"{error!r} in call {index}"
        assert "Traceback" not in ended.err
        assert "\x1b" not in ended.err


def test_what_is_told_about_a_mistake_of_ours(
    mistaken: Volition, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("volition.cli.show.program_table", fail_with_key)
    ended = mistaken("show", VACUUM)
    (file,) = reports()
    assert ended.exit_code == 70
    assert re.search(
        r"error\[CLI070\]: internal error, no answer: KeyError: '_'\n +help: .* the file "
        + str(file),
        ended.err,
    )
    report = file.read_text()
    assert f"volition show {VACUUM}" in report
    assert "Traceback" in report
    assert "numpy" in report
    assert file.stat().st_mode & 0o077 == 0
    assert not list(tmp_path.iterdir())


def test_a_mistake_of_ours_as_json(mistaken: Volition, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volition.cli.explore.explore", fail_with_key)
    ended = mistaken("explore", VACUUM, "--json")
    assert ended.exit_code == 70
    assert [each["code"] for each in ended.document["diagnostics"]] == ["CLI070"]


def test_a_report_that_can_be_written_nowhere(
    mistaken: Volition, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Then it is printed; not even the last resort of the system is the folder where the user
    stands."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/none")
    monkeypatch.setattr("tempfile.gettempdir", os.getcwd)
    monkeypatch.setattr("volition.cli.show.program_table", fail_with_key)
    ended = mistaken("show", VACUUM)
    assert ended.exit_code == 70
    assert "Traceback" in ended.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("error", [KeyError("_"), SystemExit(1), EOFError()], ids=repr)
def test_a_mistake_of_ours_in_another_process(
    mistaken: Volition, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr("volition.analysis.sweeps.sweep.compute", fail)
    arguments = ["--vary", "pc=0.1,0.2,0.3", "-p", "Pmax=? [ F PS1 ]", "--jobs", "2"]
    assert mistaken("sweep", MANUFACTURING, *arguments).exit_code == 70


def test_memory_that_runs_out_is_a_limit(
    mistaken: Volition, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("volition.cli.explore.explore", fail)
    ended = mistaken("explore", VACUUM)
    assert ended.exit_code == 3
    assert "out of memory" in ended.err


def test_a_library_that_cannot_be_imported_is_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise RuntimeError('broken')")
    ended = run(["--help"], env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert (ended.returncode, ended.stderr) == (
        70,
        b"volition cannot start: RuntimeError: broken\n",
    )


# --- streams --------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize(
    "arguments",
    [["check", VACUUM], ["show", RESCUE], ["test", VACUUM]],
    ids=lambda each: str(each[0]),
)
def test_a_terminal_that_knows_few_characters(
    encoding: str, arguments: list[str | Path], volition: Volition
) -> None:
    """The same words, with poorer signs."""
    poor = CliRunner(charset=encoding).invoke(main, list(map(str, arguments)))
    words = re.compile(r"[A-Za-z_]{3,}")
    assert poor.exit_code == 0, poor.stderr
    assert words.findall(poor.stdout) == words.findall(volition(*arguments).out)


def test_the_environment_of_a_terminal_that_knows_few_characters() -> None:
    ended = run(["test", VACUUM], env=os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.startswith(b"+ ")


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_json_on_a_terminal_that_knows_few_characters(encoding: str, tmp_path: Path) -> None:
    program = tmp_path / "é→\u0085.can"
    program.write_text(
        '// Events\ngo\n// Plans\ngo : true <- +b.\n// Properties\n"é → b": A [ F b ]\n'
    )
    ended = CliRunner(charset=encoding).invoke(main, ["check", str(program), "--json"])
    assert ended.exit_code == 0, ended.stderr
    assert json.loads(ended.stdout)["properties"][0]["name"] == "é → b"


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["explore", RESCUE, "--json"]])
def test_a_reader_that_goes_away(arguments: list[str | Path]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = run(arguments, stdout=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "arguments", [["--help"], ["explore", RESCUE], ["explore", RESCUE, "--json"]]
)
def test_a_full_disk_behind_the_output(arguments: list[str | Path]) -> None:
    with open("/dev/full", "w") as full:
        ended = run(arguments, stdout=full)
    assert ended.returncode == 2
    assert (
        ended.stderr.decode() == "error[CLI004]: cannot write the output: No space left on device\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [["check", "none.can"], ["none"], ["check", VACUUM]],
    ids=lambda each: " ".join(map(str, each[:2])),
)
def test_messages_that_nobody_can_be_told(arguments: list[str | Path]) -> None:
    """A full disk behind standard error, or behind both streams."""
    with open("/dev/full", "w") as full:
        assert run(arguments, stderr=full).returncode == 2
        assert run(arguments, stdout=full, stderr=full).returncode == 2


def closing(*streams: int) -> Callable[[], None]:
    def close() -> None:
        for each in streams:
            os.close(each)

    return close


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)], ids=str)
@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--version"], 0), (["explore", VACUUM], 0), (["check", "none.can"], 2)],
)
def test_streams_that_the_caller_has_closed(
    arguments: list[str | Path], code: int, closed: tuple[int, ...]
) -> None:
    """A command ends as always, unless its answer is lost."""
    assert run(arguments, preexec_fn=closing(*closed)).returncode == (2 if 1 in closed else code)


@at_work
def test_an_answer_that_cannot_be_written_is_no_success(command: str) -> None:
    ended = run(COMMANDS_AT_WORK[command], preexec_fn=closing(1))
    assert (ended.returncode, ended.stderr.count(b"cannot write the output")) == (2, 1)


def test_a_command_without_output_needs_no_stream_for_it(tmp_path: Path) -> None:
    arguments: list[str | Path] = [
        "export",
        VACUUM,
        "--to",
        "dot",
        "--output",
        tmp_path / "vacuum.dot",
    ]
    assert run(arguments, preexec_fn=closing(1)).returncode == 0
    assert (tmp_path / "vacuum.dot").exists()


# --- the code of a project ------------------------------------------------------------------------


def with_skill(folder: Path, body: str) -> list[str | Path]:
    """A command that runs a project whose only skill begins with these lines."""
    (folder / "agent.sej").write_text(
        reasoning(beliefs="Wanted.", plans="If ^[Wanted] while true then\n-^[Wanted]\n[Work.]")
    )
    (folder / "work.sep").write_text(action("work", "Done[1,2,1]", sentence="Work."))
    start = "\n".join(f"        {line}" for line in body.splitlines())
    (folder / "skills.py").write_text(
        "import os, threading\nfrom volition.runtime.skills import Skill\n\nclass Worker(Skill):\n "
        f"   def start(self, call):\n{start}\n"
    )
    (folder / "agent.run").write_text("world = python\nskill Work = skills.py:Worker\n")
    return ["run", folder, "--cycles", "5", "--trust", "--record", folder / "run.jsonl"]


@pytest.mark.parametrize(
    "ending",
    ["os._exit(0)", "import posix; posix._exit(0)", "os.execvp('true', ['true'])", "os.abort()"],
)
def test_a_skill_cannot_end_the_process(tmp_path: Path, ending: str) -> None:
    ended = run(with_skill(tmp_path, ending))
    assert b"ended after 5 cycles" in ended.stdout, "the skill is lost, and the run goes on"
    assert (ended.returncode, b"CLI012" in ended.stderr) == (2, True), (
        "but it does not count as a success"
    )


@pytest.mark.parametrize("code", [0, 2])
def test_threads_of_a_skill_end_with_the_run(tmp_path: Path, code: int) -> None:
    arguments = with_skill(tmp_path, "threading.Thread(target=threading.Event().wait).start()")
    if code == 2:
        arguments += ["--until", "1 +"]
    ended = run(arguments)
    assert ended.returncode == code
    assert (b"ended after 5 cycles" in ended.stdout) == (code == 0)


NEVER_ENDING = {
    "threads of a pool": "from concurrent.futures import "
    "ThreadPoolExecutor\nThreadPoolExecutor().submit(threading.Event().wait)",
    "a process": "import "
    "multiprocessing\nmultiprocessing.get_context('fork').Process(target=threading.Event().wait).start()",
}


@pytest.mark.parametrize("work", NEVER_ENDING)
def test_work_that_a_skill_leaves_behind_ends_with_the_run(tmp_path: Path, work: str) -> None:
    ended = run(with_skill(tmp_path, NEVER_ENDING[work]))
    assert (ended.returncode, b"ended after 5 cycles" in ended.stdout) == (0, True)


def test_a_full_disk_names_the_record(tmp_path: Path) -> None:
    """A limit on the size of files is a disk that is full; what was written before is a record."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, 3_000))

    record = tmp_path / "run.jsonl"
    ended = run(
        ["run", RESCUE, "--record", record, "--cycles", "500", "--quiet"], preexec_fn=limited
    )
    assert ended.returncode == 2
    assert (
        f"error[REC001]: cannot write the record '{record}': File too large"
        in ended.stderr.decode()
    )
    assert ended.stderr.count(b"error[") == 1
    assert len(read_record(record).lines) > 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_disk_that_is_full_from_the_start_names_the_record() -> None:
    ended = run(["run", RESCUE, "--record", "/dev/full", "--force", "--quiet"])
    assert ended.returncode == 2
    assert b"cannot write the record '/dev/full': No space left on device" in ended.stderr


def test_a_mistake_of_ours_that_nobody_reads(
    monkeypatch: pytest.MonkeyPatch, mistaken: Volition
) -> None:
    """Not even the report of it can be told; that is no verdict either."""
    monkeypatch.setattr("volition.cli.show.program_table", fail_with_key)
    monkeypatch.setattr("volition.cli.crash_report.render", fail_with_key)
    ended = mistaken("show", VACUUM)
    assert ended.exit_code == 70
    assert "KeyError" in ended.err


@pytest.mark.parametrize("columns", ["1", "7", "99999999", "none"])
def test_a_terminal_of_any_width(
    volition: Volition, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert volition("check", VACUUM).exit_code == 0
    assert volition("show", RESCUE).exit_code == 0


# --- folders --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--version"], 0),
        (["explore", VACUUM], 0),
        (["show", "x.can"], 2),
        (["test", "."], 2),
        (["trust"], 2),
    ],
    ids=lambda each: str(each[0]) if isinstance(each, list) else "",
)
def test_a_folder_that_was_removed_while_the_user_stands_in_it(
    tmp_path: Path, arguments: list[str | Path], code: int
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    ended = run(arguments, cwd=folder, preexec_fn=folder.rmdir)
    assert ended.returncode == code, ended.stderr
    assert b"Traceback" not in ended.stderr


@pytest.mark.parametrize("command", ["show", "check", "test", "trust"])
def test_a_link_to_itself(volition: Volition, tmp_path: Path, command: str) -> None:
    (tmp_path / "loop.can").symlink_to("loop.can")
    ended = volition(command, tmp_path / "loop.can")
    assert ended.exit_code == 2
    assert "loop.can" in ended.err


def test_a_picture_needs_neither_a_folder_nor_a_window(tmp_path: Path) -> None:
    folder, picture = tmp_path / "gone", tmp_path / "sweep.svg"
    folder.mkdir()
    arguments: list[str | Path] = [
        "sweep",
        MANUFACTURING,
        "--vary",
        "pc=0.1,0.2",
        "-p",
        "Pmax=? [ F PS1 ]",
        "--jobs",
        "1",
        "--plot",
        picture,
    ]
    ended = run(
        arguments, cwd=folder, preexec_fn=folder.rmdir, env=os.environ | {"MPLBACKEND": "none"}
    )
    assert ended.returncode == 0, ended.stderr
    assert picture.exists()
