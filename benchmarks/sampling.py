"""Sampling runs instead of exploring states: steps per second on one core, also for a state space
that is too large for any machine.

Each line shows the number of steps per second of processor time. It also shows the number of states
per second for an exploration of the same program, up to a limit. Manufacturing with 20 products has
more than 10^20 states, because each product has more than ten local states.

Run with ``python -m benchmarks.sampling``.
"""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.manufacturing import manufacturing
from volition.analysis.smc.run_sampler import run_sampler_for
from volition.checking.explored_model import explore_for
from volition.diagnostics import Source
from volition.kernel import Limits
from volition.kernel.sampling import RunBatch, SchedulerKind
from volition.languages import load
from volition.languages.can import parse
from volition.languages.protocols import Program
from volition.logic import parse as parse_formula

__all__ = ["main", "steps_per_second"]

EXAMPLES = Path(__file__).parents[1] / "examples"
MAX_STATES = 200_000
SECONDS = 2.0
ALIKE = 1_000
"""Number of runs before the measurement, so that the one-time cost of tracing does not count."""


def steps_per_second(program: Program, formula: str, choosing: SchedulerKind) -> float:
    """Return the steps per second of processor time, after most of the program is traced."""
    sampler = run_sampler_for(program, parse_formula(formula)).sampler()
    sampler.sample(RunBatch(1, 1, 0, ALIKE, 10_000, choosing, scheduler=1))
    start = time.process_time()
    made = sampler.sample(
        RunBatch(1, 2, 0, 10_000_000, 10_000, choosing, scheduler=1), seconds=SECONDS
    )
    return float(made.steps.sum()) / (time.process_time() - start)


def states_per_second(program: Program, formula: str) -> float:
    """Return the explored states per second of processor time."""
    start = time.process_time()
    explored, _ = explore_for(program, [parse_formula(formula)], limits=Limits(states=MAX_STATES))
    return explored.space.num_expanded / (time.process_time() - start)


def main() -> None:
    """Print the measurements."""
    print(f"{'program':36}{'scheduler':>10}{'steps/s':>12}{'states/s':>12}{'ratio':>8}")
    for name, program, formula in _programs():
        states = states_per_second(program, formula)
        for choosing in (SchedulerKind.UNIFORM, SchedulerKind.HASHED):
            steps = steps_per_second(program, formula, choosing)
            print(
                f"{name:36}{choosing.name.lower():>10}{steps:12,.0f}{states:12,.0f}{steps / states:8.1f}"  # noqa: E501
            )


def _programs() -> list[tuple[str, Program, str]]:
    def products(number: int) -> Program:
        return parse(Source("manufacturing", manufacturing(number)), "manufacturing", {})

    return [
        (
            "vessel (LISA)",
            load(EXAMPLES / "lisa" / "vessel_dtmc"),
            "P=? [ F<=100 mission_complete = 1 ]",
        ),
        (
            "factory (AgentSpeak)",
            load(EXAMPLES / "agentspeak" / "factory"),
            "Pmin=? [ F Bel(feeder, finished) ]",
        ),
        (
            "manufacturing, 2 products (CAN)",
            products(2),
            "Pmax=? [ F (Bel(success1) & Bel(success2)) ]",
        ),
        (
            "manufacturing, 20 products (CAN)",
            products(20),
            "Pmax=? [ F (Bel(success1) & Bel(success20)) ]",
        ),
    ]


if __name__ == "__main__":
    main()
