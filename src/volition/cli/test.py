"""``volition test``: check programs against the expected results in their files."""

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
    """Check every program in DIR and its subfolders against the expected results in its file.

    The limits apply to each program. Exit code 0 means that all results are as expected.

    \b
    Examples:
      volition test examples
      volition test examples/can --timeout 1m
    """
    with io_errors_as_input_errors(folder):
        screen.diagnostics(_misnamed_files(folder))
    results = [_show_result(each, screen) for each in test(folder, **limits)]
    codes, documents = zip(*results, strict=True)
    has_expected = any(each.get("as_expected") for each in documents)
    screen.document(
        lambda: {
            "as_expected": (has_expected or None) if set(codes) == {Exit.SUCCESS} else False,
            "programs": documents,
        }
    )
    # An input error takes precedence over a wrong result, and a wrong result over a missing one.
    ctx.exit(
        next(
            (code for code in (Exit.BAD_INPUT, Exit.VIOLATED, Exit.INCOMPLETE) if code in codes),
            Exit.SUCCESS,
        )
    )


def _misnamed_files(folder: Path) -> Sequence[Diagnostic]:
    """Return warnings for files in a folder that are not tested because their suffix is
    misspelt."""
    found = Diagnostics()
    files = (Path(position) / name for position, _, names in os.walk(folder) for name in names)
    warn_misnamed_files(files, [language.suffix for language in LANGUAGES], found)
    return found.warnings


def _show_result(tested: ProgramTestResult, screen: Screen) -> tuple[Exit, dict[str, Any]]:
    """Print the test result of one program; return its exit code and its JSON object."""
    path, report = tested.program, tested.report
    if report is None:
        screen.print(SafeText().append("✗", "bold red").append(f" {path}: input error"))
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
