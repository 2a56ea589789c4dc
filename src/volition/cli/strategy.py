"""``volition strategy``: the choices behind an extreme value, as something to read, to draw or to
run."""

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
    help="An optimal value, such as Pmax=? [ F done ].",
)
@click.option(
    "--as",
    "form",
    type=click.Choice(["table", "tree", "json", "python", "can", "dot"]),
    default="table",
    help="The output format (default: table). python is a module to call, can a program that "
    "follows the strategy, checked again.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the strategy to a file.",
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the strategy as a tree (.svg, .png, .pdf).",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@click.option(
    "--simulate",
    "runs",
    type=whole_number(1),
    metavar="N",
    help="Simulate N runs under the strategy and estimate the value.",
)
@click.option("--at-random", is_flag=True, help="Simulate random choices instead of the strategy.")
@click.option(
    "--seed",
    type=whole_number(0),
    default="1",
    metavar="S",
    help="The seed of the simulation (default: 1).",
)
@click.option(
    "--exact/--float",
    "exact",
    default=None,
    help="Answer with fractions, or with floating point and bounds (default: by size).",
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
    picture: Path | None,
    force: bool,
    runs: int | None,
    at_random: bool,
    seed: int,
    exact: bool | None,
    limits: LimitOptions,
    screen: Screen,
) -> None:
    """Show the strategy behind an optimal value of PROGRAM.

    Who goes on, and by which step, in which situation: situations that differ only in what does not
    matter are one row.  Where every strategy attains the value, this says "any choice".

    \b
    Examples:
      volition strategy examples/can/smart_manufacturing.can -p 'Pmax=? [ F (PS1 & PS2) ]' volition
      strategy examples/can/smart_manufacturing.can -p 'Pmax=? [ F (PS1 & PS2) ]' --as can -o
      careful.can volition strategy examples/can/rover.can -p 'R{"distance"}min=? [ F (SS1 & SS2) ]'
      --picture rover.svg volition strategy examples/can/vacuum.can -p 'Pmin=? [ F tidied ]'
      --simulate 10000 --seed 7
    """
    if at_random and runs is None:
        raise InputError(
            [Diagnostic("CLI013", "--at-random needs --simulate", hint="add --simulate N")]
        )
    expect_writable(output, picture, force=force)
    if picture is not None:
        check_picture(picture)
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
        else simulate_strategy(synthesis, runs=runs, seed=seed, at_random=at_random, **limits)
    )
    as_text = output is not None or (form != "table" and not screen.as_json)
    text = (
        _written(form, loaded, program, synthesis, simulation, limits, exact) if as_text else None
    )
    if picture is not None:
        save_plot(synthesis, picture)
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
    assert answer.verdict.value is not None, "what is not unknown has a value"
    screen.print(model_line(program.language, answer.exploration.space))
    screen.print(
        "", SafeText(f"{answer.prop.text} is ").append(number(answer.verdict.value), "bold")
    )
    show_tables(screen, synthesis)


def _written(
    form: Form | Literal["json"],
    program: Program,
    path: Path,
    synthesis: Synthesis,
    simulation: Simulation | None,
    limits: LimitOptions,
    exact: bool | None,
) -> str:
    """The strategy in one of its forms, as text."""
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
