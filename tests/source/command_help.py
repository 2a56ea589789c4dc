"""The help texts in ``docs/reference/commands.md`` are the real ones: ``python -m
tests.source.command_help`` writes them again."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from volition.cli import main

__all__ = ["PAGE", "refreshed"]

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"
WIDTH = 108
BLOCK = re.compile(
    r"(?<=^```console\n)\$ volition ([\w-]+) --help\n.*?(?=^```$)", re.MULTILINE | re.DOTALL
)


def refreshed(text: str) -> str:
    """The page with the help texts of today."""
    return BLOCK.sub(lambda block: f"$ volition {block[1]} --help\n{_help(block[1])}", text)


def _help(command: str) -> str:
    return (
        CliRunner()
        .invoke(main, [command, "--help"], prog_name="volition", terminal_width=WIDTH)
        .stdout
    )


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text()))
