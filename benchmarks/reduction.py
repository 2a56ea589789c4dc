"""Partial-order reduction (``docs/explanation/reduction.md``): number of stored states and time,
with and without reduction, in one run.

The answers are compared as well. The whole state space of mutual exclusion with three robots needs
several GB, so it is explored only on request.

Run with ``python -m benchmarks.reduction``. Add ``lookahead`` to measure that reduction as well,
and ``whole`` to explore the large state space.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.manufacturing import manufacturing
from volition.checking.check import check
from volition.checking.reduction_policy import Reduce
from volition.diagnostics import Source
from volition.languages import load
from volition.languages.can import parse
from volition.languages.protocols import Program

__all__ = ["main", "three_robots"]

EXAMPLES = Path(__file__).parents[1] / "examples" / "agentspeak"
NO_DEADLOCK = 'A [ G !"deadlock" ]'


@dataclass(frozen=True, slots=True)
class Case:
    """A program and its formulas. ``large`` means that its whole state space takes long."""

    name: str
    program: Program
    formulas: Sequence[str] | None = None
    large: bool = False


def cases(folder: Path) -> list[Case]:
    """Return the cases. Generated programs are written to the folder."""
    return [
        *(
            Case(
                f"auction, repaired, {n} auctions",
                load(EXAMPLES / "auction_repaired", {"auctions": str(n)}),
            )
            for n in (3, 10)
        ),
        Case("contract net", load(EXAMPLES / "contract_net", {})),
        Case("mutual exclusion, 2 robots", load(EXAMPLES / "mutual_exclusion", {})),
        Case(
            "mutual exclusion, 3 robots",
            three_robots(folder),
            ("[] !(on_bridge(r1) & on_bridge(r2))", NO_DEADLOCK),
            large=True,
        ),
        Case("four products, no background change", _timeless(4), (NO_DEADLOCK,)),
    ]


def three_robots(folder: Path) -> Program:
    """Return mutual exclusion with a third robot, written to the folder."""
    made = folder / "mutual_exclusion"
    shutil.copytree(EXAMPLES / "mutual_exclusion", made)
    main = made / "mutual_exclusion.mas"
    second = "agent r2 = robot.asl believes me(r2)"
    main.write_text(main.read_text().replace(second, f"{second}\n{second.replace('r2', 'r3')}"))
    return load(made, {})


def _timeless(products: int) -> Program:
    """Return smart manufacturing with deadlines that never change."""
    text, _, _ = manufacturing(products).partition("// Background")
    return parse(Source("manufacturing", text), "manufacturing", {})


def measure(case: Case, reduce: Reduce) -> tuple[list[bool | None], int, float]:
    """Return the answers, the number of stored states, and the seconds."""
    start = time.perf_counter()
    report = check(case.program, case.formulas, reduce=reduce)
    seconds = time.perf_counter() - start
    return (
        [answer.verdict.holds for answer in report],
        max(each.space.num_states for each in report.explorations),
        seconds,
    )


def main() -> None:
    """Print one line for each case and each kind of reduction."""
    ways: list[Reduce] = ["static", *(["lookahead"] if "lookahead" in sys.argv else [])]  # type: ignore[list-item]
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(Path(folder)):
            whole = None if case.large and "whole" not in sys.argv else measure(case, "off")
            print(case.name)
            if whole is not None:
                print(f"  off      {whole[1]:>12,} states {whole[2]:>8.2f} s   {whole[0]}")
            for way in ways:
                answers, states, seconds = measure(case, way)
                ratio = ""
                if whole is not None:
                    assert answers == whole[0], (case.name, way)
                    ratio = (
                        f"   {whole[1] / states:,.1f} times fewer, {whole[2] / seconds:.2f} "
                        "times as fast"
                    )
                print(f"  {way:<8} {states:>12,} states {seconds:>8.2f} s   {answers}{ratio}")


if __name__ == "__main__":
    main()
