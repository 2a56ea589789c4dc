"""Smart manufacturing with n products on one core and on all cores: check that the arrays are
identical, and measure the speedup.

Other programs on the machine affect the ratio of the wall-clock times. So the ratio of processor
times is printed as well: the time of the single thread, divided by the time of the busiest of
several threads. The busiest thread is the one that also numbers the states.

Run with ``python -m benchmarks.cores [PRODUCTS] [JOBS]``.
"""

from __future__ import annotations

import os
import sys
import time

import numpy as np

from benchmarks.manufacturing import manufacturing
from volition.diagnostics import Source
from volition.kernel import Limits, StateSpace, explore
from volition.languages.can import parse

__all__ = ["main"]

PRODUCTS = 5


def timed(products: int, jobs: int) -> tuple[StateSpace, float, float]:
    """Return the state space, the wall-clock seconds, and the processor seconds of the busiest
    thread."""
    system = (
        parse(Source("manufacturing", manufacturing(products)), "manufacturing", {}).model().system
    )
    start = time.perf_counter(), time.thread_time()
    space = explore(system, limits=Limits(jobs=jobs))
    return space, time.perf_counter() - start[0], time.thread_time() - start[1]


def same(one: StateSpace, other: StateSpace) -> bool:
    """Return whether two spaces number their states, choices and transitions identically."""
    rows = one.num_choices == other.num_choices and np.array_equal(one.targets, other.targets)
    rows = (
        rows
        and np.array_equal(one.choice_signatures, other.choice_signatures)
        and np.array_equal(one.signature_labels, other.signature_labels)
    )
    return rows and all(
        np.array_equal(one.column(slot)[0], other.column(slot)[0]) for slot in one.system.slots
    )


def main(products: int = PRODUCTS, jobs: int | None = None) -> None:
    """Print both times and their ratios; fail if the two state spaces differ."""
    jobs = jobs or os.cpu_count() or 1
    alone, seconds, processor = timed(products, 1)
    together, seconds_together, processor_together = timed(products, jobs)
    assert same(alone, together), "the threads found something else"
    per_state = alone.stats.total_bytes / alone.num_states
    print(
        f"{products} products: {alone.num_states:,} states, {alone.num_transitions:,} transitions, "
        f"{per_state:.1f} bytes a state in all"
    )
    print(f"  1 thread   {seconds:.2f} s, {processor:.2f} s of the processor")
    print(
        f"  {jobs} threads  {seconds_together:.2f} s, {processor_together:.2f} s of the processor "
        "in the busiest"
    )
    ratios = (
        f"{seconds / seconds_together:.2f} times faster, {processor / processor_together:.2f} "
        "by the processor's time"
    )
    print(f"  {ratios}; the arrays are identical")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
