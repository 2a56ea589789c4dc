"""User-interface elements that several views of the studio share."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from volition.studio.session import Session
from volition.studio.view_data import AnswerData, DecisionData, StrategyData, TreeData

__all__ = [
    "decision_table",
    "decision_tree",
    "load_line",
    "placeholder",
    "python_lines",
    "strategy_tables",
    "text_literal",
    "verdict_badge",
]


def placeholder(text: str, icon: str = "info") -> None:
    """Show a hint with an icon in an area that has no content yet."""
    with ui.row().classes("empty no-wrap items-center").props('role="note"'):
        ui.icon(icon).classes("empty-icon")
        ui.label(text)


def verdict_badge(answer: AnswerData) -> None:
    """Show the verdict of an answer as a coloured label."""
    ui.label(answer.verdict).classes(f"verdict {answer.kind}")


# --- Python code ----------------------------------------------------------------------------------


def text_literal(text: str) -> str:
    """Return a text as a Python string literal."""
    return json.dumps(text, ensure_ascii=False)


def load_line(session: Session) -> str:
    """Return the line of Python code that loads the open program."""
    home = session.workspace.save_folder or session.workspace.folder
    return f"program = volition.load({text_literal(str(home / session.workspace.program))})"


def python_lines(lines: Callable[[], Sequence[str]]) -> None:
    """Add a button that shows Python code with the same result as the view. ``lines`` returns the
    code."""

    def show() -> None:
        text = "\n".join(lines())
        with ui.dialog() as dialog, ui.card().classes("python-lines"):
            ui.label("Python code for this view").classes("section")
            ui.label(text).classes("code-lines").props(
                'tabindex=0 role="textbox" aria-readonly=true aria-label="Python code"'
            )
            with ui.row().classes("w-full justify-end"):
                ui.button("Copy", on_click=lambda: ui.clipboard.write(text)).props(
                    "flat no-caps icon=content_copy"
                )
                ui.button("Close", on_click=dialog.close).props("flat no-caps")
        dialog.on("hide", dialog.delete)
        dialog.open()

    ui.button("Python", on_click=show).props(
        'flat dense no-caps size=sm icon=code aria-label="Python code for this view"'
    )


# --- strategies -----------------------------------------------------------------------------------


def strategy_tables(strategy: StrategyData) -> None:
    """Show the decisions of a strategy as tables and trees."""
    ui.label(strategy.remark).classes("remark")
    for decision in strategy.decisions:
        decision_table(decision)
        decision_tree(decision)


def decision_table(decision: DecisionData, chosen: Callable[[int], Any] | None = None) -> None:
    """Show one decision of a strategy as a table, in which the first matching row applies. A click
    on a row calls ``chosen`` with its number."""
    ui.label(decision.text).classes("section")
    with ui.element("table").classes("decisions").props('aria-label="decisions"'):
        with ui.element("thead"), ui.element("tr"):
            for title in ("if", "choose", "instead of", "states"):
                with ui.element("th"):
                    ui.label(title)
        with ui.element("tbody"):
            for number, row in enumerate(decision.rows):
                with ui.element("tr").classes("decision") as line:
                    for text in (
                        row.when,
                        row.choose,
                        ", ".join(row.others),
                        str(len(row.decision_points)),
                    ):
                        with ui.element("td"):
                            ui.label(text)
                if chosen is not None:
                    line.props('tabindex=0 role="button"').classes("clickable")
                    line.on("click", lambda number=number: chosen(number)).on(
                        "keydown.enter", lambda number=number: chosen(number)
                    )


def decision_tree(decision: DecisionData) -> None:
    """Show one decision of a strategy as a tree, from left to right."""
    with ui.element("div").classes("decision-tree").props('role="tree" aria-label="decision tree"'):
        for each in decision.tree.children:
            _branch(each)


def _branch(tree: TreeData) -> None:
    with ui.element("div").classes("branch").props('role="treeitem"'):
        if tree.edge:
            ui.label(tree.edge).classes("edge")
        ui.label(f"{tree.text}?" if tree.kind == "predicate" else tree.text).classes(
            f"node {tree.kind}"
        )
        if tree.children:
            with ui.element("div").classes("branches").props('role="group"'):
                for each in tree.children:
                    _branch(each)
