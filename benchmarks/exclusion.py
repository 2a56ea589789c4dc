"""Mutual exclusion with three robots and a keeper (``examples/agentspeak/mutual_exclusion``):
explore the whole state space, without reduction.

Run with ``python -m benchmarks.exclusion [MAX_GIGABYTES]``. ``python -m benchmarks.reduction``
checks its properties with reduction.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.growth import Growth, told
from benchmarks.reduction import three_robots
from volition.kernel import Limits, explore

__all__ = ["main"]

STATES_PER_LINE = 5_000_000


def main(max_gigabytes: int = 16) -> None:
    """Print a line for every five million states, then the total number of states."""
    with tempfile.TemporaryDirectory() as folder:
        system = three_robots(Path(folder)).model().system
        print(
            told(
                explore(
                    system,
                    limits=Limits(bytes=max_gigabytes * 10**9),
                    progress=Growth(STATES_PER_LINE),
                )
            )
        )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
