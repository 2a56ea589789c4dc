"""``volition simulate``: estimate properties by random runs, for programs too large to explore."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.status import Status

from volition.analysis.smc.estimate import Estimate
from volition.analysis.smc.simulate import Scheduling
from volition.api.inputs import load_subject
from volition.api.property_input import parse_with_warnings
from volition.api.simulation import simulate
from volition.checking.properties import Property
from volition.cli.exit_and_files import Exit
from volition.cli.options import (
    ProgramCommand,
    display_options,
    fraction_option,
    program_argument,
    time_option,
    whole_number,
)
from volition.cli.screen import SafeText, Screen
from volition.diagnostics import Diagnostic, InputError
from volition.logic.syntax import Probability, Reward

__all__ = ["command"]


@click.command("simulate", cls=ProgramCommand)
@program_argument
@click.option(
    "-p",
    "--property",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    help="A formula to estimate; may be repeated.",
)
@click.option(
    "--confidence",
    type=fraction_option(1.0),
    default="0.99",
    metavar="C",
    help="Probability that an answer is right (default: 0.99).",
)
@click.option(
    "--error",
    type=fraction_option(0.5),
    default="0.01",
    metavar="E",
    help="Largest error: absolute for a probability, relative for a reward (default: 0.01).",
)
@click.option(
    "--runs",
    type=whole_number(1),
    metavar="N",
    help="Simulate exactly N runs instead of as many as --error requires.",
)
@click.option(
    "--max-steps",
    type=whole_number(1),
    default="10000",
    metavar="N",
    help="Stop a run after N steps (default: 10000).",
)
@click.option(
    "--seed",
    type=whole_number(0),
    default="1",
    metavar="S",
    help="Seed of the random numbers (default: 1).",
)
@click.option(
    "--scheduler",
    type=click.Choice(["search", "uniform"]),
    default="search",
    help="How nondeterministic choices are resolved: by the best scheduler that a search finds "
    "(search, default), or uniformly at random (uniform).",
)
@click.option(
    "--num-schedulers",
    type=whole_number(1),
    default="256",
    metavar="N",
    help="Number of schedulers that the search tries (default: 256).",
)
@click.option(
    "--jobs",
    type=whole_number(1),
    metavar="N",
    help="Simulate in N processes (default: one per core).",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Simulate on the workers of a Dask scheduler, such as tcp://host:8786.",
)
@time_option
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    program: Path,
    settings: Mapping[str, str],
    formulas: Sequence[str],
    confidence: float,
    error: float,
    runs: int | None,
    max_steps: int,
    seed: int,
    scheduler: Scheduling,
    num_schedulers: int,
    jobs: int | None,
    cluster: str | None,
    timeout: float | None,
    screen: Screen,
) -> None:
    """Estimate properties of PROGRAM by random runs.

    No states are stored, so this also works for programs whose state space does not fit into
    memory. The answer to a query is an interval that contains the value with the given confidence;
    the answer to a threshold is yes or no. If the program has nondeterministic choices, the result
    is a lower bound of Pmax or an upper bound of Pmin, from the best scheduler found; the
    optimum may be better. Without -p, the P and R properties in the program's own file are
    estimated.

    The answer depends on the seed, but not on the number of processes. After Ctrl-C or --timeout,
    the answer uses the runs simulated so far, and the exit code is 3.

    \b
    Examples:
      volition simulate examples/can/courier.can -p 'P=? [ F delivered ]' --error 0.005
      volition simulate examples/can/courier.can -p 'P>=0.9 [ F delivered ]'
      volition simulate examples/can/smart_manufacturing.can \\
        -p 'Pmax=? [ F (PS1 & PS2) ]' --num-schedulers 1000
      volition simulate examples/lisa/vessel_dtmc \\
        -p 'P=? [ F<=100 Bel("Mission complete") ]' --jobs 2 --timeout 1m
    """
    given = load_subject(program, settings=settings)
    loaded = given.program
    screen.diagnostics(given.warnings)
    with screen.collecting_warnings() as warnings:
        properties = parse_with_warnings(loaded, formulas, warnings)
    estimates = []
    for prop in properties if formulas else _quantitative(properties):
        with _counter(screen.messages) as progress:
            found = simulate(
                loaded,
                prop,
                confidence=confidence,
                error=error,
                runs=runs,
                max_steps=max_steps,
                seed=seed,
                scheduler=scheduler,
                num_schedulers=num_schedulers,
                jobs=jobs,
                cluster=cluster,
                timeout=timeout,
                progress=progress,
            )
        _show(screen, found)
        estimates.append(found)
    screen.document(lambda: _document(loaded.language, estimates))
    ctx.exit(_exit_code(estimates))


def _quantitative(properties: Iterable[Property]) -> list[Property]:
    """Return those properties that ask for a probability or a reward; raise :class:`InputError` if
    there are none."""
    found = [each for each in properties if isinstance(each.formula, Probability | Reward)]
    if not found:
        raise InputError(
            [
                Diagnostic(
                    "CLI002",
                    "the program has no property about a probability or a reward",
                    hint="give one with -p",
                )
            ]
        )
    return found


def _show(screen: Screen, found: Estimate) -> None:
    answer = SafeText(f"{found.prop.text} ").append(found.sentence(), "bold")
    if found.as_expected is not None:
        sign, colour = ("✓", "green") if found.as_expected else ("✗", "red")
        answer.append(
            f"   {sign} {'agrees' if found.as_expected else 'does not agree'} with "
            f"{found.prop.expected}",
            colour,
        )
    screen.print(answer, *(f"  {line}" for line in found.guarantee_text()))
    if found.unknown is not None:
        screen.note(
            f"{'unknown' if found.lower is None else 'less precise than requested'}: "
            f"{found.unknown}"
        )


def _document(language: str, estimates: Sequence[Estimate]) -> dict[str, Any]:
    return {"language": language, "properties": [each.as_json() for each in estimates]}


def _exit_code(estimates: Sequence[Estimate]) -> Exit:
    if any(
        each.as_expected is False or (each.prop.expected is None and each.holds is False)
        for each in estimates
    ):
        return Exit.VIOLATED
    return Exit.INCOMPLETE if any(each.unknown is not None for each in estimates) else Exit.SUCCESS


@contextmanager
def _counter(console: Console) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a progress callback that receives the numbers of runs and steps and shows them in one
    line on the terminal; None if the output is not a terminal. The line is removed at the end."""
    if not console.is_terminal:
        yield None
        return
    with Status("reading", console=console) as status:
        yield lambda runs, steps: status.update(f"{runs:,} runs, {steps:,} steps")
