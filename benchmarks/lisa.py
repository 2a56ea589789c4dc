"""The mine-hunting vessel (Izzo, chapter 6): compare our model construction and results with
Storm's on the exported PRISM program.

Both sides run alternately in one process for several rounds, and the median is printed. Processor
seconds are in parentheses; other programs on the machine affect them less. They are the sum over
all threads.

Run with ``python -m benchmarks.lisa``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import stormpy

from volition.checking.check import check
from volition.exporters.prism.lisa import lisa_to_prism
from volition.kernel import StateSpace, explore
from volition.languages.lisa import load

__all__ = ["main"]

EXAMPLES = Path(__file__).parents[1] / "examples" / "lisa"
QUESTIONS = {
    "vessel_mdp": (
        "Pmin=? [F<=100 mission_complete = 1]",
        'R{"fuel"}max=? [F mission_complete = 1]',
    ),
    "vessel_dtmc": ("P=? [F<=100 mission_complete = 1]", 'R{"fuel"}=? [F mission_complete = 1]'),
}
ROUNDS = 5


def our_build(project: Path) -> StateSpace:
    """Build the state space with all its rewards from the sEnglish source."""
    space = explore(load(project, {}).model().system)
    for reward in space.reward_names:
        space.state_rewards(reward)
    return space


def storm_build(prism: Path) -> Any:
    """Build Storm's sparse model with all its rewards from the PRISM program."""
    return stormpy.build_model(stormpy.parse_prism_program(str(prism)))


def our_answer(project: Path, prop: str) -> float:
    """Return the value of a property, starting from the sEnglish source."""
    value = check(load(project, {}), [prop]).answers[0].verdict.value
    assert value is not None
    return float(value)


def storm_answer(prism: Path, prop: str) -> float:
    """Return Storm's value of a property, starting from the PRISM program. Storm builds only what
    the property needs, and uses the same precision as we do."""
    program = stormpy.parse_prism_program(str(prism))
    query = stormpy.parse_property(prop, program)
    model = stormpy.build_model(program, [query])
    environment = stormpy.environments.default(model)
    for solver in (environment.solver().min_max(), environment.solver().native()):
        solver.precision = stormpy.Rational("1/10000000000")
    return float(
        stormpy.model_checking(model, query, environment=environment).get_value(
            model.initial_states[0]
        )
    )


def side_by_side(what: str, ours: Callable[[], Any], storms: Callable[[], Any]) -> tuple[Any, Any]:
    """Print the median times of both sides and their ratio; return the last answers."""
    times: tuple[list[tuple[float, float]], list[tuple[float, float]]] = ([], [])
    for _ in range(ROUNDS):
        answers = []
        for run, spent in zip((ours, storms), times, strict=True):
            start = time.perf_counter(), time.process_time()
            answers.append(run())
            spent.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    (mine, my_processor), (peer, its_processor) = (
        map(median, zip(*each, strict=True)) for each in times
    )
    ratios = f"{peer / mine:5.1f} times faster ({its_processor / my_processor:.1f})"
    print(
        f"{what:60} ours {mine:7.3f} s ({my_processor:.3f})   Storm {peer:7.3f} s "
        f"({its_processor:.3f})   {ratios}",
        flush=True,
    )
    return answers[0], answers[1]


def main() -> None:
    """Print one line for each comparison; fail if the two sides disagree."""
    for name, properties in QUESTIONS.items():
        project = EXAMPLES / name
        with TemporaryDirectory() as folder:
            prism = Path(folder) / f"{name}.prism"
            prism.write_text(lisa_to_prism(load(project, {}).agents).model)
            space, model = side_by_side(
                f"{name}: build",
                lambda p=project: our_build(p),  # type: ignore[misc]
                lambda p=prism: storm_build(p),  # type: ignore[misc]
            )
            sizes = (space.num_states, space.num_choices, space.num_transitions)
            assert sizes == (model.nr_states, model.nr_choices, model.nr_transitions)
            print(
                f"{'':60} {sizes[0]:,} states, {sizes[1]:,} choices, {sizes[2]:,} transitions, "
                f"{space.stats.python_calls} Python calls"
            )
            for prop in properties:
                value, other = side_by_side(
                    f"{name}: {prop}",
                    lambda p=project, q=prop: our_answer(p, q),  # type: ignore[misc]
                    lambda p=prism, q=prop: storm_answer(p, q),  # type: ignore[misc]
                )
                assert abs(value - other) <= 1e-6 * max(1.0, abs(other)), (value, other)
                print(f"{'':60} {value:.6f}")


if __name__ == "__main__":
    main()
