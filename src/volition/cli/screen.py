"""Where the commands write: results on standard output, messages on standard error, JSON when asked for."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

import click
from rich.console import Console, RenderableType
from rich.text import Text

from volition.diagnostics import Diagnostic, render

__all__ = ["Screen"]

_PIPED_WIDTH = 120
"""Columns where the output is no terminal and COLUMNS does not say; rich would take 80 and break formulas."""


class Screen:
    """The two streams of a command.  With ``as_json`` standard output gets one JSON object and nothing else."""

    def __init__(self, *, as_json: bool, no_color: bool) -> None:
        self.as_json = as_json
        self._out = _console(stderr=False, no_color=no_color)
        self.messages = _console(stderr=True, no_color=no_color)

    def print(self, *parts: RenderableType) -> None:
        """Show parts to a person; nothing where a program reads the output."""
        if not self.as_json:
            for part in parts:
                self._out.print(part)

    def plain(self, text: str) -> None:
        """Text for another tool, exactly as it is."""
        if not self.as_json:
            click.echo(text, nl=False)

    def document(self, data: Mapping[str, Any]) -> None:
        """The JSON object, where one was asked for."""
        if self.as_json:
            click.echo(json.dumps(data, indent=2, ensure_ascii=False))

    def diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Errors and warnings for a person."""
        for each in diagnostics:
            self.messages.print(_highlighted(each), soft_wrap=True)

    def note(self, text: str) -> None:
        """A remark for a person that is no result."""
        self.messages.print(Text(text, "yellow"))

    def refuse(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Everything that is wrong with the input; with ``as_json`` for a program as well."""
        diagnostics = tuple(diagnostics)
        self.diagnostics(diagnostics)
        self.document({"diagnostics": [each.as_json() for each in diagnostics]})


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leaves the exception to the program; rich would end it with the exit code of a violated property."""
        raise


def _console(*, stderr: bool, no_color: bool) -> Console:
    console = _Console(stderr=stderr, no_color=no_color or None, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPED_WIDTH
    return console


def _highlighted(diagnostic: Diagnostic) -> Text:
    """The rendered diagnostic with its head and its carets in the colour of its severity."""
    colour = "red" if diagnostic.severity == "error" else "yellow"
    text = Text(render(diagnostic))
    text.highlight_regex(r"(?m)^\w+\[\w+\]", f"bold {colour}")
    text.highlight_regex(r"(?m)\^+$", f"bold {colour}")
    text.highlight_regex(r"(?m)^ *(-->|\|)|^\d+ \|", "dim")
    text.highlight_regex(r"(?m)^  help:", "bold cyan")
    return text
