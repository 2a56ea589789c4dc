"""A line on the terminal that says how far an exploration is; nothing where nobody watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status

from volition.diagnostics import plural
from volition.kernel import Progress

__all__ = ["shown_progress"]


@contextmanager
def shown_progress(console: Console) -> Iterator[Callable[[Progress], None] | None]:
    """The callback for an exploration inside the ``with``: keeps one line up to date, and takes it away at the end."""
    if not console.is_terminal:
        yield None
        return
    with Status("reading", console=console) as status:
        yield lambda progress: status.update(_sentence(progress))


def _sentence(progress: Progress) -> str:
    rate = progress.expanded / max(progress.seconds, 1e-9)
    waiting = progress.states - progress.expanded
    states, transitions = plural(progress.states, "state"), plural(progress.transitions, "transition")
    found = f"{progress.states:,} {states} found, {waiting:,} of them to explore"
    return f"{found}, {progress.transitions:,} {transitions}, {rate:,.0f} states/s"
