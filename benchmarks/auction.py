"""The auction (Bordini et al., Sect. 5): compare our check of a property with Spin's check in
the same run.

Both times are measured from the source to the verdict. Ours includes parsing, exploration and
checking. Spin's includes translation, generation of the verifier, compilation and its run.
Processor seconds are in parentheses; other programs on the machine affect them less.

Run with ``python -m benchmarks.auction``, or with another number of auctions than the paper's ten:
``python -m benchmarks.auction 4``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from volition.checking.check import Answer, check
from volition.diagnostics import InputError
from volition.kernel import explore
from volition.languages.agentspeak import load

__all__ = ["main"]

EXAMPLES = Path(__file__).parents[1] / "examples" / "agentspeak"
PROJECTS = ("auction", "auction_repaired")


def explore_once(project: Path, auctions: str) -> None:
    """Print the size of the state space of a project and the speed of its exploration."""
    model = load(project, {"auctions": auctions}).model()
    start = time.perf_counter(), time.process_time()
    space = explore(model.system)
    seconds, processor = time.perf_counter() - start[0], time.process_time() - start[1]
    print(
        f"{project.name}: {space.num_states:,} states, {space.num_transitions:,} transitions, "
        f"{space.stats.python_calls:,} Python calls, "
        f"{seconds:.2f} s, {space.num_states / seconds:,.0f} states/s "
        f"({space.num_states / processor:,.0f} per processor second)"
    )


def answer(
    project: Path, auctions: str, specification: int, *, by_spin: bool
) -> tuple[Answer, float, float]:
    """Return the answer to one of the specifications, and the wall-clock and processor seconds from
    the source to the answer."""
    start = time.perf_counter(), _processor()
    program = load(project, {"auctions": auctions})
    properties = [program.properties[specification]]
    report = check(program, properties, engine="spin" if by_spin else "auto")
    return report.answers[0], time.perf_counter() - start[0], _processor() - start[1]


def _processor() -> float:
    """Return the processor seconds of this process and of its terminated child processes."""
    return sum(os.times()[:4])


def peak_of_check(project: Path, auctions: str, specification: int) -> float:
    """Return the peak memory, in MB, of a separate ``volition check`` process that checks a
    specification."""
    query = load(project, {"auctions": auctions}).properties[specification].text
    command = [
        sys.executable,
        "-c",
        PEAK,
        "check",
        str(project),
        "--set",
        f"auctions={auctions}",
        "--property",
        query,
    ]
    return float(
        subprocess.run(command, capture_output=True, text=True, check=False).stderr.split()[-1]
    )


PEAK = """
import atexit, re, sys
from pathlib import Path
# Not getrusage, which includes the memory of the parent process.
atexit.register(lambda: print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024, file=sys.stderr))
from volition.__main__ import main
main()
"""  # noqa: E501


def main() -> None:
    """Print one line for each specification of each program; stop if the two sides disagree."""
    auctions = sys.argv[1] if len(sys.argv) > 1 else "10"
    for name in PROJECTS:
        project = EXAMPLES / name
        explore_once(project, auctions)
        for specification, title in enumerate(("P1", "P2", "P3")):
            ours, seconds, processor = answer(project, auctions, specification, by_spin=False)
            stored, holds = ours.exploration.space.num_states, ours.verdict.holds
            peak = peak_of_check(project, auctions, specification)
            text = (
                f"  {title}: {holds}, {stored:,} states stored, {peak:.0f} MB, ours "
                f"{seconds:.2f} s ({processor:.2f})"
            )
            try:
                spins, other, other_processor = answer(
                    project, auctions, specification, by_spin=True
                )
            except InputError as error:
                print(f"{text}; {error.diagnostics[0].message}")
                continue
            assert holds == spins.verdict.holds, (name, title, holds, spins.verdict)
            ratios = f"{other / seconds:.1f} times faster ({other_processor / processor:.1f})"
            print(f"{text}   Spin {other:.2f} s ({other_processor:.2f})   {ratios}")


if __name__ == "__main__":
    main()
