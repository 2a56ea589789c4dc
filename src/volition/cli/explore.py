"""``volition explore``: how much a program can do."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import click

from volition.api.answers import coverage, explore
from volition.cli.documents import coverage_document, model_document
from volition.cli.options import Limited, ProgramCommand, display_options, limit_options, program_argument, stats_option
from volition.cli.process import Exit
from volition.cli.rendering import coverage_table, model_line, statistics
from volition.cli.screen import Screen
from volition.languages import load

__all__ = ["command"]


@click.command("explore", cls=ProgramCommand)
@program_argument
@click.option("--coverage", "covered", is_flag=True, help="Show which plans, actions and rules are never used.")
@limit_options
@stats_option
@display_options
@click.pass_context
def command(
    ctx: click.Context, program: Path, settings: Mapping[str, str], covered: bool, limits: Limited, stats: bool, screen: Screen
) -> None:
    """Explore the state space of PROGRAM and show its size.

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
    read = time.perf_counter() - start
    with screen.progress() as progress:
        space = explore(loaded, **limits, progress=progress)
    document = model_document(space)
    screen.print(model_line(loaded.language, space))
    if covered:
        found = coverage(space)
        screen.print("", coverage_table(found))
        document["coverage"] = coverage_document(found)
    if stats:
        screen.print("", statistics(space, {"reading": read}))
    if space.stopped is not None:
        screen.note(space.stopped.text)
    screen.document(lambda: document)
    ctx.exit(Exit.AS_EXPECTED if space.complete else Exit.STOPPED)
