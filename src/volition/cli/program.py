"""The program ``volition`` itself: which commands there are, and what they are for."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any

import click
from click.exceptions import Exit as Ended

from volition.cli.exit_and_files import (
    Exit,
    discard_pending_output,
    print_to_stderr,
    use_ascii_fallback,
)
from volition.diagnostics import (
    Diagnostic,
    did_you_mean,
    escape_control_characters,
    nearest,
    render,
)
from volition.subprocesses import Terminated, raise_on_sigterm, refusing_exits

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "check": "Check properties of a program, with evidence.",
    "strategy": "Show the strategy behind an optimal value: as a table, a picture, code or a "
    "program.",
    "studio": "Look at a program in the browser: edit, check, see why, walk through its states.",
    "run": "Run a program, in a simulated world or a connected one, and record what happens.",
    "simulate": "Estimate properties by random runs, without exploring.",
    "sweep": "Check properties for many values of a program's parameters.",
    "pareto": "Show which values of several objectives can be achieved together.",
    "mission": "Weigh success against cost where success is not certain.",
    "explore": "Explore the state space of a program and show its size.",
    "show": "Show a program as it was understood.",
    "test": "Check every program in a folder against the results its files state.",
    "slice": "Show the part of a program that matters to a property.",
    "export": "Write a program as the input of another tool.",
    "view": "Show a recorded run as a page to look at.",
    "replay": "Re-execute a recorded run and say whether each step is still possible.",
    "conform": "Say whether recorded runs are runs of the verified model.",
    "learn": "Estimate a program's probabilities from recorded runs, with intervals.",
    "trust": "Allow programs in a folder to run their own code.",
    "completion": "Print the completion script for a shell.",
}
"""Each command with its line in the overview, in the order in which people meet them."""

_COMPLETION = "_VOLITION_COMPLETE"
"""The variable by which a shell asks how a line can go on."""

_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""What a system says when a stream, which has no name, takes no more."""


class _Commands(click.Group):
    """Imports the module of a command when the command is used; the overview needs none of them."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs the program, and ends this process with an exit code: click's own would be 1 for
        much that is no verdict."""
        if not standalone_mode or _COMPLETION in os.environ:
            return super().main(args, prog_name, complete_var, standalone_mode, **extra)
        arguments = list(sys.argv[1:] if args is None else args)
        sys.exit(self._exit_code_of(arguments, prog_name or "volition", extra))

    def _exit_code_of(self, arguments: Sequence[str], name: str, extra: dict[str, Any]) -> int:
        """How the program ended.  Only a command that says so ends with the exit code of a violated
        property."""
        try:
            use_ascii_fallback()
            with raise_on_sigterm(), refusing_exits() as attempts:
                code = self._code(list(arguments), name, extra)
                sys.stdout.flush()
            if attempts and code == Exit.SUCCESS:
                message = f"the program's own code called {attempts[0]}, which is refused"
                hint = (
                    "let a skill or a world return, or raise an exception, instead of ending "
                    "the process"
                )
                print_to_stderr(render(Diagnostic("CLI012", message, hint=hint)))
                return Exit.BAD_INPUT
            return code
        except Terminated:
            return Exit.TERMINATED
        except (KeyboardInterrupt, click.Abort):
            print_to_stderr("interrupted")
            return Exit.INTERRUPTED
        except BrokenPipeError:
            discard_pending_output()
            return Exit.BROKEN_PIPE
        except MemoryError:
            print_to_stderr(
                "stopped: out of memory; use --max-memory or --max-states to stop earlier"
            )
            return Exit.INCOMPLETE
        except BaseException as error:
            if isinstance(error, OSError) and error.errno in _UNWRITABLE and error.filename is None:
                discard_pending_output()
                print_to_stderr(
                    render(Diagnostic("CLI004", f"cannot write the output: {error.strerror}"))
                )
                return Exit.BAD_INPUT
            _report_crash(error, arguments)
            return Exit.INTERNAL_ERROR

    def _code(self, arguments: list[str], name: str, extra: dict[str, Any]) -> int:
        try:
            with self.make_context(name, arguments, **extra) as ctx:
                self.invoke(ctx)
        except Ended as ended:
            return ended.exit_code
        except click.ClickException as error:
            print_to_stderr(_message(error).rstrip("\n"))
            return Exit.BAD_INPUT
        return Exit.SUCCESS

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in COMMANDS:
            hint = did_you_mean(cmd_name, COMMANDS)
            raise click.UsageError(
                f"unknown command '{cmd_name}'" + (f": {hint}" if hint else ""), ctx
            )
        command = importlib.import_module(f"volition.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _report_crash(error: BaseException, arguments: Sequence[str]) -> None:
    """Tells a mistake of ours; that may go wrong as well, for the same reason or because nobody
    reads it, and is no verdict either."""
    try:
        from volition.cli.crash_report import report_crash

        report_crash(error, arguments)
    except Exception as another:
        discard_pending_output()
        print_to_stderr(
            f"internal error, no answer: {type(error).__name__}, then {type(another).__name__}"
        )


def _message(error: click.ClickException) -> str:
    """What click says about the arguments, which may hold anything: click itself would leave it
    out, or pass it on."""
    if isinstance(error, click.NoSuchOption):
        error = _unknown_option(error)
    if isinstance(error, click.UsageError) and error.ctx is not None:
        error.ctx.color = True
    said = io.StringIO()
    error.show(said)
    return escape_control_characters(said.getvalue())


def _unknown_option(error: click.NoSuchOption) -> click.UsageError:
    """Suggest an option only if it is near; click itself suggests ``--jobs`` for ``--bogus``."""
    parameters = error.ctx.command.get_params(error.ctx) if error.ctx is not None else ()
    known = {
        spelling.lstrip("-"): spelling
        for each in parameters
        for spelling in (*each.opts, *each.secondary_opts)
    }
    near = nearest(error.option_name.lstrip("-"), known)
    return click.UsageError(
        f"unknown option '{error.option_name}'"
        + (f": did you mean '{known[near]}'?" if near else ""),
        error.ctx,
    )


def _print_version(ctx: click.Context, param: click.Parameter, requested: bool) -> None:  # noqa: ARG001
    if requested and not ctx.resilient_parsing:
        from importlib import metadata

        try:
            click.echo(f"volition {metadata.version('volition')}")
        except metadata.PackageNotFoundError:
            click.echo("volition, run from its sources without being installed")
        ctx.exit()


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Verify agents that believe, desire and intend.

    Volition reads a BDI agent program, explores everything it can do, and answers questions about
    it: does it always reach its goal, with what probability, at what cost, by which choices; and if
    not, shows the run.

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
     70  a mistake of ours; the message names a report to send
    """
