"""View *Explanation*: the counterexample, witness or strategy behind an answer."""

from __future__ import annotations

from nicegui import ui

from volition.studio.session import Session
from volition.studio.tasks.evidence import run_of
from volition.studio.tasks.strategies import strategy_behind
from volition.studio.view_data import AnswerData
from volition.studio.views.strategy import strategy_panel
from volition.studio.views.timeline import Timeline
from volition.studio.views.widgets import (
    load_line,
    placeholder,
    python_lines,
    text_literal,
    verdict_badge,
)

__all__ = ["explanation_view"]


def explanation_view(session: Session) -> None:
    """Build the view; it shows a hint until the user selects an answer."""
    holder = ui.column().classes("view fill gap-2")
    shown: AnswerData | None = None

    def waiting(text: str) -> None:
        holder.clear()
        with holder:
            placeholder(text, "psychology")

    async def why(query: str) -> None:
        nonlocal shown
        shown = answer = session.answers[query]
        waiting("Computing the evidence for this answer ...")
        run = await session.ask(run_of, query) if answer.evidence == "run" else None
        strategy = (
            await session.ask(strategy_behind, query) if answer.evidence == "strategy" else None
        )
        if shown is not answer:
            return
        holder.clear()
        with holder:
            _heading(session, answer)
            if run is not None:
                Timeline(session, run)
            elif strategy is not None:
                strategy_panel(session, query, strategy)
            else:
                placeholder("No single run or strategy proves this answer.")

    def outdated() -> None:
        nonlocal shown
        if shown is not None and shown.query not in session.answers:
            shown = None
            waiting("The program has changed. Check it again, then press Why?.")

    waiting(
        "Check a property, then press Why? beside its answer to see its run here, step by step."
    )
    session.on_navigate("Explanation", why)
    session.on("answers", outdated)


def _heading(session: Session, answer: AnswerData) -> None:
    with ui.row().classes("w-full items-center no-wrap gap-3 why-heading"):
        with ui.column().classes("gap-0 grow min-w-0"):
            if answer.name:
                ui.label(answer.name).classes("property-name")
            ui.label(answer.text).classes("formula-text")
        verdict_badge(answer)
        python_lines(lambda: _lines(session, answer))


def _lines(session: Session, answer: AnswerData) -> list[str]:
    lines = [
        "import volition",
        "",
        load_line(session),
        f"(answer,) = volition.check(program, {text_literal(answer.text)})",
    ]
    if answer.evidence == "run":
        return [*lines, "print(volition.annotated_run(answer))"]
    values = [
        "walk = volition.walk(answer.exploration.space)",
        "print(walk.values(answer.prop.formula).of_choices)",
    ]
    return [
        *lines,
        "print(volition.strategy_of(answer))",
        "",
        "# the value of each choice in each state",
        *values,
    ]
