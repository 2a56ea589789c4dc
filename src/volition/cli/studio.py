"""``volition studio``: Volition in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from volition.cli.options import ProgramCommand, display_options, whole_number
from volition.cli.permissions import is_allowed, listed, save_trusted
from volition.cli.screen import Screen
from volition.diagnostics import Diagnostic, InputError

__all__ = ["command"]


@click.command("studio", cls=ProgramCommand)
@click.argument("program", required=False, metavar="[PROGRAM]", type=click.Path(path_type=Path))
@click.option(
    "--port", type=whole_number(1), metavar="N", help="The port to listen on (default: a free one)."
)
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
@display_options
def command(program: Path | None, port: int | None, no_open: bool, screen: Screen) -> None:
    """Look at PROGRAM, or at a folder of programs, in the browser: edit, check, see why, walk
    through its states.

    The pages come from this machine and can be seen from this machine only, by whoever opens the
    address that is printed.  Examples are opened as copies; nothing is saved unless you say so.
    Ctrl-C ends it.

    \b
    Examples:
      volition studio
      volition studio examples/agentspeak/auction
      volition studio ~/my_agents --port 8765 --no-open
    """
    try:
        from volition.studio.access_control import Permissions
        from volition.studio.server import serve
    except ImportError as error:
        hint = "install volition with its extra 'studio'"
        raise InputError(
            [Diagnostic("STU006", f"the studio needs the package nicegui: {error}", hint=hint)]
        ) from None

    def told(address: str) -> None:
        screen.print("The studio (Ctrl-C ends it):", address)
        screen.document(lambda: {"address": address})

    permissions = Permissions(
        allows=is_allowed, remember=lambda folder: save_trusted([*listed(), folder])
    )
    serve(program, port=port, show=not no_open, permissions=permissions, started=told)
