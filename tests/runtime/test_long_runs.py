"""Runs that go on for long: memory stays as it is, other runs do not disturb them, and the clock of
the wall does not matter."""

from __future__ import annotations

import gc
import json
import re
import threading
import time
import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import volition
from tests.languages.lisa.projects import reasoning
from volition import InputError

ROOT = Path(__file__).parents[2]
COURIER = ROOT / "examples" / "can" / "courier.can"
DRONE = ROOT / "examples" / "lisa" / "pipeline_drone"

CAN = """// Initial belief bases
a
// External events
go
// Plan library
go : true <- goal(done, try, false).
try : true <- flip.
// Actions description
flip : true <- 0.5: <{a},{b}> + 0.5: <{b},{a}>
"""
DRIBBLE = """len_max: 6
beliefs: ~a & ~b
goals: b
actions:
  on : true => a
  off : true => ~a
goal rules:
  g1 = b -> on; off
"""
LOOP = "left.\n!go.\n+!go : left <- -left; !go.\n+!go : not left <- +left; !go.\n"

ENDLESS: dict[str, Mapping[str, str]] = {
    "CAN": {"a.can": CAN},
    "LISA": {
        "a.sej": reasoning(
            percepts="Seen. {[],[0.3,4,2],[0.6,2,0]}",
            plans="If ^[Seen] while true then\n+^[Noted].",
        )
    },
    "Jason": {"m.mas2j": "MAS m { agents: a; }", "a.asl": LOOP},
    "Dribble": {"a.dribble": DRIBBLE},
}
"""Programs that go round in circles; the first file is the one to load."""


EXAMPLES = {"AgentSpeak": "agentspeak/mutual_exclusion", "Gwendolen": "gwendolen/cruise_control"}
"""The same among the examples: there a goal that sets itself again makes an intention grow."""


def written(language: str, folder: Path) -> Path:
    if language in EXAMPLES:
        return ROOT / "examples" / EXAMPLES[language]
    files = ENDLESS[language]
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder / next(iter(files))


@pytest.mark.parametrize("cycles", [400, pytest.param(3_600, marks=pytest.mark.soak)])
@pytest.mark.parametrize("language", [*ENDLESS, *EXAMPLES])
def test_a_long_run_needs_no_more_memory_than_a_quarter_of_it(
    language: str, cycles: int, tmp_path: Path
) -> None:
    held: dict[float, int] = {}

    def watch(kind: str, fields: Mapping[str, Any]) -> None:
        if kind in ("step", "cycle") and fields["cycle"] in (cycles // 4, cycles - 1):
            gc.collect()
            held[fields["cycle"]] = tracemalloc.get_traced_memory()[0]

    program = volition.load(written(language, tmp_path))
    volition.run(program, cycles=cycles // 8)  # imports what it needs
    tracemalloc.start()
    try:
        ran = volition.run(program, cycles=cycles, watch=watch, record=tmp_path / "run.jsonl")
    finally:
        tracemalloc.stop()
    assert (ran.reason, ran.cycles, len(held)) == ("cycles", cycles, 2)
    assert held[cycles - 1] < held[cycles // 4] + 100_000


# --- two runs at once -----------------------------------------------------------------------------


def test_of_two_runs_with_one_record_the_second_is_refused(tmp_path: Path) -> None:
    """It begins while the first one runs, and after it has looked whether the record exists."""
    record = tmp_path / "run.jsonl"
    refused: list[object] = []

    def second(kind: str, fields: Mapping[str, Any]) -> None:  # noqa: ARG001
        if kind == "step" and not refused:
            with pytest.raises(InputError, match="REC006") as error:
                volition.run(COURIER, record=record, seed=2)
            refused.append(error)

    ran = volition.run(COURIER, record=record, seed=1, watch=second)
    alone = tmp_path / "alone.jsonl"
    assert refused
    assert volition.run(COURIER, record=alone, seed=1) == ran
    assert record.read_bytes() == alone.read_bytes(), "the first one is not disturbed"


def test_a_run_that_overwrites_a_record_that_is_being_written_leaves_both_whole(
    tmp_path: Path,
) -> None:
    record = tmp_path / "run.jsonl"
    begun: list[object] = []

    def second(kind: str, fields: Mapping[str, Any]) -> None:  # noqa: ARG001
        if kind == "cycle" and not begun:
            begun.append(volition.run(DRONE, record=record, seed=2, cycles=20, overwrite=True))

    volition.run(DRONE, record=record, seed=1, cycles=20, watch=second)
    alone = tmp_path / "alone.jsonl"
    volition.run(DRONE, record=alone, seed=2, cycles=20)
    assert begun
    assert record.read_bytes() == alone.read_bytes(), (
        "the file that was asked for last, without lines of the other run"
    )


def test_two_runs_of_one_program_at_once_are_as_each_of_them_alone(tmp_path: Path) -> None:
    program = volition.load(DRONE)
    runs = [
        threading.Thread(
            target=volition.run,
            args=(program,),
            kwargs={"seed": seed, "cycles": 50, "record": tmp_path / f"{seed}"},
        )
        for seed in (1, 2)
    ]
    for each in runs:
        each.start()
    for each in runs:
        each.join()
    for seed in (1, 2):
        volition.run(program, seed=seed, cycles=50, record=tmp_path / f"{seed} alone")
        assert (tmp_path / f"{seed}").read_bytes() == (tmp_path / f"{seed} alone").read_bytes()


def test_of_two_runs_on_one_address_the_second_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("zenoh")
    from tests.runtime.bridge.test_bridges import free_address
    from volition.runtime.bridge.zenoh import ZenohBridge

    (tmp_path / "courier.can").write_text(COURIER.read_text())
    address = free_address()
    (tmp_path / "courier.run").write_text(f"bridge = {address}\n")
    first = ZenohBridge("courier", listen=address)
    try:
        with pytest.raises(InputError, match=f"RUN102.*cannot listen on {address}"):
            volition.run(tmp_path / "courier.can", record=tmp_path / "run.jsonl")
    finally:
        first.close()
    assert not (tmp_path / "run.jsonl").exists()
    assert volition.run(tmp_path / "courier.can").totals


# --- clocks ---------------------------------------------------------------------------------------


def test_a_clock_that_jumps_does_not_change_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jumps = iter(range(10**9, -(10**9), -(10**8)))
    monkeypatch.setattr(time, "time", lambda: float(next(jumps, 0)))
    ran = volition.run(
        DRONE, cycles=5, real_time=True, cycle=0.01, record=tmp_path / "jumping.jsonl"
    )
    monkeypatch.undo()
    assert volition.run(DRONE, cycles=5, cycle=0.01, record=tmp_path / "still.jsonl") == ran
    lines = [
        (tmp_path / name).read_text().splitlines()[1:] for name in ("jumping.jsonl", "still.jsonl")
    ]
    assert [json.loads(each) for each in lines[0]] == [json.loads(each) for each in lines[1]]


def test_no_module_reads_the_clock_that_can_be_set() -> None:
    """Waiting, limits and durations are measured by clocks that only go forward."""
    settable = re.compile(
        r"\btime\.time(_ns)?\(|\bdatetime\.(utc)?now\(|\b(date|datetime)\.today\(|from time import "
        r".*\btime\b"
    )
    modules = list((ROOT / "src").rglob("*.py"))
    assert modules
    assert [path.name for path in modules if settable.search(path.read_text())] == []
