"""``volition pareto``: compute the Pareto front of several objectives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from volition.analysis.tradeoffs.pareto import ParetoResult, number_text
from volition.analysis.tradeoffs.plots import check_pareto_plot
from volition.api.inputs import load_subject
from volition.api.plotting import save_plot
from volition.api.property_input import parse_with_warnings
from volition.api.strategies import pareto
from volition.checking.storm.client import EngineError
from volition.cli.exit_and_files import Exit, expect_writable
from volition.cli.options import (
    LimitOptions,
    ProgramCommand,
    display_options,
    limit_options,
    program_argument,
)
from volition.cli.rendering import model_line, program_table, show_strategy
from volition.cli.screen import SafeText, Screen
from volition.reporting.formatting import duration
from volition.reporting.strategies.strategy_table import tabulate_strategy

__all__ = ["command"]


@click.command("pareto", cls=ProgramCommand)
@program_argument
@click.option(
    "-p",
    "--property",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    required=True,
    help="An objective; give two or more.",
)
@click.option(
    "--plot",
    "plot_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Plot the Pareto front (.svg, .png, .pdf).",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@click.option("--strategy", is_flag=True, help="Show the strategy of each corner of the front.")
@click.option(
    "--exact/--float",
    "exact",
    default=None,
    help="Compute with fractions, or in floating point (default: depends on the size of the "
    "model).",
)
@limit_options
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    program: Path,
    settings: Mapping[str, str],
    formulas: Sequence[str],
    plot_file: Path | None,
    force: bool,
    strategy: bool,
    exact: bool | None,
    limits: LimitOptions,
    screen: Screen,
) -> None:
    """Show which values of several objectives PROGRAM can achieve together, and with which
    strategies.

    Each corner of the Pareto front is the value of a deterministic strategy. A point between
    corners is achieved by choosing one of their strategies at random, once at the start. If an
    objective has a bound (P>=0.5 instead of Pmax=?), the best point within the bound is shown.

    \b
    Examples:
      volition pareto examples/can/smart_manufacturing.can \\
        -p 'Pmax=? [ F (PS1 & PS2) ]' -p 'Pmax=? [ F (Pch1 | Pch2) ]' --plot front.svg
      volition pareto examples/can/smart_manufacturing.can \\
        -p 'Pmax=? [ F (PS1 & PS2) ]' -p 'P>=0.5 [ F (Pch1 | Pch2) ]'
      volition pareto examples/can/rescue.can \\
        -p 'Pmax=? [ F Bel(rescued) ]' -p 'R{"cost"}min=? [ F Bel(rescued) ]' --strategy
    """
    if plot_file is not None:
        expect_writable(plot_file, force=force)
        check_pareto_plot(plot_file, objectives=len(formulas))
    given = load_subject(program, settings=settings)
    screen.diagnostics(given.warnings)
    with screen.collecting_warnings() as warnings:
        properties = parse_with_warnings(given.program, formulas, warnings)
    try:
        with screen.progress() as progress:
            result = pareto(given.subject, properties, exact=exact, **limits, progress=progress)
    except EngineError as error:
        screen.note(str(error))
        unknown = {"unknown": str(error)}
        screen.document(lambda: unknown)
        ctx.exit(Exit.INCOMPLETE)
    line = model_line(given.program.language, result.space).append(f", {duration(result.seconds)}")
    screen.print(line, "", program_table(result.table()))
    if result.has_infinite_corner:
        screen.note(
            "∞: the strategy is better in the other objectives, but its value is infinite in this "
            "one, and so is the value of every random mix with it"
        )
    _show_chosen_point(screen, result)
    if strategy:
        for corner in result.corners:
            show_strategy(screen, tabulate_strategy(result.model, corner.strategy), corner.name)
    if plot_file is not None:
        save_plot(result, plot_file)
    screen.document(lambda: result.to_json(strategies=strategy))
    if any(result.bounds) and result.attainable is None:
        screen.note(
            "the bounds are too close to the Pareto front to decide; use exact arithmetic (--exact)"
        )
        ctx.exit(Exit.INCOMPLETE)
    ctx.exit(Exit.VIOLATED if result.attainable is False else Exit.SUCCESS)


def _show_chosen_point(screen: Screen, result: ParetoResult) -> None:
    if result.attainable is False:
        screen.print("", SafeText("no strategy meets the bounds", "bold red"))
    chosen = result.bound_meeting_point
    if chosen is not None:
        line = SafeText("within the bounds: ")
        for index, value in enumerate(chosen.values):
            line.append(", " if index else "").append(number_text(value), "bold")
        screen.print("", line, chosen.sentence())
