"""Checking on slices: number of states and time without slicing, with each slicing method, and with
counterexample-guided refinement.

All methods check the same property one after the other in one run. Each line shows the processor
seconds, their ratio to those of the whole program, and the share of the saved time that slicing
itself needs.

- ``bordini``, ``winikoff`` and ``sound`` are the slicing methods.
- ``--slice`` does the same as ``volition check --slice``. A property that follows from guards is
  not explored. Other properties are checked on the sound slice, skipping invisible steps.
- ``guided`` does the same as ``volition check --slice guided``. It starts with the whole program,
  and returns to it if abstractions are not worth their cost.
- ``abstraction`` is the same, but uses only abstractions.

Run with ``python -m benchmarks.slicing``, or with the names of some examples: ``python -m
benchmarks.slicing cruise rescue``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import volition
from benchmarks.manufacturing import manufacturing
from volition.checking.check import Answer, check
from volition.diagnostics import Source
from volition.kernel import Limits
from volition.languages.can import parse
from volition.slicing.cegar.check import RefinementBudget, check_with_refinement

__all__ = ["main"]

EXAMPLES = Path(__file__).parents[1] / "examples"
QUESTIONS: dict[str, tuple[str | int, str]] = {
    "cruise": ("gwendolen/cruise_control", "[](Does(car, accelerate) -> Bel(car, safe))"),
    "satellite": (
        "gwendolen/satellite",
        "A [ G (Does(abstraction_satellite, burn(x, _, _)) -> temperature(x,high)) ]",
    ),
    "satellite_line": (
        "gwendolen/satellite",
        "A [ G (Does(satellite, perf(fire(x, 1))) -> Bel(satellite, line(x, 1))) ]",
    ),
    "rescue": ("gwendolen/rescue", "A [ G (Does(west, move_to(2,1)) -> !rubble(2,1)) ]"),
    "rescue_area": (
        "gwendolen/rescue",
        "A [ G (Does(west, move_to(2,1)) -> Bel(west, area(_, 2, 1))) ]",
    ),
    "auction": ("gwendolen/auction/four_bidders.gwendolen", "A [ G !Bel(ag1, win) ]"),
    "factory": ("agentspeak/factory", "[](Bel(feeder, finished) -> stamped = 2)"),
    "inspected": ("an inspected factory", "[](Bel(feeder, finished) -> stamped = 2)"),
    "manufacturing": (5, "A [ G !(success1 & failure1) ]"),
    "vessel": ("lisa/vessel_mdp", "A [ G !(Int(plan_4) & Int(plan_5)) ]"),
}
"""A program or a number of manufactured products, and the property to check."""
INSPECTOR = "+result(N, Quality) : true <- +noted(N, Quality).\n"
"""An agent that only observes: it adds a belief for each result."""
METHODS: tuple[Literal["bordini", "winikoff", "sound"], ...] = ("bordini", "winikoff", "sound")
ONLY_ABSTRACTIONS = RefinementBudget(concrete_states=0, work_factor=100)
MAX_SECONDS = 60
"""Time limit, in seconds, for all abstractions within one refinement budget."""


@dataclass(frozen=True)
class Row:
    """A method, its answer, its time, and the part of this time that was spent on slicing."""

    way: str
    answer: Answer
    seconds: float
    slicing: float = 0.0


def _ways(program: volition.Program, formula: str) -> Iterator[Row | str]:
    _ = volition.slice(program, formula).program  # import everything before the measurement
    start = time.process_time()
    yield Row("whole", check(program, [formula], reduce="off")[0], time.process_time() - start)
    for method in METHODS:
        start = time.process_time()
        try:
            sliced = volition.slice(program, formula, method=method)
        except volition.InputError as error:
            yield f"{method}: {error.diagnostics[0].message}"
            continue
        part = sliced.program
        slicing = time.process_time() - start
        yield Row(
            method, check(part, [formula], reduce="off")[0], time.process_time() - start, slicing
        )
    start = time.process_time()
    yield Row(
        "--slice",
        volition.check(program, formula, slice=True)[0],
        time.process_time() - start,
        slicing,
    )
    for way, budget in (("guided", RefinementBudget()), ("abstraction", ONLY_ABSTRACTIONS)):
        start = time.process_time()
        answer = check_with_refinement(
            check,
            program,
            [formula],
            budget=budget,
            limits=Limits(seconds=MAX_SECONDS),
            reduce="off",
        )[0]
        yield Row(way, answer, time.process_time() - start)


def _program(which: str | int) -> tuple[str, volition.Program]:
    if isinstance(which, int):
        return f"smart manufacturing, {which} products", parse(
            Source("manufacturing", manufacturing(which)), "manufacturing", {}
        )
    return which, _inspected_factory() if which == "an inspected factory" else volition.load(
        EXAMPLES / which
    )


def _inspected_factory() -> volition.Program:
    """Return the factory with an additional agent that perceives and records the results."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file in (EXAMPLES / "agentspeak" / "factory").iterdir():
            (folder / file.name).write_text(
                file.read_text().replace("Quality) seen by press", "Quality)")
            )
        (folder / "inspector.asl").write_text(INSPECTOR)
        project = (folder / "factory.mas").read_text()
        (folder / "factory.mas").write_text(
            project.replace("world =", "agent inspector = inspector.asl\nworld =")
        )
        return volition.load(folder)


def main() -> None:
    """Print one line for each method and example."""
    chosen = sys.argv[1:] or list(QUESTIONS)
    for name in chosen:
        which, formula = QUESTIONS[name]
        title, program = _program(which)
        print(f"{title}: {formula}", flush=True)
        whole: float | None = None
        for row in _ways(program, formula):
            if isinstance(row, str):
                print(f"  {row}", flush=True)
                continue
            whole = whole or row.seconds
            saved = whole - row.seconds
            share = (
                f", slicing is {row.slicing / saved:.2%} of what is saved"
                if row.slicing and saved > 0
                else ""
            )
            note = (
                f" ({row.answer.verdict.fixed_notes[-1]})"
                if row.answer.verdict.fixed_notes and row.way not in METHODS
                else ""
            )
            holds = {True: "holds", False: "violated", None: "unknown"}[row.answer.verdict.holds]
            print(
                f"  {row.way:<12} {holds:<8}  {row.answer.exploration.space.num_states:>9,} states  {row.seconds:7.3f} s"  # noqa: E501
                f"  {row.seconds / whole:6.2f} × the whole{share}{note}",
                flush=True,
            )


if __name__ == "__main__":
    main()
