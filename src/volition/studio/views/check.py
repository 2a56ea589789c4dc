"""Checking: the properties of the program with their expected results, a field for one's own, answers as they come."""

from __future__ import annotations

from nicegui import ui

from volition.studio.session import Session
from volition.studio.shown import AnswerShown, PropertyShown
from volition.studio.views.parts import verdict_badge

__all__ = ["check_view"]


def check_view(session: Session) -> None:
    """A formula field, buttons, and a card for each property."""
    with ui.column().classes("w-full gap-2"):
        with ui.row().classes("w-full items-center no-wrap gap-2"):
            field = (
                ui.input(placeholder="Ask your own: A [ F done ], Pmax=? [ F goal ] ...")
                .classes("grow formula")
                .props('dense outlined clearable aria-label="formula"')
            )
            ask = ui.button("Check", on_click=lambda: _ask(session, field.value)).props("no-caps unelevated")
            field.on("keydown.enter", lambda: _ask(session, field.value))
            everything = ui.button("Check all", on_click=lambda: _ask_all(session)).props("no-caps outline")
            stop = ui.button("Stop", on_click=session.stop).props("no-caps outline color=negative")
        progress = ui.label().classes("text-caption progress").props('aria-live="polite"')
        _listed(session)

    def busy(bench: str, working: bool) -> None:
        if bench != "checking":
            return
        for each in (ask, everything):
            each.set_enabled(not working)
        stop.set_visibility(working)
        if not working:
            progress.text = ""

    session.on("busy", busy)
    session.on("progress", lambda news: progress.set_text(f"{news.states:,} states, {news.seconds:.1f} s"))
    busy("checking", False)


async def _ask(session: Session, text: str | None) -> None:
    if text and text.strip():
        await session.check([text.strip()])


async def _ask_all(session: Session) -> None:
    if session.opened is not None:
        await session.check([_stated(each) for each in session.opened.properties])


def _stated(each: PropertyShown) -> str:
    """A property with the result that its author expects, as a formula is asked with it."""
    return f"{each.text} // RESULT: {each.expected}" if each.expected else each.text


def _listed(session: Session) -> None:
    @ui.refreshable
    def cards() -> None:
        stated = {each.text: each for each in (session.opened.properties if session.opened else ())}
        found = {each.text: each for each in session.answers.values()}
        if session.opened is None:
            ui.label("The program has mistakes: they are listed below its text.").classes("empty")
        elif not stated and not found:
            ui.label("This program states no properties. Ask one above.").classes("empty")
        for text in dict.fromkeys([*(text for text in found if text not in stated), *stated]):
            _card(session, stated.get(text), found.get(text))

    cards()
    session.on("opened", cards.refresh)
    session.on("answers", cards.refresh)


def _card(session: Session, stated: PropertyShown | None, answer: AnswerShown | None) -> None:
    text = answer.text if answer else stated.text if stated else ""
    name = (stated.name if stated else "") or (answer.name if answer else "")
    with ui.card().classes("w-full property").props("flat bordered"), ui.column().classes("w-full gap-1"):
        with ui.row().classes("w-full items-center no-wrap gap-3"):
            with ui.column().classes("grow gap-0 min-w-0"):
                if name:
                    ui.label(name).classes("text-weight-medium")
                ui.label(text).classes("formula-text")
            if answer is not None:
                verdict_badge(answer)
            elif stated is not None:
                ui.button("Check", on_click=lambda: session.check([_stated(stated)])).props("flat dense no-caps")
        if answer is not None:
            expected = f"{'✓' if answer.as_expected else '✗'} expected: {answer.expected}" if answer.expected else ""
            facts = [expected, answer.bounds, answer.method, f"{answer.states:,} states", f"{answer.seconds:.2f} s"]
            ui.label(" · ".join(filter(None, facts))).classes("text-caption facts")
            for note in answer.notes:
                ui.label(note).classes("text-caption")
            with ui.row().classes("gap-2"):
                ui.button("Why?", on_click=lambda: session.go("Why", answer.asked)).props("flat dense no-caps icon=help_outline")
                if answer.has_strategy:
                    ui.button("How?", on_click=lambda: session.go("Why", answer.asked)).props("flat dense no-caps icon=alt_route")
        elif stated is not None and stated.expected:
            ui.label(f"expected: {stated.expected}").classes("text-caption facts")
