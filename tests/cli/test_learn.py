"""``volition learn``: numbers, files for ``--settings``, ranges, plots."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, MANUFACTURING, Volition
from tests.runtime.simulated import record_text
from volition import load

DRONE = EXAMPLES / "lisa" / "pipeline_drone"
BOTH = "Pmax=? [ F (PS1 & PS2) ]"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    program = load(MANUFACTURING)
    files = [folder / f"{seed}.jsonl" for seed in range(12)]
    for seed, file in enumerate(files):
        file.write_text(record_text(program, steps=60, seed=seed))
    return files


@pytest.fixture(scope="module")
def drone_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("runs") / "drone.jsonl"
    file.write_text(record_text(load(DRONE), steps=200, seed=1))
    return file


def test_parameters_and_outcomes(volition: Volition, runs: list[Path]) -> None:
    ended = volition("learn", *runs, MANUFACTURING)
    assert ended.exit_code == 0
    assert "Learned from 12 runs" in ended.words
    assert "Clopper-Pearson" in ended.words
    assert "smart_manufacturing.can:" in ended.words
    document = volition("learn", *runs, MANUFACTURING, "--json").document
    pe = next(each for each in document["parameters"] if each["name"] == "pe")
    assert pe["value"] == pe["events"] / pe["trials"]
    assert pe["lower"] < pe["value"] < pe["upper"]


def test_written_settings_are_read_by_other_commands_and_never_overwrite_unasked(
    volition: Volition, runs: list[Path], tmp_path: Path
) -> None:
    file = tmp_path / "learned.settings"
    assert volition("learn", *runs, MANUFACTURING, "--write", file).exit_code == 0
    document = volition("learn", *runs, MANUFACTURING, "--json").document
    pe = next(each["value"] for each in document["parameters"] if each["name"] == "pe")
    value = volition("check", MANUFACTURING, "--settings", file, "-p", BOTH, "--json").document[
        "properties"
    ][0]["value"]
    assert value == pytest.approx((1 - pe) ** 4)
    stronger = volition(
        "check", MANUFACTURING, "--settings", file, "--set", "pe=0.1", "-p", BOTH, "--json"
    ).document
    assert stronger["properties"][0]["value"] == pytest.approx(0.6561)
    ended = volition("learn", *runs, MANUFACTURING, "--write", file)
    assert ended.exit_code == 2
    assert "CLI003" in ended.err
    file.write_text("pe 0.1\n")
    ended = volition("show", MANUFACTURING, "--settings", file)
    assert ended.exit_code == 2
    assert "LNG023" in ended.err


def test_values_over_the_intervals(volition: Volition, runs: list[Path]) -> None:
    ended = volition("learn", *runs, MANUFACTURING, "-p", BOTH, "--jobs", "1")
    assert ended.exit_code == 0
    assert "falls with pe" in ended.words
    assert "robust:" in ended.words
    (found,) = volition(
        "learn", *runs, MANUFACTURING, "-p", BOTH, "--jobs", "1", "--json"
    ).document["ranges"]
    assert found["minimum"] <= found["value"] <= found["maximum"]
    assert found["robust"]["lower"] <= found["minimum"] + 1e-9


def test_timings_of_a_lisa_program(volition: Volition, drone_run: Path) -> None:
    document = volition("learn", drone_run, DRONE, "--timing", "every-cycle", "--json").document
    numbers = {each["name"]: each for each in document["parameters"]}
    assert numbers["wind_is_strong.activation.mu"]["value"] == 1
    assert document["waiting_times"]
    assert volition("learn", drone_run, DRONE, "--timing", "never").exit_code == 2


def test_a_plot_of_waiting_times(
    volition: Volition, drone_run: Path, runs: list[Path], tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "waits.svg"
    assert volition("learn", drone_run, DRONE, "--plot", picture).exit_code == 0
    assert picture.read_text().startswith("<?xml")
    ended = volition(
        "learn",
        *runs,
        MANUFACTURING,
        "--plot",
        tmp_path / "none.svg",
        "--write",
        tmp_path / "none.settings",
    )
    assert ended.exit_code == 2
    assert "LRN005" in ended.err
    assert list(tmp_path.iterdir()) == [picture], "a call that is refused writes nothing"
