"""Agents of every language against a world in another process, which speaks zenoh and knows nothing
of Volition."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import volition
from tests.runtime.bridge.test_bridges import free_address

pytest.importorskip("zenoh")

ROOT = Path(__file__).parents[3]


@contextmanager
def outside(address: str, run: str, world: str) -> Iterator[None]:
    command = [sys.executable, "-m", "tests.runtime.bridge.outside", address, run, world]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        yield
        assert process.wait(20) == 0, "the end of the run ends the other process"
    finally:
        process.kill()
        process.wait()


def copied(example: str, folder: Path, address: str) -> Path:
    """An example with a run file that connects it."""
    source = ROOT / "examples" / example
    program = folder / source.name
    shutil.copytree(source, program) if source.is_dir() else shutil.copy(source, program)
    head = Path(volition.load(program).sources[0].name)
    head.with_suffix(".run").write_text(
        f"world = bridge\nbridge = {address}\nrun = r\npartner = outside\n"
    )
    return program


@pytest.mark.parametrize(
    ("example", "world", "end", "actions"),
    [
        (
            "agentspeak/factory",
            "factory",
            "Bel(feeder, finished)",
            ["load(1)", "stamp(1)", "load(2)", "stamp(2)"],
        ),
        ("gwendolen/cruise_control", "car", None, ["perf(accelerate)"]),
        ("can/courier.can", "courier", "Bel(delivered)", ["shortcut", "road"]),
        ("dribble/vacuum.dribble", "vacuum", None, None),
    ],
)
def test_a_world_in_another_process(
    example: str, world: str, end: str | None, actions: list[str] | None, tmp_path: Path
) -> None:
    address = free_address()
    program = copied(example, tmp_path, address)
    record = tmp_path / "run.jsonl"
    with outside(address, "r", world):
        ran = volition.run(program, record=record, until=end, cycles=150, seed=2)
    lines: list[dict[str, Any]] = [json.loads(line) for line in record.read_text().splitlines()]
    executed = [
        line["action"]
        for line in lines
        if line.get("kind") == "step" and line["action"] is not None
    ]
    assert executed, "what was done outside is executed in the model"
    assert actions is None or set(executed) >= set(actions)
    assert end is None or ran.reason == end
    assert not [line for line in lines if line.get("kind") in ("surprise", "refused", "lost")]
    (found,) = volition.conform(record, program)
    assert found.conforms
    assert found.recorded == sum(line.get("kind") == "step" for line in lines)
