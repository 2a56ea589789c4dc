"""``volition show``: show a program as Volition parsed it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from volition.api.checks import show
from volition.api.inputs import load_subject
from volition.cli.options import ProgramCommand, display_options, program_argument
from volition.cli.rendering import program_table
from volition.cli.screen import SafeText, Screen

__all__ = ["command"]


@click.command("show", cls=ProgramCommand)
@program_argument
@display_options
def command(program: Path, settings: Mapping[str, str], screen: Screen) -> None:
    """Show PROGRAM as Volition parsed it, with its properties and with warnings.

    \b
    Examples:
      volition show examples/can/smart_manufacturing.can
      volition show examples/can/rover.can --json
    """
    given = load_subject(program, settings=settings)
    loaded = given.program
    tables = show(loaded)
    screen.print(
        SafeText().append(str(program), "bold").append(f" is a program in {loaded.language}")
    )
    for table in tables:
        if table.rows:
            screen.print("", program_table(table))
    screen.diagnostics(given.warnings)
    screen.document(
        lambda: {
            "program": str(program),
            "language": loaded.language,
            "tables": [
                {
                    "title": table.title,
                    "columns": list(table.columns),
                    "rows": [list(row) for row in table.rows],
                }
                for table in tables
            ],
            "warnings": [each.as_json() for each in given.warnings],
        }
    )
