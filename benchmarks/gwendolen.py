"""Auctions of Gwendolen agents with two to six bidders, with all orders of their turns: number of
states, speed, and number of Python calls.

The public model checker for this language needs 18 s for the 463 states of its own auction with two
bidders. This figure is from its authors, for another machine and another program. The last column
is the ratio of our states per second to theirs.

Run with ``python -m benchmarks.gwendolen``. To stop at fewer than six bidders, give their number:
``python -m benchmarks.gwendolen 4``.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import volition

__all__ = ["main"]

AUCTIONS = Path(__file__).parents[1] / "examples" / "gwendolen" / "auction"
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
THEIR_STATES_PER_SECOND = 463 / 18
MAX_SECONDS = 600


def _auction(name: str) -> volition.Program:
    return volition.load(AUCTIONS / f"{name}_bidders.gwendolen", {"scheduler": "action"})


def main() -> None:
    """Print one line for each number of bidders."""
    maximum = int(sys.argv[1]) if len(sys.argv) > 1 else max(NUMBERS.values())
    volition.explore(_auction("two"))  # import everything before the measurement
    before = None
    for name, bidders in NUMBERS.items():
        if bidders > maximum:
            break
        program = _auction(name)
        start = time.process_time()
        space = volition.explore(program, timeout=MAX_SECONDS)
        seconds = time.process_time() - start
        speed = space.num_states / seconds
        growth = (
            ""
            if before is None
            else f", {space.num_states / before:.1f} times those of one bidder fewer"
        )
        print(
            f"{bidders} bidders: {space.num_states:,} states{'' if space.complete else ' (stopped)'}{growth}, "  # noqa: E501
            f"{space.stats.python_calls:,} Python calls, {seconds:.2f} processor seconds, {speed:,.0f} states/s, "  # noqa: E501
            f"{speed / THEIR_STATES_PER_SECOND:,.0f} times the public tool's speed",
            flush=True,
        )
        before = space.num_states


if __name__ == "__main__":
    main()
