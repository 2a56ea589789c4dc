"""Output of the commands: results on standard output, messages on standard error, optionally JSON.

All text for people is written here, and never interpreted as markup. Names and messages from
programs, files and engines are shown literally; control and invisible characters are replaced by
visible ones.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.status import Status
from rich.style import StyleType
from rich.table import Table
from rich.text import Text

from volition.cli.exit_and_files import knows_all_characters
from volition.cli.hints import with_options
from volition.diagnostics import (
    Diagnostic,
    Diagnostics,
    escape_control_characters,
    merge_similar,
    plural,
    render,
)

if TYPE_CHECKING:
    from volition.kernel import Progress

__all__ = ["SafeTable", "SafeText", "Screen", "json_text"]

_PIPED_WIDTH = 120
"""Width of the output, in columns, if it is not a terminal and COLUMNS is not set. The library rich
would use 80 and wrap formulas."""
_MIN_WIDTH = 20
"""Minimum width of a table, in columns; a narrower terminal wraps the lines itself."""


class SafeText(Text):
    """Text without markup in which control and invisible characters are escaped.

    The text is escaped before its layout is computed. The console also escapes, but later, when
    longer text would no longer fit its column.
    """

    def __init__(self, text: str = "", style: StyleType = "") -> None:
        super().__init__(escape_control_characters(text), style)

    def append(self, text: Text | str, style: StyleType | None = None) -> SafeText:
        super().append(escape_control_characters(text) if isinstance(text, str) else text, style)
        return self


class SafeTable(Table):
    """Table that turns strings in its title, headers and cells into :class:`SafeText`."""

    def __init__(self, title: str | None = None, **options: Any) -> None:
        super().__init__(title=None if title is None else SafeText(title), **options)

    def add_column(self, header: RenderableType = "", *others: Any, **options: Any) -> None:
        super().add_column(_safe(header), *others, **options)

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        super().add_row(*(None if cell is None else _safe(cell) for cell in cells), **options)


def _safe(part: RenderableType) -> RenderableType:
    return SafeText(part) if isinstance(part, str) else part


def json_text(data: Mapping[str, Any], *, ascii_only: bool = False) -> str:
    """Return JSON text in which control and invisible characters are written as escapes.

    Parsing the text gives the original strings.
    """
    text = json.dumps(data, indent=2, ensure_ascii=ascii_only)
    return (
        text
        if escape_control_characters(text) == text
        else "".join(_escaped(character) for character in text)
    )


def _escaped(character: str) -> str:
    return (
        character
        if escape_control_characters(character) == character
        else json.dumps(character)[1:-1]
    )


class Screen:
    """Standard output and standard error of a command.

    With ``as_json``, standard output contains one JSON object and nothing else.
    """

    def __init__(self, *, as_json: bool, no_color: bool) -> None:
        self.as_json = as_json
        self._out = _console(stderr=False, no_color=no_color)
        self.messages = _console(stderr=True, no_color=no_color)
        self._warnings: list[Diagnostic] = []

    def print(self, *parts: RenderableType) -> None:
        """Print texts and tables on standard output; print nothing with ``as_json``."""
        if not self.as_json:
            for part in parts:
                self._out.print(_safe(part))

    def plain(self, text: str) -> None:
        """Print text for another tool on standard output, in UTF-8 whatever the encoding of the
        terminal; print nothing with ``as_json``."""
        if not self.as_json:
            click.echo(escape_control_characters(text).encode(), nl=False)

    def document(self, make: Callable[[], Mapping[str, Any]]) -> None:
        """With ``as_json``, print the JSON object that ``make`` returns, extended by all warnings
        that were shown until now. Otherwise do nothing."""
        if self.as_json:
            data = {**make(), "warnings": [each.as_json() for each in self._warnings]}
            click.echo(json_text(data, ascii_only=not knows_all_characters(sys.stdout)))

    def diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Print errors and warnings on standard error, with similar ones merged. Warnings are also
        stored, for the JSON object."""
        found = tuple(map(with_options, diagnostics))
        self._warnings += [each for each in found if each.severity == "warning"]
        for each in merge_similar(found):
            self.messages.print(_highlighted(each), soft_wrap=True)

    @contextmanager
    def collecting_warnings(self) -> Iterator[Diagnostics]:
        """Yield a collection for warnings about the input; print them at the end of the ``with``
        block, before the computation starts."""
        found = Diagnostics()
        yield found
        self.diagnostics(found.warnings)

    @contextmanager
    def progress(self) -> Iterator[Callable[[Progress], None] | None]:
        """Yield a callback that shows the progress of an exploration in one line on the terminal.

        The line is removed at the end. The callback is None if standard error is not a terminal.
        """
        if not self.messages.is_terminal:
            yield None
            return
        with Status("reading", console=self.messages) as status:
            yield lambda progress: status.update(_progress_text(progress))

    def note(self, text: str) -> None:
        """Print a note on standard error; it is not part of the result."""
        self.messages.print(SafeText(text, "yellow"))

    def print_errors(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Print diagnostics about invalid input on standard error; with ``as_json`` also as the
        JSON object on standard output."""
        diagnostics = tuple(map(with_options, diagnostics))
        self.diagnostics(diagnostics)
        self.document(lambda: {"diagnostics": [each.as_json() for each in diagnostics]})


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Raise the current exception again, for the caller. The library rich would exit with code
        1, which means a violated property."""
        raise

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Return the segments to print, with control and invisible characters escaped."""
        for segment in super().render(renderable, options):
            yield (
                segment
                if segment.control
                else segment._replace(text=escape_control_characters(segment.text))
            )


def _console(*, stderr: bool, no_color: bool) -> Console:
    console = _Console(
        stderr=stderr, no_color=no_color or None, markup=False, emoji=False, highlight=False
    )
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPED_WIDTH
    console.width = max(console.width, _MIN_WIDTH)
    return console


def _highlighted(diagnostic: Diagnostic) -> SafeText:
    """Return a diagnostic as coloured text: its heading and carets have the colour of its
    severity."""
    colour = "red" if diagnostic.severity == "error" else "yellow"
    text = SafeText(render(diagnostic))
    text.highlight_regex(r"(?m)^\w+\[\w+\]", f"bold {colour}")
    text.highlight_regex(r"(?m)\^+$", f"bold {colour}")
    text.highlight_regex(r"(?m)^ *(-->|\|)|^\d+ \|", "dim")
    text.highlight_regex(r"(?m)^  help:", "bold cyan")
    return text


def _progress_text(progress: Progress) -> str:
    """Return the progress of an exploration as one line of text."""
    rate = progress.expanded / max(progress.seconds, 1e-9)
    waiting = progress.states - progress.expanded
    states, transitions = (
        plural(progress.states, "state"),
        plural(progress.transitions, "transition"),
    )
    found = f"{progress.states:,} {states} found, {waiting:,} of them not yet explored"
    return f"{found}, {progress.transitions:,} {transitions}, {rate:,.0f} states/s"
