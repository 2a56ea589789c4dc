"""``volition explore``: how much a program can do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from volition.cli.documents import model_document
from volition.cli.options import Exit, ProgramCommand, display_options, limit_options, program_argument, stats_option
from volition.cli.progress import shown_progress
from volition.cli.rendering import model_line, statistics
from volition.cli.screen import Screen
from volition.kernel import Limits, explore
from volition.languages import load

__all__ = ["command"]


@click.command("explore", cls=ProgramCommand)
@program_argument
@limit_options
@stats_option
@display_options
@click.pass_context
def command(ctx: click.Context, program: Path, settings: Mapping[str, str], limits: Limits, stats: bool, screen: Screen) -> None:
    """Explore everything PROGRAM can do and say how much that is.

    An exploration that stops at a limit says so, prints what it found, and ends with exit code 3.

    \b
    Examples:
      volition explore examples/can/smart_manufacturing.can --stats
      volition explore examples/can/rover.can --json
      volition explore examples/agentspeak/auction --max-states 500k --timeout 2m
    """
    loaded = load(program, settings)
    screen.diagnostics(loaded.warnings)
    with shown_progress(screen.messages) as progress:
        space = explore(loaded.model().system, limits=limits, progress=progress)
    screen.print(model_line(space))
    if stats:
        screen.print(statistics(space))
    if space.stopped is not None:
        screen.note(space.stopped.text)
    screen.document(model_document(space))
    ctx.exit(Exit.AS_EXPECTED if space.complete else Exit.STOPPED)
