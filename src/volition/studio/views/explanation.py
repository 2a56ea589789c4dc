"""Why an answer is as it is: the run behind it, or the strategy."""

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
    """Waits for an answer to be asked about."""
    holder = ui.column().classes("view fill gap-2")
    shown: AnswerData | None = None

    def waiting(text: str) -> None:
        holder.clear()
        with holder:
            placeholder(text, "psychology")

    async def why(query: str) -> None:
        nonlocal shown
        shown = answer = session.answers[query]
        waiting("Looking for what is behind this answer ...")
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
                placeholder("There is no single run or strategy that shows this.")

    def outdated() -> None:
        nonlocal shown
        if shown is not None and shown.query not in session.answers:
            shown = None
            waiting("The program has changed since. Check it again, then ask why.")

    waiting(
        "Check a property, then press Why? beside its answer: its run is shown here, step by step."
    )
    session.on_navigate("Why", why)
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
        return [*lines, "print(volition.tell(answer))"]
    values = [
        "walk = volition.walk(answer.exploration.space)",
        "print(walk.values(answer.question.formula).of_choices)",
    ]
    return [
        *lines,
        "print(volition.strategy_of(answer))",
        "",
        "# what each choice of each state is worth",
        *values,
    ]
