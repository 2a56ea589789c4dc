"""``volition studio``: start the graphical interface in the browser."""

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
    """Edit, check and explore PROGRAM, or a folder of programs, in the browser.

    The pages are served on this machine only. Anyone who knows the printed address can open them.
    Examples are opened as copies. Files are saved only when you choose to save. Press Ctrl-C to
    stop the studio.

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
        hint = "install it with: python -m pip install 'volition[studio]'"
        raise InputError(
            [Diagnostic("STU006", f"the studio needs the package nicegui: {error}", hint=hint)]
        ) from None

    def show_address(address: str) -> None:
        screen.print("The studio is running (press Ctrl-C to stop it):", address)
        screen.document(lambda: {"address": address})

    permissions = Permissions(
        allows=is_allowed, remember=lambda folder: save_trusted([*listed(), folder])
    )
    serve(program, port=port, show=not no_open, permissions=permissions, started=show_address)
