"""Every command that reads a program, on small programs: what must be true of all of them is tested
with these."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import EXAMPLES, VACUUM

__all__ = ["COMMANDS_AT_WORK", "RESCUE"]

RESCUE = EXAMPLES / "can" / "rescue.can"
SUCCESS = "Pmax=? [ F Bel(rescued) ]"
CHEAPLY = 'R{"cost"}min=? [ F Bel(rescued) ]'

COMMANDS_AT_WORK: dict[str, list[str | Path]] = {
    "check": ["check", EXAMPLES / "can" / "vacuum.can", "-p", "A [ F empty ]", "--trace", "full"],
    "check numbers": ["check", RESCUE, "-p", SUCCESS, "--strategy", "--trace", "full"],
    "strategy": ["strategy", RESCUE, "-p", SUCCESS],
    "simulate": [
        "simulate",
        RESCUE,
        "-p",
        SUCCESS,
        "--error",
        "0.1",
        "--num-schedulers",
        "8",
        "--jobs",
        "1",
    ],
    "run": ["run", EXAMPLES / "lisa" / "pipeline_drone", "--cycles", "20"],
    "sweep": [
        "sweep",
        EXAMPLES / "can" / "vacuum.can",
        "--vary",
        "charge=1,2",
        "-p",
        "Pmax=? [ F tidied ]",
        "--jobs",
        "1",
    ],
    "pareto": ["pareto", RESCUE, "-p", SUCCESS, "-p", CHEAPLY],
    "mission": ["mission", RESCUE, "-p", SUCCESS],
    "explore": ["explore", VACUUM, "--coverage", "--stats"],
    "show": ["show", VACUUM],
    "test": ["test", VACUUM],
    "slice": ["slice", EXAMPLES / "gwendolen" / "cruise_control", "--explain"],
    "export": ["export", VACUUM, "--to", "dot"],
    "completion": ["completion", "bash"],
}
"""Each of them ends with exit code 0."""
