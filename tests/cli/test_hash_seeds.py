"""Whatever people see is the same under every order in which Python keeps its sets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import EXAMPLES

PROGRAM = """
import re, sys, tempfile
from pathlib import Path
from click.testing import CliRunner
from volition.cli import main

for line in sys.stdin.read().splitlines():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "out"
        result = CliRunner().invoke(main, [each.replace("OUT", str(file)) for each in line.split("|")], catch_exceptions=False)
        written = file.read_text() if file.exists() else ""
        # Times differ, and the name of the folder.
        said = re.sub(r" *[0-9.]+ m?s\\b|\\"seconds\\": [-+.e0-9]+", "T", (result.output + written).replace(folder, ""))
        said = re.sub(r"(?<=[ ─])[ ─]+", "", said)  # and with them the widths of columns
        print(f"=== {line}: {result.exit_code}", said, sep="\\n")
"""  # noqa: E501
PUMPS, CONTRACT = (
    EXAMPLES / "dribble" / "pumping_station.dribble",
    EXAMPLES / "agentspeak" / "contract_net",
)
BREAKFAST, VESSEL = EXAMPLES / "can" / "breakfast.can", EXAMPLES / "lisa" / "vessel_dtmc"
COMMANDS = [
    *(f"show|{program}" for program in (PUMPS, CONTRACT, BREAKFAST, VESSEL)),
    f"check|{PUMPS}|--write-trace|OUT|--trace|full",
    f"check|{CONTRACT}|--write-trace|OUT|--json|-p|A [ F false ]",
    f"explore|{CONTRACT}|--coverage|--json",
    f"check|{BREAKFAST}|--write-trace|OUT|--trace|changes|--strategy|-p|A [ F false ]|-p|Pmax=? [ "
    "F served ]",
    f"strategy|{BREAKFAST}|-p|Pmax=? [ F served ]|--as|python",
    f"simulate|{BREAKFAST}|-p|Pmax=? [ F<=5 served ]|--error|0.1|--num-schedulers|16|--jobs|1"
    "|--json",
    f"export|{PUMPS}|--to|prism|-o|OUT",
    f"export|{CONTRACT}|--to|promela|-o|OUT",
    f"export|{VESSEL}|--to|prism|-o|OUT",
]


def said(seed: int) -> list[str]:
    environment = os.environ | {"PYTHONHASHSEED": str(seed), "COLUMNS": "150"}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        command,
        input="\n".join(COMMANDS),
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split("\n=== ")


def test_the_same_bytes_under_every_hash_seed() -> None:
    one, other = said(0), said(1)
    assert len(one) == len(COMMANDS)
    for here, there in zip(one, other, strict=True):
        assert "error[" not in here
        assert "Usage:" not in here
        assert here == there


WORLD = """
from dataclasses import dataclass
from fractions import Fraction
from volition.languages.world import WorldTransition, World

class Plain:
    pass

@dataclass(frozen=True)
class Box:
    things: frozenset

THING, LETTERS = Plain(), frozenset("abcdefgh")

class House(World):
    slots = {"world.set": LETTERS, "world.box": Box(LETTERS), "world.thing": THING, "world.several": ((1, LETTERS), THING)}

    def percepts(self, state, agent):
        return []

    def execute(self, state, agent, action):
        return [WorldTransition("clean", "cleans", ((Fraction(1), {"world.set": LETTERS - {"a"}, "world.box": Box(LETTERS - {"a"})}),))]
"""  # noqa: E501


def test_a_run_of_a_world_in_python_is_a_run_in_every_process(tmp_path: Path) -> None:
    """Its values may be sets and objects, of which Python tells the order and the address."""
    (tmp_path / "house.py").write_text(WORLD)
    (tmp_path / "a.asl").write_text("!go.\n+!go <- clean.")
    (tmp_path / "a.mas").write_text("agent a = a.asl\nworld = house.py:House\n")

    def run(seed: int, *arguments: str | Path) -> int:
        command = [sys.executable, "-m", "volition", *map(str, arguments), str(tmp_path), "--trust"]
        return subprocess.run(
            command,
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=False,
        ).returncode

    traces = [tmp_path / "0.json", tmp_path / "1.json"]
    for seed, trace in enumerate(traces):
        assert run(seed, "check", "--write-trace", trace, "-p", "A [ F false ]") == 1
    assert traces[0].read_text() == traces[1].read_text()
    assert run(2, "replay", traces[0]) == 0
