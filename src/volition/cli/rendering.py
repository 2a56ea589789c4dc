"""Results as people read them: rich tables and sentences.  Nothing here decides anything."""

from __future__ import annotations

from rich import box
from rich.table import Table as Grid
from rich.text import Text

from volition.kernel import StateSpace
from volition.languages.model import Table

__all__ = ["duration", "model_line", "program_table", "statistics"]


def program_table(table: Table) -> Grid:
    """A table of what was parsed."""
    grid = _grid(table.title)
    for column in table.columns:
        grid.add_column(column, overflow="fold")
    for row in table.rows:
        grid.add_row(*(Text(cell) for cell in row))
    return grid


def model_line(space: StateSpace) -> str:
    """The size of a model in one line."""
    size = f"[bold]{space.num_states:,}[/] states, [bold]{space.num_choices:,}[/] choices, [bold]{space.num_transitions:,}[/] transitions"
    return size if space.complete else f"{size}, [yellow]not complete[/]"


def statistics(space: StateSpace) -> Grid:
    """How large the model is and where the time went."""
    stats = space.stats
    grid = _grid("Statistics")
    grid.add_column("what")
    grid.add_column("how much", justify="right")
    for what, number in (
        ("states", stats.states),
        ("choices", stats.choices),
        ("transitions", stats.transitions),
        ("Python calls", stats.python_calls),
    ):
        grid.add_row(what, f"{number:,}")
    grid.add_row("bytes per state", f"{stats.bytes_per_state:.1f}")
    for phase, seconds in stats.seconds.items():
        grid.add_row(f"time: {phase}", duration(seconds))
    return grid


def duration(seconds: float) -> str:
    """A time with the digits that matter."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _grid(title: str) -> Grid:
    return Grid(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, header_style="bold dim", pad_edge=False)
