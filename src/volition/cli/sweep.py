"""``volition sweep``: check properties for many values of a program's parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from volition.analysis.sweeps.closed_forms import ClosedForm, require_reachability
from volition.analysis.sweeps.plots import PlotStyle, check_plot
from volition.analysis.sweeps.result import SweepResult
from volition.api.inputs import load_subject
from volition.api.plotting import save_plot
from volition.api.property_input import PropertyLike, parse_with_warnings
from volition.api.sweeps import closed_form as closed_form_of
from volition.api.sweeps import sweep
from volition.cli.exit_and_files import Exit, expect_writable, write_file
from volition.cli.options import (
    LimitOptions,
    ProgramCommand,
    display_options,
    point_limit_options,
    program_argument,
)
from volition.cli.rendering import program_table
from volition.cli.screen import SafeText, Screen
from volition.diagnostics import Diagnostic, InputError, plural
from volition.languages.protocols import Program, Table
from volition.reporting.formatting import duration

__all__ = ["command"]

WIDEST_TABLE = 12
"""Maximum number of values of the second parameter of a sweep that are shown as columns of a table.
"""

MAX_PROBLEMS = 3
"""Maximum number of missing values whose reasons are printed; the JSON object has the reasons of
all."""


@click.command("sweep", cls=ProgramCommand)
@program_argument
@click.option(
    "--vary",
    "grid",
    metavar="NAME=VALUES",
    multiple=True,
    required=True,
    help="Values of a parameter: a range FROM:TO:STEP, such as pc=0:1:0.1, or a list, such as "
    "pe=0.1,0.2; may be repeated.",
)
@click.option(
    "-p",
    "--property",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    help="A formula to check; may be repeated.",
)
@click.option(
    "--closed-form",
    is_flag=True,
    help="Also show reachability probabilities as functions of the parameters.",
)
@click.option(
    "--csv",
    "csv_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write all values with all digits to FILE, as CSV.",
)
@click.option(
    "--plot",
    "plot_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Plot the values over one or two parameters (.svg, .png, .pdf).",
)
@click.option(
    "--style",
    type=click.Choice(["heatmap", "lines"]),
    help="How to plot over two parameters (default: heatmap).",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Compute on the workers of a Dask scheduler, such as tcp://host:8786.",
)
@click.option(
    "--exact/--float",
    "exact",
    default=None,
    help="Compute with fractions, or in floating point (default: depends on the size of the "
    "model).",
)
@point_limit_options
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    program: Path,
    settings: Mapping[str, str],
    grid: Sequence[str],
    formulas: Sequence[str],
    closed_form: bool,
    csv_file: Path | None,
    plot_file: Path | None,
    style: PlotStyle | None,
    force: bool,
    cluster: str | None,
    exact: bool | None,
    limits: LimitOptions,
    processes: int | None,
    screen: Screen,
) -> None:
    """Check properties of PROGRAM for many values of its parameters.

    The program is explored once if the parameters change only probabilities. It is explored again
    for each value of a parameter that changes rewards or which transitions exist, such as a
    deadline.
    Without -p, the properties in the program's own file are checked.

    \b
    Examples:
      volition sweep examples/can/smart_manufacturing.can --vary pe=0:1:0.05 --plot failure.svg
      volition sweep examples/can/smart_manufacturing.can \\
        --vary pc=0:1:0.1 --vary pe=0:1:0.1 -p 'Pmax=? [ F (PS1 & PS2) ]'
      volition sweep examples/can/rover.can --vary base_to_site1=1,2,3 \\
        -p 'R{"distance"}min=? [ F (SS1 & SS2) ]' --csv distance.csv
      volition sweep examples/agentspeak/factory --vary reliability=0.5:1:0.1 \\
        -p 'Pmax=? [ F (stamped = 2 & tries = 2) ]'
      volition sweep examples/lisa/vessel_dtmc --vary continue.p=0:1:0.25 \\
        -p 'P=? [ F<=100 Bel("Mission complete") ]'
    """
    varied = {each.partition("=")[0].strip() for each in grid}
    if both := [name for name in settings if name in varied]:
        hint = "remove one of them"
        raise InputError(
            [
                Diagnostic(
                    "CLI014",
                    f"the parameter '{name}' is both set to '{settings[name]}' and varied",
                    hint=hint,
                )
                for name in both
            ]
        )
    if style is not None and plot_file is None:
        raise InputError([Diagnostic("CLI013", "--style needs --plot", hint="add --plot FILE")])
    expect_writable(csv_file, plot_file, force=force)
    if plot_file is not None:
        check_plot(plot_file, parameters=len(grid))
    given = load_subject(program, settings=settings)
    loaded = given.program
    screen.diagnostics(given.warnings)
    with screen.collecting_warnings() as warnings:
        properties = parse_with_warnings(loaded, formulas, warnings)
    if closed_form:
        require_reachability(properties)
    with _bar(screen.messages, "sweep") as progress:
        result = sweep(
            given.subject,
            grid,
            properties,
            processes=processes,
            cluster=cluster,
            exact=exact,
            **limits,
            progress=progress,
        )
    screen.print(
        _summary(result),
        *(part for table in _tables(result) for part in ("", program_table(table))),
    )
    forms = (
        _closed_forms(loaded, grid, properties, processes, limits, screen) if closed_form else []
    )
    if plot_file is not None:
        save_plot(result, plot_file, style=style)
    if csv_file is not None:
        write_file(csv_file, result.to_csv())
    for problem in result.problems[:MAX_PROBLEMS]:
        screen.note(problem)
    if (others := len(result.problems) - MAX_PROBLEMS) > 0:
        screen.note(f"and {others} more {'value is' if others == 1 else 'values are'} missing")
    screen.document(
        lambda: {**result.to_json(), "closed_forms": [form.to_json() for form in forms]}
    )
    ctx.exit(Exit.INCOMPLETE if result.problems else Exit.SUCCESS)


def _closed_forms(
    program: Program,
    grid: Sequence[str],
    properties: Sequence[PropertyLike],
    processes: int | None,
    limits: LimitOptions,
    screen: Screen,
) -> list[ClosedForm]:
    forms = []
    for formula in properties:
        with _bar(screen.messages, "closed form") as progress:
            form = closed_form_of(
                program,
                grid,
                formula,
                processes=processes,
                timeout=limits["timeout"],
                progress=progress,
            )
        forms.append(form)
        screen.print("", program_table(form.table()), form.remark())
    return forms


def _summary(result: SweepResult) -> SafeText:
    times = "once" if result.explorations == 1 else f"{result.explorations} times"
    names = ", ".join(result.graph_parameters)
    reason = (
        f" ({names} {'changes' if len(result.graph_parameters) == 1 else 'change'} transitions or "
        "rewards)"
        if names
        else ""
    )
    points = (
        SafeText()
        .append(f"{len(result.rows):,}", "bold")
        .append(f" {plural(len(result.rows), 'point')}, explored ")
    )
    return points.append(times, "bold").append(f"{reason}, {duration(result.seconds)}")


def _tables(result: SweepResult) -> list[Table]:
    """Return the tables to print for a sweep: one per formula if there are two parameters and few
    values of the second, otherwise one table for all formulas."""
    if len(result.axes) == 2 and len(result.axes[1].values) <= WIDEST_TABLE:
        return [result.cross_table(formula) for formula in range(len(result.formulas))]
    return [result.table()]


@contextmanager
def _bar(console: Console, what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a progress callback that shows a progress bar on the terminal, labelled ``what``; None
    if the output is not a terminal. The bar is removed at the end."""
    if not console.is_terminal:
        yield None
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
