"""What the views share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nicegui import ui

from volition.studio.shown import AnswerShown, StrategyShown

__all__ = ["python_lines", "strategy_table", "verdict_badge"]


def python_lines(lines: Callable[[], Sequence[str]]) -> None:
    """A button that shows the Python lines that make what is seen."""

    def show() -> None:
        text = "\n".join(lines())
        with ui.dialog() as dialog, ui.card().classes("python-lines"):
            ui.label("The same from Python").classes("section")
            ui.codemirror(text, language="Python", line_wrapping=True).props("disable").classes("w-full")
            with ui.row().classes("w-full justify-end"):
                ui.button("Copy", on_click=lambda: ui.clipboard.write(text)).props("flat no-caps icon=content_copy")
                ui.button("Close", on_click=dialog.close).props("flat no-caps")
        dialog.on("hide", dialog.delete)
        dialog.open()

    ui.button("Python", on_click=show).props('flat dense no-caps size=sm icon=code aria-label="Python lines of this view"')


def verdict_badge(answer: AnswerShown) -> None:
    """The answer in one word or number."""
    ui.label(answer.verdict).classes(f"verdict {answer.kind}")


def strategy_table(strategy: StrategyShown) -> None:
    """What a strategy decides."""
    ui.label(strategy.remark)
    if strategy.table is not None:
        columns = [{"name": each, "label": each, "field": each, "align": "left"} for each in strategy.table.columns]
        rows = [dict(zip(strategy.table.columns, row, strict=True)) for row in strategy.table.rows]
        ui.table(columns=columns, rows=rows, pagination=20).classes("w-full").props("flat dense wrap-cells")
