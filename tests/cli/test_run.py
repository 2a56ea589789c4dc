"""``volition run``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, Volition
from tests.languages.lisa.projects import action, reasoning
from volition.runtime.record import read_record

DRONE, VESSEL, ROVER = (
    EXAMPLES / "lisa" / "pipeline_drone",
    EXAMPLES / "lisa" / "vessel_mdp",
    EXAMPLES / "can" / "rover.can",
)
REPAIRED = EXAMPLES / "lisa" / "vessel_repaired"


def test_a_run_is_told_while_it_goes_on(volition: Volition) -> None:
    ended = volition("run", VESSEL, "--seed", "7", "--until", "Mission complete")
    assert ended.exit_code == 0
    lines = ended.out.splitlines()
    assert lines[0] == "     0  plan 1 starts: [Generate set of waypoints.]"
    assert "+ Waypoints generated; plan 1: [Activate drive mode.]" in lines[1]
    assert lines[-1].startswith("ended after")
    assert lines[-1].endswith("cycles: Mission complete")


def test_a_belief_ends_a_run_of_a_jason_project(volition: Volition) -> None:
    courier, done = EXAMPLES / "jason" / "courier", "Bel(courier, left_with(smith, miller))"
    ended = volition("run", courier, "--seed", "1", "--until", done)
    assert (ended.exit_code, ended.out.splitlines()[-1]) == (0, f"ended after 10 steps: {done}")
    assert "RUN010" in volition("run", courier, "--until", "Does(courier, ring(smith))").err


def test_quiet(volition: Volition) -> None:
    assert (
        volition("run", ROVER, "--steps", "3", "--quiet").out
        == "ended after 3 steps: limit reached\n"
    )


def test_json(volition: Volition) -> None:
    document = volition("run", DRONE, "--cycles", "20", "--json").document
    assert (document["reason"], document["cycles"], document["t"], document["totals"]["cycle"]) == (
        "cycles",
        20,
        20.0,
        20,
    )


def test_a_record_is_not_overwritten_unless_asked(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    assert volition("run", DRONE, "--cycles", "5", "--record", file).exit_code == 0
    before = file.read_bytes()
    ended = volition("run", DRONE, "--cycles", "6", "--record", file)
    assert (ended.exit_code, file.read_bytes()) == (2, before)
    assert "CLI003" in ended.err
    assert volition("run", DRONE, "--cycles", "6", "--record", file, "--force").exit_code == 0
    assert len(list(read_record(file).of_kind("cycle"))) == 6


@pytest.mark.parametrize(
    ("language", "program"),
    [
        ("CAN", "can/rover.can"),
        ("Dribble", "dribble/vacuum.dribble"),
        ("LISA", "lisa/pipeline_drone"),
        ("AgentSpeak(F)", "agentspeak/factory"),
        ("Gwendolen", "gwendolen/rescue"),
        ("EASS", "gwendolen/satellite"),
    ],
)
def test_a_run_of_each_language_is_one_of_its_model(
    volition: Volition, tmp_path: Path, language: str, program: str
) -> None:
    file = tmp_path / "run.jsonl"
    assert (
        volition(
            "run", EXAMPLES / program, "--seed", "3", "--steps", "60", "--record", file
        ).exit_code
        == 0
    )
    record = read_record(file)
    ended = volition("conform", file, EXAMPLES / program, "--json")
    (found,) = ended.document["records"]
    assert (record.header.language, ended.exit_code, found["conforms"]) == (language, 0, True)
    assert found["logic"]["followed"] == found["steps"] >= 7


def test_a_program_whose_run_file_names_its_world_needs_no_options(
    volition: Volition, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    assert volition("run", REPAIRED, "--cycles", "30", "--record", file).exit_code == 0
    record = read_record(file)
    (world,) = record.of_kind("world")
    assert (record.header.world, world["mission"]["sensor"]["dropout_every"]) == ("vessel", 200)
    assert (
        volition(
            "run", REPAIRED, "--world", "simulated", "--cycles", "30", "--record", file, "--force"
        ).exit_code
        == 0
    )
    assert read_record(file).header.world == "simulated"


def test_another_mission(volition: Volition, tmp_path: Path) -> None:
    (tmp_path / "near.toml").write_text("[voyage]\nstart = [-110, 20]\n\n[end]\ncycles = 12\n")
    ended = volition(
        "run", VESSEL, "--mission", tmp_path / "near.toml", "--record", tmp_path / "run.jsonl"
    )
    assert (ended.exit_code, ended.out.splitlines()[-1]) == (
        0,
        "ended after 12 cycles: limit reached",
    )
    assert "  voyage: " in ended.out.splitlines()[-2]
    (world,) = read_record(tmp_path / "run.jsonl").of_kind("world")
    assert world["mission"]["voyage"]["start"] == [-110, 20]


@pytest.mark.parametrize(
    ("options", "code"),
    [((), "LNG001"), (("--world", "simulated"), "RUN009"), (("--world", "vessel"), "LNG001")],
)
def test_a_mission_that_cannot_be_sailed(
    volition: Volition, tmp_path: Path, options: tuple[str, ...], code: str
) -> None:
    ended = volition("run", VESSEL, "--mission", tmp_path / "none.toml", *options)
    assert ended.exit_code == 2
    assert code in ended.err


def test_settings_change_the_run_and_are_in_its_record(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    volition(
        "run", DRONE, "--cycles", "3", "--set", "wind_is_strong.activation.p=0.75", "--record", file
    )
    header = read_record(file).header
    assert header.settings == {"wind_is_strong.activation.p": "0.75"}
    assert header.parameters["wind_is_strong.activation.p"] == "3/4"


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("world = mars", "RUN003", ":1:9"),
        ("\nwrld = simulated", "RUN002", ":2:1"),
        ("cycles = many", "RUN003", ":1:10"),
        ("cycle = 0", "RUN003", ":1:9"),
        ("just text", "RUN001", ":1:1"),
        ("cycles = 5\ncycles = 6", "LNG010", ":2:1"),
        ("[verify]", "RUN002", ":1:2"),
        ("[verification]\n\n[verification]", "RUN015", ":3:2"),
        ("failure = Landed", "RUN001", ":1:1"),
        ("failure Fly home = Landed", "RUN004", ":1:20"),
        ("failure Take off = Landed", "RUN004", ":1:20"),
        ("end = Mission acomplished", "", ""),
        ("world = python", "RUN013", ""),
        ("world = python\nskill Take off = skills.txt", "RUN006", ":2:18"),
        (
            "world = python\nlost Take off = Nobody home\nskill Take off = skills.py:X",
            "RUN004",
            ":2:17",
        ),
    ],
)
def test_mistakes_in_a_run_file(
    volition: Volition, tmp_path: Path, text: str, code: str, position: str
) -> None:
    main = reasoning(beliefs="Wanted.", plans="If ^[Wanted] while true then\n[Take off.].")
    (tmp_path / "drone.sej").write_text(main)
    (tmp_path / "take_off.sep").write_text(
        action("take off", "Airborne[1,1,0]", sentence="Take off.")
    )
    (tmp_path / "drone.run").write_text(text)
    ended = volition("run", tmp_path)
    assert ended.exit_code == 2
    assert f"error[{code}" in ended.err if code else "error[" in ended.err
    assert f"drone.run{position}" in ended.err or not position


def test_a_run_file_says_how_to_run_and_options_count_more(
    volition: Volition, tmp_path: Path
) -> None:
    (tmp_path / "drone.sej").write_text(
        reasoning(beliefs="Wanted.", plans="If ^[Wanted] while true then\n-^[Wanted]\n+^[Over].")
    )
    (tmp_path / "drone.run").write_text("cycles = 7 // a few\ncycle = 0.5\nend = Over\n")
    assert volition("run", tmp_path, "--json").document["reason"] == "Over"
    document = volition("run", tmp_path, "--json", "--until", "Wanted", "--cycles", "2").document
    assert (document["reason"], document["t"]) == ("Wanted", 0.5)


@pytest.mark.skipif(
    not hasattr(signal, "SIGINT") or os.name != "posix", reason="signals as POSIX has them"
)
@pytest.mark.parametrize(
    "options", [["--cycles", "100000000"], ["--cycles", "1000", "--real-time"]]
)
def test_ctrl_c_leaves_a_whole_record(tmp_path: Path, options: list[str]) -> None:
    file = tmp_path / "run.jsonl"
    command = [
        sys.executable,
        "-m",
        "volition",
        "run",
        str(DRONE),
        "--quiet",
        "--record",
        str(file),
        *options,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not file.exists() or file.stat().st_size < 3000:
        assert process.poll() is None
        time.sleep(0.02)
        if "--real-time" in options and file.exists() and file.stat().st_size > 1000:
            break
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, b"interrupted" in out) == (3, True)
    record = read_record(file)
    assert not record.warnings
    assert json.loads(file.read_text().splitlines()[-1])["reason"] == "interrupted"
