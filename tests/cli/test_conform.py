"""``volition conform``: exit codes, the first step that is not, JSON, several records, traces."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, MANUFACTURING, Volition
from tests.runtime.simulated import record_text
from volition import load

VESSEL = EXAMPLES / "lisa" / "vessel_mdp"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _recorded(tmp_path_factory.mktemp("runs") / "run.jsonl", MANUFACTURING)


def _recorded(path: Path, program: Path, **settings: object) -> Path:
    path.write_text(record_text(load(program, settings), steps=60, seed=5))
    return path


def test_a_run_of_the_model(volition: Volition, run: Path) -> None:
    ended = volition("conform", run, MANUFACTURING)
    assert ended.exit_code == 0
    assert "a run of the model" in ended.out
    assert "✓ logic" in ended.out
    assert "log-likelihood" in ended.out


def test_a_falsified_record_is_told_with_the_step_the_recorded_the_allowed_and_the_line(
    volition: Volition, run: Path, tmp_path: Path
) -> None:
    lines = run.read_text().splitlines()
    number = next(n for n, line in enumerate(lines) if '"act wrap' in line or "act wrap" in line)
    falsified = json.loads(lines[number])
    falsified["outcome"] = 1 - falsified["outcome"]
    other = tmp_path / "falsified.jsonl"
    other.write_text(
        "\n".join([*lines[:number], json.dumps(falsified), *lines[number + 1 :]]) + "\n"
    )
    ended = volition("conform", other, MANUFACTURING)
    assert ended.exit_code == 1
    assert f"step {number} (cycle {number - 1})" in ended.words
    assert "the model allows:" in ended.words
    assert "smart_manufacturing.can:" in ended.words
    document = volition("conform", other, MANUFACTURING, "--json").document["records"][0]
    assert not document["conforms"]
    assert document["deviations"][0]["step"] == number
    assert document["deviations"][0]["record_line"] == number + 1
    assert document["support"]["surprises"] == 1


def test_several_records_are_judged_together(volition: Volition, run: Path, tmp_path: Path) -> None:
    faster = _recorded(tmp_path / "faster.jsonl", VESSEL, **{"activate_drive_mode.mu": 2})
    as_written = _recorded(tmp_path / "as_written.jsonl", VESSEL)
    ended = volition("conform", faster, as_written, VESSEL)
    assert ended.exit_code == 1
    assert "1 of 2 runs are runs of the model" in ended.words
    assert "step 7 (cycle 3, beliefs half-step)" in ended.words
    assert "CNF003" in ended.err
    assert volition("conform", faster, VESSEL, "--set", "activate_drive_mode.mu=2").exit_code == 0
    assert volition("conform", run, VESSEL).exit_code == 2


def test_an_exploration_that_stops_leaves_it_open(volition: Volition, run: Path) -> None:
    assert volition("conform", run, MANUFACTURING, "--explore").exit_code == 0
    ended = volition("conform", run, MANUFACTURING, "--explore", "--max-states", "5")
    assert ended.exit_code == 3
    assert "unknown" in ended.out


def test_damaged_and_missing_records(volition: Volition, run: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text(run.read_text() + "{\n")
    ended = volition("conform", damaged, MANUFACTURING)
    assert ended.exit_code == 2
    assert "REC004" in ended.err
    assert volition("conform", tmp_path / "missing.jsonl", MANUFACTURING).exit_code == 2
    cut = tmp_path / "cut.jsonl"
    cut.write_text(run.read_text()[:-20])
    ended = volition("conform", cut, MANUFACTURING)
    assert ended.exit_code == 0
    assert "REC003" in ended.err


def test_a_record_is_a_trace(volition: Volition, run: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    assert volition("conform", run, MANUFACTURING, "--write-trace", trace).exit_code == 0
    assert volition("replay", trace, MANUFACTURING).exit_code == 0
    assert volition("replay", run, MANUFACTURING).exit_code == 0
    ended = volition("conform", run, MANUFACTURING, "--write-trace", trace)
    assert ended.exit_code == 2
    assert "CLI003" in ended.err
