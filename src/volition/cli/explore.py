"""``volition explore``: how much a program can do."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import click

from volition.cli.documents import coverage_document, model_document
from volition.cli.exits import Exit
from volition.cli.options import ProgramCommand, display_options, limit_options, program_argument, stats_option
from volition.cli.progress import shown_progress
from volition.cli.rendering import coverage_table, model_line, statistics
from volition.cli.screen import Screen
from volition.kernel import Limits, explore
from volition.languages import load
from volition.telling.coverage import coverage

__all__ = ["command"]


@click.command("explore", cls=ProgramCommand)
@program_argument
@click.option("--coverage", "covered", is_flag=True, help="Say which plans, actions and rules no run ever uses.")
@limit_options
@stats_option
@display_options
@click.pass_context
def command(
    ctx: click.Context, program: Path, settings: Mapping[str, str], covered: bool, limits: Limits, stats: bool, screen: Screen
) -> None:
    """Explore everything PROGRAM can do and say how much that is.

    An exploration that stops at a limit says so, prints what it found, and ends with exit code 3.

    \b
    Examples:
      volition explore examples/can/smart_manufacturing.can --stats
      volition explore examples/can/rover.can --json
      volition explore examples/dribble/vacuum.dribble --coverage
      volition explore examples/agentspeak/auction --max-states 500k --timeout 2m
    """
    start = time.perf_counter()
    loaded = load(program, settings)
    screen.diagnostics(loaded.warnings)
    model = loaded.model()
    read = time.perf_counter() - start
    with shown_progress(screen.messages) as progress:
        space = explore(model.system, limits=limits, progress=progress)
    document = model_document(space)
    screen.print(model_line(loaded.language, space))
    if covered:
        found = coverage(model, space)
        screen.print("", coverage_table(found))
        document["coverage"] = coverage_document(found)
    if stats:
        screen.print("", statistics(space, {"reading": read}))
    if space.stopped is not None:
        screen.note(space.stopped.text)
    screen.document(document)
    ctx.exit(Exit.AS_EXPECTED if space.complete else Exit.STOPPED)
