"""``volition learn``: estimate probabilities from recorded runs, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.console import RenderableType

from volition.analysis.figures import check_picture
from volition.api.property_input import parse_with_warnings
from volition.api.recorded_runs import learn, value_ranges
from volition.checking.storm.client import EngineError
from volition.cli.exit_and_files import Exit, expect_writable, write_file
from volition.cli.options import (
    LimitOptions,
    ProgramCommand,
    display_options,
    fraction_option,
    point_limit_options,
    program_argument,
)
from volition.cli.rendering import program_table
from volition.cli.screen import SafeText, Screen
from volition.languages import load
from volition.runtime.learning import (
    TIMINGS,
    LearningResult,
    Timing,
    ValueRange,
    save_waiting_picture,
)
from volition.runtime.record import read_record

__all__ = ["command"]


@click.command("learn", cls=ProgramCommand)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@program_argument
@click.option(
    "--timing",
    type=click.Choice(TIMINGS),
    default="program",
    help="When percepts and action feedback may arrive (LISA): as the program says (default), in "
    "every cycle, or whichever fits the runs best.",
)
@click.option(
    "--confidence",
    type=fraction_option(1.0),
    default="0.95",
    metavar="C",
    help="Probability that an interval contains the true value (default: 0.95).",
)
@click.option(
    "-p",
    "--property",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    help="A formula to check over the intervals; may be repeated.",
)
@click.option(
    "--no-robust", is_flag=True, help="Do not compute bounds for all values in the intervals."
)
@click.option(
    "--write",
    "target",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the estimates to FILE, which other commands read with --settings.",
)
@click.option(
    "--plot",
    "plot_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Plot the waiting times of percepts and action feedback (LISA; .svg, .png, .pdf).",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@point_limit_options
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    runs: Sequence[Path],
    program: Path,
    settings: Mapping[str, str],
    timing: Timing,
    confidence: float,
    formulas: Sequence[str],
    no_robust: bool,
    target: Path | None,
    plot_file: Path | None,
    force: bool,
    limits: LimitOptions,
    processes: int | None,
    screen: Screen,
) -> None:
    """Estimate the probabilities of PROGRAM from the recorded runs in the files RUN.

    The table shows for each probability the number of trials, the number of occurrences, and an
    interval. '!' marks a probability of the program that is outside its interval. Interrupted runs
    are used up to the point where they stopped. With -p, the value of a formula is computed at the
    ends of all intervals; where Storm has a robust method, also bounds for all values in the
    intervals.

    \b
    Examples:
      volition learn run.jsonl examples/can/smart_manufacturing.can
      volition learn run.jsonl examples/can/smart_manufacturing.can -p 'Pmax=? [ F (PS1 & PS2) ]'
      volition learn monday.jsonl tuesday.jsonl examples/lisa/vessel_mdp \\
        --timing every-cycle --write learned.settings
      volition check examples/lisa/vessel_mdp --settings learned.settings
    """
    expect_writable(target, plot_file, force=force)
    if plot_file is not None:
        check_picture(plot_file)
    loaded = load(program, settings)
    screen.diagnostics(loaded.warnings)
    with screen.collecting_warnings() as warnings:
        properties = parse_with_warnings(loaded, formulas, warnings) if formulas else []
    learned = learn(
        [read_record(each) for each in runs], loaded, timing=timing, confidence=confidence
    )
    screen.diagnostics(learned.remarks)
    screen.print(*_tables(learned))
    try:
        ranges = (
            value_ranges(
                learned, loaded, properties, robust=not no_robust, processes=processes, **limits
            )
            if properties
            else []
        )
    except EngineError as error:
        screen.note(f"unknown: {error}")
        ranges = []
    if plot_file is not None:
        save_waiting_picture(learned, plot_file)
    if target is not None:
        write_file(target, learned.settings_text())
    for each in ranges:
        screen.print("", *_range(each))
    screen.document(
        lambda: {
            "language": loaded.language,
            **learned.as_json(),
            "ranges": [each.as_json() for each in ranges],
        }
    )
    ctx.exit(Exit.INCOMPLETE if len(ranges) < len(properties) else Exit.SUCCESS)


def _tables(learned: LearningResult) -> list[RenderableType]:
    tables = [learned.parameter_table(), learned.outcome_table(), learned.waiting_table()]
    shown = [program_table(table) for table in tables if len(table)]
    parts: list[RenderableType] = [part for table in shown for part in (table, "")]
    return parts[:-1] or ["these runs contain no trial of any probability of the program"]


def _range(found: ValueRange) -> list[RenderableType]:
    first, *others = found.sentences()
    return [
        SafeText(f"{found.formula} ").append(f"= {first}", "bold"),
        *(f"  {line}" for line in others),
    ]
