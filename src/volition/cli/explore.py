"""``volition explore``: explore the state space of a program and show its size."""

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
    help="Write the state space to FILE, whose name must end in .vsp. Other commands accept FILE "
    "instead of the program.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@click.option(
    "--observe",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    help="Store in each state what FORMULA refers to, such as the last action for Does; may be "
    "repeated.",
)
@click.option(
    "--resume", is_flag=True, help="Continue the exploration of a saved, incomplete state space."
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
    resume: bool,
    depth: int | None,
    limits: LimitOptions,
    stats: bool,
    screen: Screen,
) -> None:
    """Explore the state space of PROGRAM and show its size.

    If the exploration stops at a limit, the command shows the part explored so far and ends with
    exit code 3. With --save the state space is written to a file. Commands that read this file
    need not explore the program again; they keep the large parts of the state space on disk.

    \b
    Examples:
      volition explore examples/can/smart_manufacturing.can --stats
      volition explore examples/can/rover.can --json
      volition explore examples/dribble/vacuum.dribble --coverage
      volition explore examples/agentspeak/auction --max-states 500k --timeout 2m
      volition explore examples/agentspeak/auction --save auction.vsp
      volition explore auction.vsp --resume --max-states 2M --save larger.vsp
    """
    if file is not None:
        require_space_suffix(file)
    expect_writable(file, force=force)
    start = time.perf_counter()
    given = load_subject(program, settings=settings)
    screen.diagnostics(given.warnings)
    reading_time = time.perf_counter() - start
    if given.space is not None and not resume:
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
        screen.print("", statistics(space, {"reading": reading_time}))
    if space.stopped is not None:
        screen.note(space.stopped.text)
    screen.document(lambda: document)
    ctx.exit(Exit.SUCCESS if space.complete else Exit.INCOMPLETE)
