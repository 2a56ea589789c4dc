"""``volition replay``: replay a recorded run on a program."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from volition.api.checks import replay
from volition.api.inputs import load_subject
from volition.cli.exit_and_files import Exit
from volition.cli.json_output import replay_document
from volition.cli.options import ProgramCommand, display_options, program_argument
from volition.cli.rendering import replay_table
from volition.cli.screen import Screen

__all__ = ["command"]


@click.command("replay", cls=ProgramCommand)
@click.argument("trace", type=click.Path(path_type=Path))
@program_argument
@display_options
@click.pass_context
def command(
    ctx: click.Context, trace: Path, program: Path, settings: Mapping[str, str], screen: Screen
) -> None:
    """Replay the run in the file TRACE on PROGRAM and show whether each step is still possible.

    TRACE can be written by 'volition check --write-trace' or 'volition run --record', or it can be
    the value of "trace" in the output of 'volition check --json'. Exit code 0 means that the run is
    still a run of the program, 1 that it is not.

    \b
    Examples:
      volition check examples/dribble/vacuum.dribble --write-trace run.json
      volition replay run.json examples/dribble/vacuum_repaired.dribble
    """
    replayed = replay(trace, load_subject(program, settings=settings).program)
    screen.print(replay_table(replayed))
    screen.document(lambda: replay_document(replayed))
    ctx.exit(Exit.SUCCESS if replayed.possible else Exit.VIOLATED)
