"""``volition trust``: manage the folders whose programs may run their own code."""

from __future__ import annotations

import os
from pathlib import Path

import click

from volition.cli.options import ProgramCommand, display_options
from volition.cli.permissions import listed, save_trusted
from volition.cli.screen import Screen
from volition.diagnostics import Diagnostic, InputError

__all__ = ["command"]


@click.command("trust", cls=ProgramCommand)
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--list", "show_list", is_flag=True, help="List the trusted folders and exit.")
@click.option("--forget", is_flag=True, help="Stop trusting DIR.")
@display_options
def command(folder: Path | None, show_list: bool, forget: bool, screen: Screen) -> None:
    """Allow programs in DIR (default: the current folder) and its subfolders to run their own code
    from now on.

    A world in Python is such code. It runs with all your permissions, so trust only code from
    people you trust. The permission also covers files that are added to the folder later.

    \b
    Examples:
      volition trust ~/projects/auction
      volition trust --list
      volition trust --forget ~/projects/auction
    """
    known = listed()
    if not show_list:
        chosen = _real(folder or Path())
        named = Path(os.path.abspath(folder or Path()))
        if forget and named in known:  # the folder may have been replaced by a link
            chosen = named
        if forget and chosen not in known:
            raise InputError(
                [
                    Diagnostic(
                        "CLI015",
                        f"cannot forget the folder '{chosen}': it is not trusted",
                        hint="'volition trust --list' lists the trusted folders",
                    )
                ]
            )
        if not forget and not chosen.is_dir():
            raise InputError([Diagnostic("CLI018", f"folder '{chosen}' does not exist")])
        known = [each for each in known if each != chosen] if forget else [*known, chosen]
        save_trusted(known)
        screen.print(f"'{chosen}' is {'no longer trusted' if forget else 'trusted'}")
    elif folder is not None or forget:
        raise InputError(
            [
                Diagnostic(
                    "CLI013",
                    "--list cannot be combined with DIR or --forget",
                    hint="remove DIR and --forget",
                )
            ]
        )
    else:
        screen.print(*([str(each) for each in known] or ["no folder is trusted"]))
    screen.document(lambda: {"trusted": [str(each) for each in known]})


def _real(folder: Path) -> Path:
    try:
        return Path(os.path.realpath(folder))
    except OSError:  # the current folder was removed
        raise InputError([Diagnostic("CLI018", f"folder '{folder}' does not exist")]) from None
