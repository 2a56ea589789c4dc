"""The auction (Bordini et al., Sect. 5): our check and Spin's of the same specification, side by side in one run.

Both start from the source and end with the verdict.  Ours reads, explores and checks; Spin's translates, generates, compiles and runs.

Run with ``python -m benchmarks.auction``, or with another number of auctions than the paper's ten: ``python -m benchmarks.auction 4``.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from volition.checking.check import check
from volition.diagnostics import InputError
from volition.kernel import explore
from volition.languages.agentspeak import load

__all__ = ["main"]

EXAMPLES = Path(__file__).parents[1] / "examples" / "agentspeak"
PROJECTS = ("auction", "auction_repaired")


def explore_once(project: Path, auctions: str) -> None:
    """Print how fast the states of a project are found."""
    model = load(project, {"auctions": auctions}).model()
    start = time.perf_counter(), time.process_time()
    space = explore(model.system)
    seconds, processor = time.perf_counter() - start[0], time.process_time() - start[1]
    print(
        f"{project.name}: {space.num_states:,} states, {space.num_transitions:,} transitions, {space.stats.python_calls:,} Python calls, "
        f"{seconds:.2f} s, {space.num_states / seconds:,.0f} states/s ({space.num_states / processor:,.0f} per processor second)"
    )


def answer(project: Path, auctions: str, specification: int, *, by_spin: bool) -> tuple[bool | None, float]:
    """The verdict on one of the specifications, and the seconds from the source to it."""
    start = time.perf_counter()
    program = load(project, {"auctions": auctions})
    asked = [program.properties[specification]]
    report = check(program, asked, engine="spin" if by_spin else "auto")
    return report.answers[0].verdict.holds, time.perf_counter() - start


def main() -> None:
    """Print one line for each specification of each program; stop if the two sides disagree."""
    auctions = sys.argv[1] if len(sys.argv) > 1 else "10"
    for name in PROJECTS:
        project = EXAMPLES / name
        explore_once(project, auctions)
        for specification, title in enumerate(("P1", "P2", "P3")):
            ours, seconds = answer(project, auctions, specification, by_spin=False)
            try:
                spins, other = answer(project, auctions, specification, by_spin=True)
            except InputError as error:
                print(f"  {title}: {ours}, ours {seconds:.2f} s; {error.diagnostics[0].message}")
                continue
            assert ours == spins, (name, title, ours, spins)
            print(f"  {title}: {ours}, ours {seconds:.2f} s   Spin {other:.2f} s   {other / seconds:.1f} times faster")


if __name__ == "__main__":
    main()
