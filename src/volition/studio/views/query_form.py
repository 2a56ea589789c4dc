"""Form elements that several views share: formula fields, buttons that start and stop a task, and a
line with its progress."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from nicegui import ui

from volition.studio.session import Session

__all__ = ["TaskControls", "formula_field", "formulas_field", "is_query"]


_HOW = "choose, or type a formula and press Enter"


def is_query(text: str) -> bool:
    """Return whether the text of a property is a query for a value (contains ``=?``)."""
    return "=?" in text


def formulas_field(label: str, options: Sequence[str], chosen: Sequence[str]) -> ui.select:
    """Add a field in which the user selects or types several formulas. ``options`` are offered, and
    ``chosen`` are initially selected."""
    field = ui.select(
        list(dict.fromkeys([*options, *chosen])),
        label=label,
        value=list(chosen),
        multiple=True,
        with_input=True,
        new_value_mode="add-unique",
    )
    return field.classes("w-full formulas").props("dense outlined use-chips").tooltip(_HOW)


def formula_field(
    label: str, options: Sequence[str], chosen: str | None = None, *, clearable: bool = False
) -> ui.select:
    """Add a field in which the user selects or types one formula. ``options`` are offered, and
    ``chosen`` is initially selected."""
    field = ui.select(
        list(dict.fromkeys([*options, *([chosen] if chosen else [])])),
        label=label,
        value=chosen,
        with_input=True,
        new_value_mode="add-unique",
        clearable=clearable,
    )
    field.on_value_change(lambda: field.run_method("hidePopup"))
    return field.classes("grow formulas").props("dense outlined").tooltip(_HOW)


class TaskControls:
    """Buttons that start and stop a task in a worker process, and a text with its progress."""

    def __init__(
        self,
        session: Session,
        bench: str,
        label: str = "",
        begin: Callable[[], Awaitable[Any]] | None = None,
    ) -> None:
        """Create the controls for the worker process with the name ``bench``. The start button has
        the text ``label`` and calls ``begin``; without a label there is only the stop button."""
        self._bench = bench

        async def begun() -> None:
            if begin is not None and not session.is_busy(bench):  # ignore a double click
                await begin()

        with ui.row().classes("items-center no-wrap gap-2 working"):
            self._begin = ui.button(label, on_click=begun).props(
                "no-caps unelevated dense padding='4px 14px'"
            )
            self._begin.set_visibility(bool(label))
            self._stop = ui.button("Stop", on_click=lambda: session.stop(bench)).props(
                "no-caps outline dense color=negative padding='4px 10px'"
            )
            self._progress = ui.label().classes("text-caption").props('aria-live="polite"')
        session.on("busy", self._busy)
        self._busy(bench, False)

    def show_progress(self, text: str) -> None:
        """Show a text about the progress of the task next to the buttons."""
        self._progress.text = text

    def _busy(self, bench: str, working: bool) -> None:
        if bench == self._bench and not self._begin.is_deleted:
            self._begin.set_enabled(not working)
            self._stop.set_enabled(working)
            self._stop.classes(
                remove="invisible" if working else "", add="" if working else "invisible"
            )
            if not working:
                self._progress.text = ""
