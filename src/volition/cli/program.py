"""Definition of the command-line program ``volition``: its commands, and the exit code of its
process."""

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
    "check": "Check properties of a program and show counterexamples and strategies.",
    "strategy": "Show the strategy behind an optimal value as a table, plot, code or program.",
    "studio": "Edit, check and explore a program in the browser.",
    "run": "Run a program in a simulated or external world and record what happens.",
    "simulate": "Estimate properties by random runs, without exploring the state space.",
    "sweep": "Check properties for many values of a program's parameters.",
    "pareto": "Show which values of several objectives can be achieved together.",
    "mission": "Compute success probability and cost of a goal that may be missed.",
    "explore": "Explore the state space of a program and show its size.",
    "show": "Show a program as Volition parsed it.",
    "test": "Check every program in a folder against the expected results in its file.",
    "slice": "Show the part of a program that is relevant to given properties.",
    "export": "Translate a program into the input of another tool.",
    "view": "Show a recorded run as an HTML page.",
    "replay": "Replay a recorded run and show whether each step is still possible.",
    "conform": "Check whether recorded runs are runs of the verified model.",
    "learn": "Estimate a program's probabilities from recorded runs, with intervals.",
    "trust": "Allow programs in a folder to run their own code.",
    "explain-code": "Explain an error code: cause, example and remedy.",
    "completion": "Print the completion script for a shell.",
}
"""Commands of ``volition`` with their summaries, in the order of the overview: the most common
first."""

_COMPLETION = "_VOLITION_COMPLETE"
"""Environment variable with which a shell requests completions."""

_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""Error numbers of the operating system that mean a failed write to a standard stream."""


class _Commands(click.Group):
    """Group of all commands of ``volition``. It imports the module of a command on first use; the
    overview of the commands needs none of these modules."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the program and end this process with an exit code of :class:`Exit`.

        Click itself uses 1 for many errors; here 1 means that a property is violated.
        """
        if not standalone_mode or _COMPLETION in os.environ:
            return super().main(args, prog_name, complete_var, standalone_mode, **extra)
        arguments = list(sys.argv[1:] if args is None else args)
        sys.exit(self._exit_code_of(arguments, prog_name or "volition", extra))

    def _exit_code_of(self, arguments: Sequence[str], name: str, extra: dict[str, Any]) -> int:
        """Run ``volition`` with the given arguments and return the exit code.

        1 is returned only if the command itself chose it, because it means a violated property.
        """
        try:
            use_ascii_fallback()
            with raise_on_sigterm(), refusing_exits() as attempts:
                code = self._code(list(arguments), name, extra)
                sys.stdout.flush()
            if attempts and code == Exit.SUCCESS:
                message = f"the program's own code called {attempts[0]}, which is not allowed"
                hint = (
                    "return from the skill or world, or raise an exception, instead of ending "
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
        command = importlib.import_module(f"volition.cli.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _report_crash(error: BaseException, arguments: Sequence[str]) -> None:
    """Report an internal error to the user.

    If the report fails too, for the same reason or because the streams are closed, print one line.
    """
    try:
        from volition.cli.crash_report import report_crash

        report_crash(error, arguments)
    except Exception as another:
        discard_pending_output()
        print_to_stderr(
            f"internal error, no answer: {type(error).__name__}, then {type(another).__name__}"
        )


def _message(error: click.ClickException) -> str:
    """Return click's error message with control characters escaped.

    The message may quote arguments, which can contain any character.
    """
    if isinstance(error, click.NoSuchOption):
        error = _unknown_option(error)
    if isinstance(error, click.UsageError) and error.ctx is not None:
        error.ctx.color = True
    stream = io.StringIO()
    error.show(stream)
    return escape_control_characters(stream.getvalue())


def _unknown_option(error: click.NoSuchOption) -> click.UsageError:
    """Return the error for an unknown option, with a suggestion only if an option is similar.

    Click would suggest ``--jobs`` for ``--bogus``.
    """
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
            click.echo("volition, run from its source without installation")
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
    """Model checker and runtime for BDI (belief-desire-intention) agent programs.

    Volition reads an agent program, explores its state space and checks properties: does the agent
    always reach its goal, with what probability, at what cost, and under which strategy? If a
    property is violated, it shows a counterexample.

    \b
    Examples:
      volition check examples/can/smart_manufacturing.can
      volition check examples/can/rover.can -p 'Pmax=? [ F Bel(done_1) ]'
      volition explore examples/can/rover.can --stats
      volition check --help

    \b
    Exit codes:
      0  all properties hold, or all results are as expected
      1  a property is violated, or a result is not as expected
      2  input error; the messages say where and why
      3  stopped at a limit before the answer was known
     70  internal error; the message names a report that you can send us
    """
