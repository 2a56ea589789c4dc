"""A LISA agent and its skills in two processes: in lock-step, and when the other one dies."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import volition
from tests.runtime.bridge.test_bridges import free_address
from volition import InputError

pytest.importorskip("zenoh")

PROGRAM = """
INITIAL BELIEFS AND GOALS
Start.
INITIAL ACTIONS
PERCEPTION PROCESS
Monitor the following booleans:
//Percepts
It is dark. {[],[0.1,1,0],[0.1,1,0]}
Porter is alone. {[],[0.01,1,0],[0.01,1,0]}
//Action feedbacks
Door is open.
REASONING
EXECUTABLE PLANS
//Plan 1
If ^[Start] while true then
  -^[Start]
  [Open door.]
  +^[Inside].
"""
ACTION = """
procedure name:: open door
senglish sentences:: Open door.
process, repeat mode:: control, runOnce
input classes and local names::
output classes and local names::
performance feedback:: Door is open[1,3,2]
"""


@pytest.fixture
def address() -> str:
    return free_address()


@pytest.fixture
def project(tmp_path: Path, address: str) -> Path:
    folder = tmp_path / "porter"
    (folder / "actions").mkdir(parents=True)
    (folder / "porter.sej").write_text(PROGRAM)
    (folder / "actions" / "open_door.sep").write_text(textwrap.dedent(ACTION).lstrip())
    run = [
        "world = bridge",
        f"bridge = {address}",
        "partner = door",
        "end = Inside",
        "lost door = Porter is alone",
        "cycles = 300",
    ]
    (folder / "porter.run").write_text("\n".join(run) + "\n")
    return folder


@contextmanager
def door(address: str, mood: str) -> Iterator[subprocess.Popen[bytes]]:
    """The other process, which is started before the run and tries until the run listens."""
    script = f"""
        import runpy, sys, time
        from volition import InputError
        sys.argv = ["door", {address!r}, {mood!r}]
        for _ in range(50):
            try:
                runpy.run_module("tests.runtime.bridge.door", run_name="__main__")
                break
            except InputError:
                time.sleep(0.2)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=Path(__file__).parents[3],
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def lines(record: Path, kind: str) -> list[dict[str, Any]]:
    return [
        line
        for text in record.read_text().splitlines()
        if (line := json.loads(text)).get("kind") == kind
    ]


def test_two_processes_in_lock_step(project: Path, address: str, tmp_path: Path) -> None:
    with door(address, "works") as process:
        ran = volition.run(project, record=tmp_path / "run.jsonl")
        assert process.wait(20) == 0, "the end of the run ends the skills"
    assert ran.reason == "Inside"
    came = [
        (line["cycle"], each["feedback"])
        for line in lines(tmp_path / "run.jsonl", "cycle")
        for each in line["inbox"]["feedbacks"]
    ]
    assert [name for _, name in came] == ["door_is_open"]
    dark = [
        line["cycle"]
        for line in lines(tmp_path / "run.jsonl", "cycle")
        if line["inbox"]["percepts"].get("it_is_dark")
    ]
    assert dark[0] == 4, "what is seen at 3 s, in the tick of cycle 3, is believed in the next one"


@pytest.mark.parametrize("mood", ["dies", pytest.param("hangs", marks=pytest.mark.soak)])
def test_a_lost_process_is_a_percept(
    project: Path, address: str, tmp_path: Path, mood: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("volition.runtime.worlds.peers.TICK_TIMEOUT", 1.0)
    with door(address, mood):
        ran = volition.run(project, record=tmp_path / "run.jsonl", cycles=40)
    assert ran.reason == "cycles"
    assert "door" in {line["name"] for line in lines(tmp_path / "run.jsonl", "lost")}
    alone = [
        line["inbox"]["percepts"].get("porter_is_alone")
        for line in lines(tmp_path / "run.jsonl", "cycle")
    ]
    assert True in alone


def test_somebody_who_does_not_come(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volition.runtime.worlds.peers.JOIN_TIMEOUT", 0.2)
    with pytest.raises(InputError, match="the process 'door' did not connect"):
        volition.run(project)
