"""Cost of run-time verification: computing the values, looking them up, and a reasoning cycle of an
agent that selects plans by them.

Times are processor times, because other work on the machine does not affect them.

Run with ``python -m benchmarks.runtime``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

import volition
from volition.kernel import explore
from volition.languages.lisa.program import LisaProgram, load
from volition.logic.parsing.parser import parse
from volition.logic.syntax import Probability
from volition.runtime.verification.section import Query, VerificationSection
from volition.runtime.verification.tabulate import TableRequest, build_table

__all__ = ["main"]

EXAMPLES = Path(__file__).parents[1] / "examples" / "lisa"
QUERIES = {
    "crossing": "Pmax=? [ F (home = 1 & lost = 0 & battery_low = 0) ]",
    "vessel_mdp": "Pmax=? [ F<=100 mission_complete = 1 ]",
}
T = TypeVar("T")

LOOK_UPS = 200_000
MISSIONS = 30


def main() -> None:
    for name, text in QUERIES.items():
        program = load(EXAMPLES / name, {})
        seconds, space = _timed(lambda: explore(program.model().system))  # noqa: B023
        deciding = int((np.diff(space.first_choice) > 1).sum())
        print(
            f"{name}: {space.num_states:,} states, {deciding:,} with a choice, explored in "
            f"{seconds:.2f} s"
        )
        _values(program, text)
    for select in ("random", "verified"):
        _missions(select)


def _values(program: LisaProgram, text: str) -> None:
    formula = parse(text)
    assert isinstance(formula, Probability)
    query = Query("objective", formula, "max")
    for what, from_now_on in (("for plan selection", False), ("in all states", True)):
        order = TableRequest(
            program, (query,), VerificationSection(objective=query), all_states=from_now_on
        )
        seconds, table = _timed(lambda: build_table(order))  # noqa: B023
        size = sum(vector.nbytes for vector in table.vectors.values())
        print(
            f"  {text} {what}: {len(table):,} rows, {size / 1e6:.1f} MB, {seconds:.2f} s with the "
            "exploration"
        )
    state = dict(program.model().system.slots)
    seconds, _ = _timed(lambda: [table.row(state) for _ in range(LOOK_UPS)])
    print(
        f"  look-ups: {LOOK_UPS / seconds:,.0f} per second, {seconds / LOOK_UPS * 1e6:.2f} µs "
        f"each, {len(state)} slots"
    )


def _missions(select: str) -> None:
    """Run the missions and print the cycle times. A cycle lasts from one line of the record to the
    next."""
    program = load(EXAMPLES / "crossing", {})
    lasted: list[float] = []
    for seed in range(MISSIONS):
        moments: list[float] = []

        def watch(kind: str, _: object, moments: list[float] = moments) -> None:
            if kind == "cycle":
                moments.append(time.process_time())

        volition.run(program, seed=seed, selector=select, watch=watch)
        lasted += np.diff(moments).tolist()
    mean, maximum = np.mean(lasted) * 1e6, np.max(lasted) * 1e6
    print(
        f"crossing, {select}: {len(lasted):,} cycles, {mean:.0f} µs each in the mean, "
        f"{maximum:.0f} µs at most"
    )


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


if __name__ == "__main__":
    main()
