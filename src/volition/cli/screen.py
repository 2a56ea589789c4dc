"""Where the commands write: results on standard output, messages on standard error, JSON when asked
for.

Everything that a person reads goes through here, and nothing of it is markup: what a program, a
file name or an engine says is shown as it is, with a sign in the place of what a terminal would
obey or hide.
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
"""Columns where the output is no terminal and COLUMNS does not say; rich would take 80 and break
formulas."""
_MIN_WIDTH = 20
"""Columns below which no table has room; a terminal that is narrower breaks lines itself."""


class SafeText(Text):
    """Text for a person: no markup in it, and everything in it can be seen.

    Made visible before it is laid out; the console would do it after that, where columns no longer
    fit.
    """

    def __init__(self, text: str = "", style: StyleType = "") -> None:
        super().__init__(escape_control_characters(text), style)

    def append(self, text: Text | str, style: StyleType | None = None) -> SafeText:
        super().append(escape_control_characters(text) if isinstance(text, str) else text, style)
        return self


class SafeTable(Table):
    """A table whose title, heads and cells are words, whatever they are given as."""

    def __init__(self, title: str | None = None, **options: Any) -> None:
        super().__init__(title=None if title is None else SafeText(title), **options)

    def add_column(self, header: RenderableType = "", *others: Any, **options: Any) -> None:
        super().add_column(_words(header), *others, **options)

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        super().add_row(*(None if cell is None else _words(cell) for cell in cells), **options)


def _words(part: RenderableType) -> RenderableType:
    return SafeText(part) if isinstance(part, str) else part


def json_text(data: Mapping[str, Any], *, ascii_only: bool = False) -> str:
    """JSON whose strings hold no character that a terminal obeys or hides; read again, they are
    what they were."""
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
    """The two streams of a command.  With ``as_json`` standard output gets one JSON object and
    nothing else."""

    def __init__(self, *, as_json: bool, no_color: bool) -> None:
        self.as_json = as_json
        self._out = _console(stderr=False, no_color=no_color)
        self.messages = _console(stderr=True, no_color=no_color)
        self._warnings: list[Diagnostic] = []

    def print(self, *parts: RenderableType) -> None:
        """Show parts to a person; nothing where a program reads the output."""
        if not self.as_json:
            for part in parts:
                self._out.print(_words(part))

    def plain(self, text: str) -> None:
        """Text for another tool, as it would stand in a file: in UTF-8, whatever the terminal
        knows."""
        if not self.as_json:
            click.echo(escape_control_characters(text).encode(), nl=False)

    def document(self, make: Callable[[], Mapping[str, Any]]) -> None:
        """The JSON object, made where one was asked for, with the warnings that were shown so
        far."""
        if self.as_json:
            data = {**make(), "warnings": [each.as_json() for each in self._warnings]}
            click.echo(json_text(data, ascii_only=not knows_all_characters(sys.stdout)))

    def diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Errors and warnings for a person, many of the same kind as one; the warnings are kept for
        the JSON object."""
        found = tuple(map(with_options, diagnostics))
        self._warnings += [each for each in found if each.severity == "warning"]
        for each in merge_similar(found):
            self.messages.print(_highlighted(each), soft_wrap=True)

    @contextmanager
    def collecting_warnings(self) -> Iterator[Diagnostics]:
        """What is doubtful in the input that is read inside the ``with``: shown at its end, before
        anybody works on it."""
        found = Diagnostics()
        yield found
        self.diagnostics(found.warnings)

    @contextmanager
    def progress(self) -> Iterator[Callable[[Progress], None] | None]:
        """The callback for an exploration inside the ``with``: keeps one line up to date, and takes
        it away at the end.

        There is none where nobody watches.
        """
        if not self.messages.is_terminal:
            yield None
            return
        with Status("reading", console=self.messages) as status:
            yield lambda progress: status.update(_progress_text(progress))

    def note(self, text: str) -> None:
        """A remark for a person that is no result."""
        self.messages.print(SafeText(text, "yellow"))

    def print_errors(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Everything that is wrong with the input; with ``as_json`` for a program as well."""
        diagnostics = tuple(map(with_options, diagnostics))
        self.diagnostics(diagnostics)
        self.document(lambda: {"diagnostics": [each.as_json() for each in diagnostics]})


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leaves the exception to the program; rich would end it with the exit code of a violated
        property."""
        raise

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Whatever comes to the screen, on whichever way, can be seen."""
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
    """The rendered diagnostic with its head and its carets in the colour of its severity."""
    colour = "red" if diagnostic.severity == "error" else "yellow"
    text = SafeText(render(diagnostic))
    text.highlight_regex(r"(?m)^\w+\[\w+\]", f"bold {colour}")
    text.highlight_regex(r"(?m)\^+$", f"bold {colour}")
    text.highlight_regex(r"(?m)^ *(-->|\|)|^\d+ \|", "dim")
    text.highlight_regex(r"(?m)^  help:", "bold cyan")
    return text


def _progress_text(progress: Progress) -> str:
    """How far an exploration is."""
    rate = progress.expanded / max(progress.seconds, 1e-9)
    waiting = progress.states - progress.expanded
    states, transitions = (
        plural(progress.states, "state"),
        plural(progress.transitions, "transition"),
    )
    found = f"{progress.states:,} {states} found, {waiting:,} of them to explore"
    return f"{found}, {progress.transitions:,} {transitions}, {rate:,.0f} states/s"
