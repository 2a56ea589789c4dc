"""The option ``--timeout`` covers reading: a text that takes too long to read is an error of each
command that has the option."""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import click
import pytest
from click.testing import CliRunner

import volition.languages.can
from volition.cli import main
from volition.languages.common import deadline
from volition.languages.common.deadline import alarm

EXTRA: Mapping[str, list[str]] = {
    "mission": ["-p", "true", "--cost", "c"],
    "pareto": ["-p", "Pmax=? [ F p ]", "-p", "Pmax=? [ F q ]"],
    "simulate": ["-p", "P=? [ F p ]"],
    "strategy": ["-p", "Pmax=? [ F p ]"],
    "sweep": ["-p", "P=? [ F p ]", "--vary", "x=0:1:0.5"],
    "export": ["--to", "dot"],
}
"""Options that a command does not do without."""


def commands_with_a_time_limit() -> list[str]:
    context = click.Context(main)
    found = {name: main.get_command(context, name) for name in main.list_commands(context)}
    return [
        name
        for name, each in found.items()
        if each is not None and any("--timeout" in option.opts for option in each.params)
    ]


def test_there_are_such_commands() -> None:
    assert {"check", "explore", "simulate"} <= set(commands_with_a_time_limit())


@pytest.mark.parametrize("command", commands_with_a_time_limit())
def test_reading_a_program_ends_with_the_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def read_without_end(path: Path, settings: Mapping[str, str]) -> NoReturn:  # noqa: ARG001
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(volition.languages.can, "load", read_without_end)
    monkeypatch.setattr(deadline, "MIN_READING_SECONDS", 0.05)
    (tmp_path / "endless.can").write_text("")
    (tmp_path / "run.jsonl").write_text("{}\n")
    runs = [str(tmp_path / "run.jsonl")] if command in ("conform", "learn") else []
    ended = CliRunner().invoke(
        main,
        [
            command,
            *runs,
            str(tmp_path / "endless.can"),
            "--timeout",
            "0.1",
            *EXTRA.get(command, []),
        ],
    )
    assert "LNG013" in ended.stderr
    assert ended.exit_code in (1, 2) if command == "test" else ended.exit_code == 2


def test_reading_properties_ends_with_the_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_without_end(*_: object) -> NoReturn:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr("volition.languages.common.properties._properties", read_without_end)
    monkeypatch.setattr(deadline, "MIN_READING_SECONDS", 0.05)
    (tmp_path / "asked.props").write_text("true\n")
    example = Path(__file__).parents[2] / "examples" / "dribble" / "vacuum.dribble"
    ended = CliRunner().invoke(
        main, ["check", str(example), "--props", str(tmp_path / "asked.props"), "--timeout", "5"]
    )
    assert (ended.exit_code, "LNG013" in ended.stderr) == (2, True)


def test_an_alarm_inside_another_one_leaves_it_ringing() -> None:
    rung: list[str] = []
    with alarm(0.05, 0, lambda *_: rung.append("outer")):
        with alarm(0.01, 0, lambda *_: rung.append("inner")):
            signal.sigtimedwait([], 0.03)
        while "outer" not in rung:
            signal.sigtimedwait([], 0.03)
    assert rung == ["inner", "outer"]
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
