"""Smart manufacturing with six products, up to a given number of states: states per second and
bytes per state as the space grows.

Run with ``python -m benchmarks.growth [MILLION_STATES] [PRODUCTS]``. A hundred million states need
5 GB.
"""

from __future__ import annotations

import resource
import sys

from benchmarks.manufacturing import manufacturing
from volition.diagnostics import Source
from volition.kernel import Limits, Progress, StateSpace, explore
from volition.languages.can import parse

__all__ = ["Growth", "main", "told"]

MILLION = 1_000_000
LINES = 10
MAX_BYTES = 20 * 10**9


class Growth:
    """Progress callback that prints a line each time another ``states`` states are found."""

    def __init__(self, states: int) -> None:
        self._share = self._next = states
        self._last = (0, 0.0)
        print(
            f"{'states':>13} {'explored':>13} {'transitions':>15} {'seconds':>9} {'states/s':>12} "
            f"{'bytes a state':>14} {'peak GB':>10}"
        )

    def __call__(self, now: Progress) -> None:
        if now.states < self._next:
            return
        states, seconds = self._last
        rate = (now.states - states) / (now.seconds - seconds)
        self._last = now.states, now.seconds
        self._next = now.states - now.states % self._share + self._share
        print(
            f"{now.states:>13,} {now.expanded:>13,} {now.transitions:>15,} {now.seconds:>9.1f} {rate:>12,.0f} "  # noqa: E501
            f"{now.bytes / now.states:>14.1f} {_peak() / 10**9:>10.2f}",
            flush=True,
        )


def _peak() -> int:
    """Return the peak memory of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


def told(space: StateSpace) -> str:
    """Return a line with the cost of an exploration and the reason why it ended."""
    stats = space.stats
    seconds = stats.seconds["exploration"]
    how = "complete" if space.stopped is None else space.stopped.text
    return (
        f"{stats.states:,} states, {stats.transitions:,} transitions, {stats.python_calls:,} Python calls, {seconds:.1f} s, "  # noqa: E501
        f"{stats.states / seconds:,.0f} states/s, {stats.total_bytes / stats.states:.1f} bytes a state, "  # noqa: E501
        f"{_peak() / 10**9:.2f} GB at the peak: {how}"
    )


def main(millions: int = 10, products: int = 6) -> None:
    """Print a line for each tenth of the states."""
    states = millions * MILLION
    system = (
        parse(Source("manufacturing", manufacturing(products)), "manufacturing", {}).model().system
    )
    print(
        told(
            explore(
                system,
                limits=Limits(states=states, bytes=MAX_BYTES),
                progress=Growth(states // LINES),
            )
        )
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
