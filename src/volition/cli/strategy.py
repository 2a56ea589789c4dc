"""``volition strategy``: show, plot, simulate or export the strategy behind an optimal value."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import click

from volition.analysis.figures import check_picture
from volition.analysis.strategy_simulation import Simulation
from volition.analysis.synthesis.synthesise import Synthesis
from volition.api.inputs import load_subject
from volition.api.plotting import save_plot
from volition.api.property_input import single_property
from volition.api.strategies import Form, render_strategy, simulate_strategy
from volition.api.strategies import strategy as synthesise
from volition.cli.exit_and_files import Exit, expect_writable, write_file
from volition.cli.json_output import answer_json, state_space_json
from volition.cli.options import (
    LimitOptions,
    ProgramCommand,
    display_options,
    limit_options,
    program_argument,
    whole_number,
)
from volition.cli.rendering import model_line, show_tables
from volition.cli.screen import SafeText, Screen, json_text
from volition.diagnostics import Diagnostic, InputError
from volition.languages.protocols import Program
from volition.reporting.formatting import number

__all__ = ["command"]


@click.command("strategy", cls=ProgramCommand)
@program_argument
@click.option(
    "-p",
    "--property",
    "formula",
    metavar="FORMULA",
    required=True,
    help="A query for an optimal value, such as 'Pmax=? [ F done ]'.",
)
@click.option(
    "--as",
    "form",
    type=click.Choice(["table", "tree", "json", "python", "can", "dot"]),
    default="table",
    help="Output format (default: table). python is a module with a function that chooses; can is "
    "a CAN program that follows the strategy and is checked to have the same value.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the strategy to FILE.",
)
@click.option(
    "--plot",
    "plot_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Plot the strategy as a tree (.svg, .png, .pdf).",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@click.option(
    "--simulate",
    "runs",
    type=whole_number(1),
    metavar="N",
    help="Simulate N runs under the strategy and estimate the value.",
)
@click.option(
    "--uniform",
    is_flag=True,
    help="With --simulate: choose uniformly at random instead of following the strategy.",
)
@click.option(
    "--seed",
    type=whole_number(0),
    default="1",
    metavar="S",
    help="Seed of the simulation (default: 1).",
)
@click.option(
    "--exact/--float",
    "exact",
    default=None,
    help="Compute with fractions, or in floating point with error bounds (default: depends on the "
    "size of the model).",
)
@limit_options
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    program: Path,
    settings: Mapping[str, str],
    formula: str,
    form: Form | Literal["json"],
    output: Path | None,
    plot_file: Path | None,
    force: bool,
    runs: int | None,
    uniform: bool,
    seed: int,
    exact: bool | None,
    limits: LimitOptions,
    screen: Screen,
) -> None:
    """Show the strategy behind an optimal value of PROGRAM.

    The table shows in which states which component moves and which action it takes. Each row is for
    all states that satisfy its conditions. If every strategy attains the value, there is no table.

    \b
    Examples:
      volition strategy examples/can/smart_manufacturing.can -p 'Pmax=? [ F (PS1 & PS2) ]'
      volition strategy examples/can/smart_manufacturing.can \\
        -p 'Pmax=? [ F (PS1 & PS2) ]' --as can -o careful.can
      volition strategy examples/can/rover.can \\
        -p 'R{"distance"}min=? [ F (SS1 & SS2) ]' --plot rover.svg
      volition strategy examples/can/vacuum.can -p 'Pmin=? [ F tidied ]' --simulate 10000 --seed 7
    """
    if uniform and runs is None:
        raise InputError(
            [Diagnostic("CLI013", "--uniform needs --simulate", hint="add --simulate N")]
        )
    expect_writable(output, plot_file, force=force)
    if plot_file is not None:
        check_picture(plot_file)
    given = load_subject(program, settings=settings)
    loaded = given.program
    screen.diagnostics(given.warnings)
    with screen.collecting_warnings() as warnings:
        prop = single_property(loaded, formula, warnings)
    with screen.progress() as progress:
        synthesis = synthesise(given.subject, prop, exact=exact, **limits, progress=progress)
    if synthesis.answer.verdict.unknown is not None:
        screen.note(f"unknown: {synthesis.answer.verdict.unknown}")
        screen.document(lambda: _document(loaded, program, synthesis, None))
        ctx.exit(Exit.INCOMPLETE)
    simulation = (
        None
        if runs is None
        else simulate_strategy(synthesis, runs=runs, seed=seed, uniform=uniform, **limits)
    )
    as_text = output is not None or (form != "table" and not screen.as_json)
    text = (
        _strategy_text(form, loaded, program, synthesis, simulation, limits, exact)
        if as_text
        else None
    )
    if plot_file is not None:
        save_plot(synthesis, plot_file)
    if text is None:
        _show(screen, loaded, synthesis)
    elif output is None:
        screen.plain(text)
    else:
        write_file(output, text)
    if simulation is not None:
        screen.note(simulation.sentence())
    screen.document(lambda: _document(loaded, program, synthesis, simulation))


def _show(screen: Screen, program: Program, synthesis: Synthesis) -> None:
    answer = synthesis.answer
    assert answer.verdict.value is not None, "a known answer has a value"
    screen.print(model_line(program.language, answer.exploration.space))
    screen.print(
        "", SafeText(f"{answer.prop.text} is ").append(number(answer.verdict.value), "bold")
    )
    show_tables(screen, synthesis)


def _strategy_text(
    form: Form | Literal["json"],
    program: Program,
    path: Path,
    synthesis: Synthesis,
    simulation: Simulation | None,
    limits: LimitOptions,
    exact: bool | None,
) -> str:
    """Return the strategy as text in the output format ``form``."""
    if form == "json":
        return json_text(_document(program, path, synthesis, simulation)) + "\n"
    return render_strategy(synthesis, form, exact=exact, **limits)


def _document(
    program: Program, path: Path, synthesis: Synthesis, simulation: Simulation | None
) -> dict[str, Any]:
    answer = synthesis.answer
    document: dict[str, Any] = {
        "language": program.language,
        "model": state_space_json(answer.exploration.space),
        **answer_json(answer, path, evidenced=False),
        "strategy": synthesis.as_json(),
    }
    return document if simulation is None else {**document, "simulation": simulation.as_json()}
