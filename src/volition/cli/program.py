"""The program ``volition`` itself: which commands there are, and what they are for."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from volition.cli.exits import Exit
from volition.diagnostics import did_you_mean

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "check": "Answer properties of a program, with evidence.",
    "strategy": "Tell the choices behind an extreme value: as a table, a picture, code or a program.",
    "sweep": "Answer properties for many values of a program's parameters.",
    "pareto": "Show which values of several objectives can be had together.",
    "mission": "Weigh success against cost where success is not certain.",
    "explore": "Explore everything a program can do and say how much that is.",
    "show": "Show a program as it was understood.",
    "test": "Check every program in a folder against the results its files state.",
    "export": "Write a program as the input of another tool.",
    "replay": "Re-execute a recorded run and say whether each step is still possible.",
    "completion": "Print the completion script for a shell.",
}
"""Each command with its line in the overview, in the order in which people meet them."""


class _Commands(click.Group):
    """Imports the module of a command when the command is used; the overview needs none of them."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command.  Ctrl-C, even while it is being imported, and a reader that went away must not look like a verdict."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(Exit.INTERRUPTED)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(Exit.UNREAD)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in COMMANDS:
            hint = did_you_mean(cmd_name, COMMANDS)
            raise click.UsageError(f"there is no command '{cmd_name}'" + (f": {hint}" if hint else ""), ctx)
        command = importlib.import_module(f"volition.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _tell_version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:  # noqa: ARG001
    if wanted and not ctx.resilient_parsing:
        from importlib import metadata

        try:
            click.echo(f"volition {metadata.version('volition')}")
        except metadata.PackageNotFoundError:
            click.echo("volition, run from its sources without being installed")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_tell_version, help="Show the version and exit.")
def main() -> None:
    """Verify agents that believe, desire and intend.

    Volition reads a BDI agent program, explores everything it can do, and answers questions about it: does it always
    reach its goal, with what probability, at what cost, by which choices; and if not, shows the run.

    \b
    Examples:
      volition check examples/can/smart_manufacturing.can
      volition check examples/can/rover.can -p 'Pmax=? [ F Bel(done_1) ]'
      volition explore examples/can/rover.can --stats
      volition check --help

    \b
    Exit codes:
      0  everything holds, or is as the file expects
      1  a property is violated, or a result is not as expected
      2  the input is wrong; the messages say where and why
      3  stopped at a limit before the answer was known
    """
