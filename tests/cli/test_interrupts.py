"""How commands end that are ended: by time, by Ctrl-C, by SIGTERM, by a full disk.  Real processes,
real signals."""

from __future__ import annotations

import csv
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, MANUFACTURING, VACUUM, Volition
from volition.analysis.figures import save_picture
from volition.diagnostics import InputError

CONTRACT = EXAMPLES / "agentspeak" / "contract_net"
FORMULA = "Pmax=? [ F (PS1 & PS2) ]"
POINTS = ("--vary", "pc=0:1:0.025", "--vary", "pe=0:1:0.025", "-p", FORMULA)


def started(
    *arguments: str | Path, folder: Path, path: Path | None = None
) -> subprocess.Popen[str]:
    environment = os.environ | {
        "TMPDIR": str(folder),
        "PATH": f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"],
    }
    command = [sys.executable, "-m", "volition", *(str(each) for each in arguments)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def wait_for(what: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children(process: int) -> list[int]:
    try:
        listed = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    direct = [int(each) for each in listed.split()]
    return direct + [below for each in direct for below in children(each)]


# --- time -----------------------------------------------------------------------------------------


def test_a_time_limit_is_for_the_whole_sweep(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "values.csv"
    ended = volition(
        "sweep", MANUFACTURING, *POINTS, "--timeout", "3", "--jobs", "1", "--csv", file
    )
    assert ended.exit_code == 3
    assert "the time limit was reached" in ended.err
    rows = list(csv.reader(file.open()))
    assert len(rows) == 1 + 41 * 41
    assert not all(row[-1] for row in rows[1:]), "what was not answered in time has no value"


# --- signals --------------------------------------------------------------------------------------


def test_control_c_keeps_the_finished_rows_of_a_sweep(tmp_path: Path) -> None:
    file = tmp_path / "values.csv"
    process = started(
        "sweep", MANUFACTURING, *POINTS, "--jobs", "1", "--csv", file, folder=tmp_path
    )
    wait_for(lambda: children(process.pid))  # Storm was asked
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode in (3, 130), err
    assert "Traceback" not in err
    if process.returncode == 3:
        assert "Ctrl-C" in err
        assert any(row[-1] for row in list(csv.reader(file.open()))[1:])
        file.unlink()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_sigterm_leaves_no_process_and_no_file(tmp_path: Path) -> None:
    """A compiler that starts another program and waits for it, as compilers do."""
    tools, folder = tmp_path / "tools", tmp_path / "temporary"
    for each in (tools, folder):
        each.mkdir()
    for name in ("spin", "cc"):
        (tools / name).write_text("#!/bin/sh\nsleep 1000 & \nwait\n")
        (tools / name).chmod(0o755)
    process = started(
        "check", CONTRACT, "--engine", "spin", "-p", "A [ F false ]", folder=folder, path=tools
    )
    with process:
        wait_for(lambda: len(children(process.pid)) >= 2 or process.poll() is not None)
        below = children(process.pid)
        assert len(below) >= 2, process.communicate()
        process.terminate()
        _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGTERM
    assert "Traceback" not in err
    wait_for(lambda: not any(map(is_running, below)), 5)
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_sweep_that_is_ended_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    process = started("sweep", MANUFACTURING, *POINTS, "--jobs", "2", folder=tmp_path)
    with process:
        wait_for(lambda: len(children(process.pid)) >= 3)  # Storm, and two that compute
        below = children(process.pid)
        process.send_signal(number)
        process.communicate(timeout=30)
    wait_for(lambda: not any(map(is_running, below)), 10)


# --- writing --------------------------------------------------------------------------------------


@pytest.fixture
def small_disk() -> object:
    """No file may grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("small_disk")
@pytest.mark.parametrize("existing", [False, True])
@pytest.mark.parametrize(
    "command",
    [
        ("check", VACUUM, "--write-trace"),
        ("export", VACUUM, "--to", "prism", "-o"),
        ("export", VACUUM, "--to", "dot", "-o"),
        ("export", VACUUM, "--to", "umb", "-o"),
    ],
    ids=lambda command: "-".join(map(str, command[2:])),
)
def test_a_failed_write_leaves_nothing_behind(
    volition: Volition, tmp_path: Path, command: tuple[str | Path, ...], existing: bool
) -> None:
    file = tmp_path / "out.pm"
    if existing:
        file.write_text("as it was")
    ended = volition(*command, file, "--force")
    assert ended.exit_code == 2
    assert "CLI004" in ended.err
    assert [each.name for each in tmp_path.iterdir()] == (["out.pm"] if existing else [])
    assert not existing or file.read_text() == "as it was"


@pytest.mark.usefixtures("small_disk")
def test_a_failed_picture_leaves_nothing_behind(tmp_path: Path) -> None:
    figure = pytest.importorskip("matplotlib.figure").Figure()
    with pytest.raises(InputError, match="cannot write"):
        save_picture(figure, tmp_path / "plot.svg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("small_disk")
def test_a_disk_too_small_for_an_engine_is_a_reason_not_to_know(volition: Volition) -> None:
    ended = volition("check", MANUFACTURING, "-p", FORMULA)
    assert ended.exit_code == 3
    assert "cannot send the model to Storm" in ended.words


def test_links_and_modes_stay(volition: Volition, tmp_path: Path) -> None:
    real, link = tmp_path / "real.dot", tmp_path / "link.dot"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real.name)
    assert volition("export", VACUUM, "--to", "dot", "-o", link, "--force").exit_code == 0
    assert link.is_symlink()
    assert real.read_text().startswith("digraph")
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.dot", "real.dot"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_devices_are_written_to_as_they_are(volition: Volition) -> None:
    ended = volition("export", VACUUM, "--to", "dot", "-o", "/dev/full", "--force")
    assert ended.exit_code == 2
    assert "No space left" in ended.err
    assert Path("/dev/full").is_char_device()
    assert volition("export", VACUUM, "--to", "dot", "-o", "/dev/null", "--force").exit_code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "command",
    [("show", VACUUM), ("explore", VACUUM, "--json"), ("--help",)],
    ids=lambda command: command[0],
)
def test_a_full_disk_behind_standard_output(command: tuple[str | Path, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        arguments = [sys.executable, "-m", "volition", *map(str, command)]
        ended = subprocess.run(
            arguments, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    assert "No space left" in ended.stderr
