"""Modules that a command uses, in the order in which they are first entered.

For some commands, ``python -m benchmarks.module_paths`` prints each module with the number of calls
that enter it from another module. It also prints the total number of such calls, and the pairs of
modules that call each other in both directions. Imports do not count. This file uses only the names
of commands, so that you can measure other versions as well::

    PYTHONPATH=.../other/src .../other/.venv/bin/python benchmarks/module_paths.py
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"

COMMANDS: dict[str, list[str]] = {
    "check, CAN": ["check", str(EXAMPLES / "can" / "smart_manufacturing.can")],
    "check, an LTL violation, AgentSpeak": [
        *(
            "check",
            str(EXAMPLES / "agentspeak" / "auction"),
            "--set",
            "auctions=2",
            "-p",
            "A [ G F announced = 1 ]",
        ),
    ],
    "strategy": [
        "strategy",
        str(EXAMPLES / "can" / "smart_manufacturing.can"),
        "-p",
        "Pmax=? [ F (PS1 & PS2) ]",
    ],
    "sweep": [
        *(
            "sweep",
            str(EXAMPLES / "can" / "vacuum.can"),
            "--vary",
            "charge=1,2",
            "-p",
            "Pmax=? [ F tidied ]",
            "--jobs",
            "1",
        ),
    ],
}


class Road:
    """Profile function that counts the calls between modules of the package."""

    def __init__(self) -> None:
        self.entered: Counter[str] = Counter()
        self.calls: Counter[tuple[str, str]] = Counter()

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Count one call between two modules."""
        name = frame.f_globals.get("__name__", "")
        if event != "call" or not name.startswith("volition") or frame.f_code.co_name == "<module>":
            return
        caller = _caller(frame)
        if caller != name:
            self.entered[name] += 1
            self.calls[caller, name] += 1

    def back_and_forth(self) -> list[tuple[str, str]]:
        """Return the pairs of modules that call each other in both directions."""
        return sorted(pair for pair in self.calls if pair[0] < pair[1] and pair[::-1] in self.calls)


def _caller(frame: FrameType) -> str:
    """Return the nearest calling module of the package, skipping the frames of libraries."""
    outer = frame.f_back
    while outer is not None:
        name: str = outer.f_globals.get("__name__", "")
        if name.startswith("volition"):
            return name
        outer = outer.f_back
    return ""


def measured(arguments: list[str]) -> Road:
    """Return the calls between modules of one command."""
    main = import_module("volition.cli.program").main
    road = Road()
    written = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with (
        contextlib.redirect_stdout(written),
        contextlib.redirect_stderr(written),
        contextlib.suppress(SystemExit),
    ):
        sys.setprofile(road)
        try:
            main(arguments)
        finally:
            sys.setprofile(None)
    return road


def main() -> None:
    """Print the modules and calls of each command."""
    for title, arguments in COMMANDS.items():
        road = measured(arguments)
        pairs = road.back_and_forth()
        print(
            f"## {title}: {len(road.entered)} modules, {sum(road.calls.values()):,} calls from one "
            f"to another, {len(pairs)} pairs both ways"
        )
        for name, times in road.entered.items():
            print(f"   {name.removeprefix('volition.'):<45} {times:>8,}")
        for one, other in pairs:
            print(
                f"   to and fro: {one.removeprefix('volition.')} <-> "
                f"{other.removeprefix('volition.')}"
            )
        print()


if __name__ == "__main__":
    main()
