"""``volition test``: program files are their own oracle."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from volition.checking.check import check
from volition.cli.documents import report_document
from volition.cli.exits import Exit, exit_code
from volition.cli.options import ProgramCommand, display_options, limit_options, trust_option
from volition.cli.rendering import tested_line
from volition.cli.screen import Screen, Words
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Limits
from volition.languages import load, programs_in, readable

__all__ = ["command"]


@click.command("test", cls=ProgramCommand)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@trust_option
@limit_options
@display_options
@click.pass_context
def command(ctx: click.Context, folder: Path, limits: Limits, screen: Screen) -> None:
    """Check every program in DIR and below against the results that its file states.

    Limits hold for each program. Exit code 0 means that every stated result is as expected.

    \b
    Examples:
      volition test examples
      volition test examples/can --timeout 1m
    """
    with readable(folder):
        programs = programs_in(folder)
    if not programs:
        raise InputError([Diagnostic("CLI006", f"there is no program in '{folder}'")])
    ends, documents = zip(*(_test(program, limits, screen) for program in programs), strict=True)
    screen.document({"as_expected": all(end is Exit.AS_EXPECTED for end in ends), "programs": documents})
    # Wrong input counts most, then a wrong result, then a missing one.
    ctx.exit(next((code for code in (Exit.BAD_INPUT, Exit.VIOLATED, Exit.STOPPED) if code in ends), Exit.AS_EXPECTED))


def _test(path: Path, limits: Limits, screen: Screen) -> tuple[Exit, dict[str, Any]]:
    """One program: how it ends, and its JSON object."""
    start = time.perf_counter()
    try:
        program = load(path)
        stated = [each for each in program.properties if each.expected is not None]
        report = check(program, stated, limits=limits, evidenced=False)
    except InputError as error:
        screen.print(Words().append("✗", "bold red").append(f" {path}: the input is wrong"))
        screen.diagnostics(error.diagnostics)
        return Exit.BAD_INPUT, {"program": str(path), "diagnostics": [each.as_json() for each in error.diagnostics]}
    screen.print(tested_line(path, report.answers, time.perf_counter() - start))
    return exit_code(report), {"program": str(path), **report_document(report, path)}
