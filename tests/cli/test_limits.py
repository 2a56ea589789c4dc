"""Limits on time, memory and states: every command that computes numbers ends with exit code 3, and
says which limit it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import CHEAPLY, RESCUE, SUCCESS
from tests.cli.conftest import EXAMPLES, Volition

VARIED = EXAMPLES / "can" / "vacuum.can"
COMPUTING: dict[str, list[str | Path]] = {
    "check": ["check", RESCUE, "-p", SUCCESS],
    "sweep": [
        "sweep",
        VARIED,
        "--vary",
        "charge=1,2",
        "-p",
        "Pmax=? [ F tidied ]",
        "--jobs",
        "1",
    ],
    "sweep on two cores": [
        "sweep",
        VARIED,
        "--vary",
        "charge=1,2",
        "-p",
        "Pmax=? [ F tidied ]",
        "--jobs",
        "2",
    ],
    "strategy": ["strategy", RESCUE, "-p", SUCCESS],
    "pareto": ["pareto", RESCUE, "-p", SUCCESS, "-p", CHEAPLY],
    "mission": ["mission", RESCUE, "-p", SUCCESS],
}
SIMULATION: list[str | Path] = ["simulate", RESCUE, "-p", SUCCESS, "--error", "0.00001"]


@pytest.mark.parametrize("command", COMPUTING)
@pytest.mark.parametrize(
    ("limit", "value", "said"),
    [("--max-memory", "1k", "1 KiB of memory"), ("--max-states", "3", "3 states")],
)
def test_a_space_that_is_too_large_gives_no_answer(
    volition: Volition, command: str, limit: str, value: str, said: str
) -> None:
    ended = volition(*COMPUTING[command], limit, value)
    assert ended.exit_code == 3, ended.out + ended.err
    assert f"stopped at the limit of {said}" in " ".join((ended.out + ended.err).split())


@pytest.mark.parametrize("command", COMPUTING)
def test_a_time_limit_that_is_over_gives_no_answer(volition: Volition, command: str) -> None:
    ended = volition(*COMPUTING[command], "--timeout", "0.000001")
    assert ended.exit_code == 3, ended.out + ended.err
    assert any(words in ended.out + ended.err for words in ("stopped after", "time limit"))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_simulation_ends_with_its_time_and_says_what_it_knows(
    volition: Volition, jobs: str
) -> None:
    ended = volition(*SIMULATION, "--jobs", jobs, "--timeout", "0.01")
    assert ended.exit_code == 3
    assert "less precise than requested: the time limit was reached" in ended.err
