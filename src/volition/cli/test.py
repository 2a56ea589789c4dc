"""``volition test``: program files are their own oracle."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from volition.api.checks import ProgramTestResult, test
from volition.cli.exit_and_files import Exit, exit_code
from volition.cli.json_output import report_json
from volition.cli.options import (
    LimitOptions,
    ProgramCommand,
    display_options,
    limit_options,
    trust_option,
)
from volition.cli.rendering import program_result_line
from volition.cli.screen import SafeText, Screen
from volition.diagnostics import Diagnostic, Diagnostics
from volition.languages import LANGUAGES, io_errors_as_input_errors
from volition.languages.common.misnamed_files import warn_misnamed_files

__all__ = ["command"]


@click.command("test", cls=ProgramCommand)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@trust_option
@limit_options
@display_options
@click.pass_context
def command(ctx: click.Context, folder: Path, limits: LimitOptions, screen: Screen) -> None:
    """Check every program in DIR and below against the results that its file states.

    Limits hold for each program. Exit code 0 means that every stated result is as expected.

    \b
    Examples:
      volition test examples
      volition test examples/can --timeout 1m
    """
    with io_errors_as_input_errors(folder):
        screen.diagnostics(_unread(folder))
    ends, documents = zip(*(_told(each, screen) for each in test(folder, **limits)), strict=True)
    stated = any(each.get("as_expected") for each in documents)
    screen.document(
        lambda: {
            "as_expected": (stated or None) if set(ends) == {Exit.SUCCESS} else False,
            "programs": documents,
        }
    )
    # Wrong input counts most, then a wrong result, then a missing one.
    ctx.exit(
        next(
            (code for code in (Exit.BAD_INPUT, Exit.VIOLATED, Exit.INCOMPLETE) if code in ends),
            Exit.SUCCESS,
        )
    )


def _unread(folder: Path) -> Sequence[Diagnostic]:
    """Files that nobody tests, because their names end in nearly the way of a program's."""
    found = Diagnostics()
    files = (Path(position) / name for position, _, names in os.walk(folder) for name in names)
    warn_misnamed_files(files, [language.suffix for language in LANGUAGES], found)
    return found.warnings


def _told(tested: ProgramTestResult, screen: Screen) -> tuple[Exit, dict[str, Any]]:
    """One program: how it ends, and its JSON object."""
    path, report = tested.program, tested.report
    if report is None:
        screen.print(SafeText().append("✗", "bold red").append(f" {path}: invalid input"))
        screen.diagnostics(tested.diagnostics)
        return Exit.BAD_INPUT, {
            "program": str(path),
            "diagnostics": [each.as_json() for each in tested.diagnostics],
        }
    screen.print(program_result_line(path, report.answers, tested.seconds))
    return exit_code(report), {
        "program": str(path),
        **report_json(report, path, evidenced=False),
    } if screen.as_json else {}
