"""``volition test``: program files are their own oracle."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from volition.api.answers import Tested, test
from volition.cli.documents import report_document
from volition.cli.options import Limited, ProgramCommand, display_options, limit_options, trust_option
from volition.cli.process import Exit, exit_code
from volition.cli.rendering import tested_line
from volition.cli.screen import Screen, Words
from volition.diagnostics import Diagnostic, Diagnostics
from volition.languages import LANGUAGES, readable
from volition.languages.kit.siblings import check_siblings

__all__ = ["command"]


@click.command("test", cls=ProgramCommand)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@trust_option
@limit_options
@display_options
@click.pass_context
def command(ctx: click.Context, folder: Path, limits: Limited, screen: Screen) -> None:
    """Check every program in DIR and below against the results that its file states.

    Limits hold for each program. Exit code 0 means that every stated result is as expected.

    \b
    Examples:
      volition test examples
      volition test examples/can --timeout 1m
    """
    with readable(folder):
        screen.diagnostics(_unread(folder))
    ends, documents = zip(*(_told(each, screen) for each in test(folder, **limits)), strict=True)
    stated = any(each.get("as_expected") for each in documents)
    screen.document(lambda: {"as_expected": (stated or None) if set(ends) == {Exit.AS_EXPECTED} else False, "programs": documents})
    # Wrong input counts most, then a wrong result, then a missing one.
    ctx.exit(next((code for code in (Exit.BAD_INPUT, Exit.VIOLATED, Exit.STOPPED) if code in ends), Exit.AS_EXPECTED))


def _unread(folder: Path) -> Sequence[Diagnostic]:
    """Files that nobody tests, because their names end in nearly the way of a program's."""
    found = Diagnostics()
    files = (Path(place) / name for place, _, names in os.walk(folder) for name in names)
    check_siblings(files, [language.suffix for language in LANGUAGES], found)
    return found.warnings


def _told(tested: Tested, screen: Screen) -> tuple[Exit, dict[str, Any]]:
    """One program: how it ends, and its JSON object."""
    path, report = tested.program, tested.report
    if report is None:
        screen.print(Words().append("✗", "bold red").append(f" {path}: invalid input"))
        screen.diagnostics(tested.diagnostics)
        return Exit.BAD_INPUT, {"program": str(path), "diagnostics": [each.as_json() for each in tested.diagnostics]}
    screen.print(tested_line(path, report.answers, tested.seconds))
    return exit_code(report), {"program": str(path), **report_document(report, path, evidenced=False)} if screen.as_json else {}
