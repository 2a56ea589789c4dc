"""``volition explore``: how much a program can do."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from volition.api.checks import coverage, explore
from volition.api.inputs import load_subject
from volition.api.spaces import encode_space_file, require_space_suffix
from volition.cli.exit_and_files import Exit, expect_writable, write_file
from volition.cli.json_output import coverage_document, state_space_json
from volition.cli.options import (
    LimitOptions,
    ProgramCommand,
    depth_option,
    display_options,
    limit_options,
    program_argument,
    stats_option,
)
from volition.cli.rendering import coverage_table, model_line, statistics
from volition.cli.screen import Screen

__all__ = ["command"]


@click.command("explore", cls=ProgramCommand)
@program_argument
@click.option(
    "--coverage",
    "covered",
    is_flag=True,
    help="Show which plans, actions and rules are never used.",
)
@click.option(
    "--save",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the state space to FILE, which ends in .vsp: every command takes it in the place "
    "of the program.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@click.option(
    "--for",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    help="Let states remember what FORMULA asks for, such as the last action (Does); may be "
    "repeated.",
)
@click.option(
    "--further", is_flag=True, help="Go on where the exploration of a saved state space stopped."
)
@depth_option
@limit_options
@stats_option
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    program: Path,
    settings: Mapping[str, str],
    covered: bool,
    file: Path | None,
    force: bool,
    formulas: Sequence[str],
    further: bool,
    depth: int | None,
    limits: LimitOptions,
    stats: bool,
    screen: Screen,
) -> None:
    """Explore the state space of PROGRAM and show its size.

    An exploration that stops at a limit says so, prints what it found, and ends with exit code 3.
    With --save it is kept: the commands that are given the file have nothing to explore, and what
    is large in it stays on disk.

    \b
    Examples:
      volition explore examples/can/smart_manufacturing.can --stats
      volition explore examples/can/rover.can --json
      volition explore examples/dribble/vacuum.dribble --coverage
      volition explore examples/agentspeak/auction --max-states 500k --timeout 2m
      volition explore examples/agentspeak/auction --save auction.vsp
      volition explore auction.vsp --further --max-states 2M --save larger.vsp
    """
    if file is not None:
        require_space_suffix(file)
    expect_writable(file, force=force)
    start = time.perf_counter()
    given = load_subject(program, settings=settings)
    screen.diagnostics(given.warnings)
    read = time.perf_counter() - start
    if given.space is not None and not further:
        space = given.space
    else:
        with screen.progress() as progress:
            space = explore(
                given.subject, formulas=formulas, depth=depth, **limits, progress=progress
            )
    document = state_space_json(space)
    screen.print(model_line(given.program.language, space))
    if file is not None:
        write_file(file, encode_space_file(space))
        screen.note(f"saved in '{file}'")
    if covered:
        found = coverage(space)
        screen.print("", coverage_table(found))
        document["coverage"] = coverage_document(found)
    if stats:
        screen.print("", statistics(space, {"reading": read}))
    if space.stopped is not None:
        screen.note(space.stopped.text)
    screen.document(lambda: document)
    ctx.exit(Exit.SUCCESS if space.complete else Exit.INCOMPLETE)
