"""View *Check*: properties with their expected results and answers, and a formula field."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from nicegui import ui

from volition.studio.completion import Suggestion, suggestions
from volition.studio.session import Session
from volition.studio.view_data import AnswerData, DiagnosticData, ProgressData, PropertyData
from volition.studio.views.widgets import (
    load_line,
    placeholder,
    python_lines,
    text_literal,
    verdict_badge,
)

__all__ = ["check_view"]

PAUSE = 0.25
"""Seconds after the last key press before the formula in the field is linted."""


def check_view(session: Session) -> None:
    """Build the view: the formula field, the buttons, and a row for each property."""
    with ui.column().classes("view gap-2"):
        with ui.row().classes("w-full items-start no-wrap gap-2"):
            _Formula(session)
            everything = ui.button("Check all", on_click=lambda: _check_all(session)).props(
                "no-caps outline icon=done_all"
            )
            stop = ui.button("Stop", on_click=session.stop).props(
                "no-caps outline color=negative icon=stop"
            )
        with ui.row().classes("w-full items-center no-wrap"):
            ui.label("Properties").classes("section")
            ui.space()
            python_lines(lambda: _lines(session))
        _listed(session)

    def enable() -> None:
        working = session.is_busy("checking")
        everything.set_enabled(
            not working and session.opened is not None and bool(session.opened.properties)
        )
        stop.set_enabled(working)

    session.on("busy", lambda *_: enable())
    session.on("opened", enable)
    enable()


def _lines(session: Session) -> list[str]:
    queried = [
        text
        for text in session.answers
        if session.opened is None or text not in {each.text for each in session.opened.properties}
    ]
    formulas = f", [{', '.join(map(text_literal, queried))}]" if queried else ""
    return [
        "import volition",
        "",
        load_line(session),
        f"report = volition.check(program{formulas})",
        "print(report)",
    ]


async def _check_all(session: Session) -> None:
    if session.opened is not None and not session.is_busy("checking"):
        await session.check([each.text for each in session.opened.properties])


# --- the formula field ----------------------------------------------------------------------------


class _Formula:
    """Field for typing a formula, with suggestions, errors, and a button to check it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turn = 0
        self._offered: list[Suggestion] = []
        self._chosen: int | None = None
        with ui.column().classes("grow gap-0 formula-field"):
            with ui.row().classes("w-full no-wrap gap-2"):
                self._field = ui.input(
                    placeholder="Enter a formula, such as A [ F done ] or Pmax=? [ F done ]",
                    on_change=self._typed,
                )
                self._field.classes("grow formula").props(
                    'dense outlined clearable aria-label="formula" autocomplete=off '
                    "spellcheck=false"
                )
                self._button = ui.button("Check", on_click=self._ask).props(
                    "no-caps unelevated icon=play_arrow"
                )
            self._list = (
                ui.column()
                .classes("suggestions gap-0")
                .props('role="listbox" aria-label="suggestions"')
            )
            self._list.set_visibility(False)
            self._problem = (
                ui.row().classes("formula-problem no-wrap items-center").props('aria-live="polite"')
            )
        self._field.on("keydown.down.prevent", lambda: self._move(1)).on(
            "keydown.up.prevent", lambda: self._move(-1)
        )
        self._field.on("keydown.enter", self._entered).on("keydown.escape", self._hide)
        self._field.on("focus", self._offer)
        session.on("busy", lambda *_: self._enable())
        session.on("opened", self._enable)
        self._enable()

    def _enable(self) -> None:
        self._button.set_enabled(
            self._session.opened is not None and not self._session.is_busy("checking")
        )

    @property
    def text(self) -> str:
        """Text in the formula field."""
        return str(self._field.value or "")

    async def _typed(self) -> None:
        self._offer()
        self._turn += 1
        turn = self._turn
        await asyncio.sleep(PAUSE)
        if turn == self._turn:
            self._complain(await self._session.lint_formula(self.text))

    def _complain(self, errors: tuple[DiagnosticData, ...]) -> None:
        self._problem.clear()
        if not errors:
            return
        first = errors[0]
        with self._problem:
            ui.icon("error" if first.severity == "error" else "warning").classes("diagnostic-icon")
            where = (
                f"at '{self.text[first.position.start : first.position.end]}': "
                if first.position and first.position.end <= len(self.text)
                else ""
            )
            ui.label(f"{where}{first}" + (f"; {first.hint}" if first.hint else "")).classes(
                f"problem-text {first.severity}"
            )
            if first.fix is not None:
                ui.button("Fix", on_click=lambda: self._fix(first)).props(
                    "flat dense no-caps size=sm"
                )

    def _fix(self, error: DiagnosticData) -> None:
        if error.fix is not None:
            text, fix = self.text, error.fix
            self._field.value = text[: fix.start] + fix.text + text[fix.end :]

    def _offer(self) -> None:
        self._offered = suggestions(
            self.text, self._session.opened.words if self._session.opened else {}
        )
        self._chosen = None
        self._draw()

    def _draw(self) -> None:
        self._list.clear()
        self._list.set_visibility(bool(self._offered))
        with self._list:
            for number, each in enumerate(self._offered):
                row = (
                    ui.row()
                    .classes(
                        f"suggestion no-wrap w-full{' here' if number == self._chosen else ''}"
                    )
                    .props('role="option"')
                )
                row.on("mousedown.prevent", lambda each=each: self._take(each))
                with row:
                    ui.label(each.word).classes("grow")
                    ui.label(each.kind).classes("kind")

    def _move(self, by: int) -> None:
        if self._offered:
            self._chosen = 0 if self._chosen is None else (self._chosen + by) % len(self._offered)
            self._draw()

    def _take(self, suggestion: Suggestion) -> None:
        self._hide()
        self._field.value = suggestion.whole

    def _hide(self) -> None:
        self._offered, self._chosen = [], None
        self._draw()

    async def _entered(self) -> None:
        if self._chosen is not None:
            self._take(self._offered[self._chosen])
        else:
            await self._ask()

    async def _ask(self) -> None:
        self._hide()
        if self.text.strip() and self._session.opened is not None:
            self._complain(await self._session.check([self.text.strip()]))


# --- the list of properties -----------------------------------------------------------------------


def _listed(session: Session) -> None:
    working: dict[str, tuple[ui.label, ui.element]] = {}

    @ui.refreshable
    def rows() -> None:
        working.clear()
        stated = {each.text: each for each in (session.opened.properties if session.opened else ())}
        if session.opened is None and not session.errors:
            placeholder("Reading the program ...", "hourglass_empty")
        elif session.opened is None:
            placeholder(
                "The program has errors. Correct them to check its properties. They are listed "
                "below its text.",
                "error_outline",
            )
        elif not stated and not session.answers:
            placeholder(
                "This program has no properties. Enter a formula above; click into the field for "
                "suggestions.",
                "lightbulb",
            )
        for text in dict.fromkeys(
            [*(text for text in session.answers if text not in stated), *stated]
        ):
            working[text] = _row(session, text, stated.get(text), session.answers.get(text))

    def progress(update: ProgressData) -> None:
        if update.query in working:
            facts, bar = working[update.query]
            facts.text = (
                f"{update.states:,} states, {update.seconds:.1f} s"
                if update.states
                else "checking ..."
            )
            bar.set_visibility(True)

    def settled(bench: str, busy: bool) -> None:
        """When checking ends, reset the rows of properties that were not answered. The rows are not
        rebuilt, because the user may be about to click one."""
        if bench == "checking" and not busy:
            stated = {
                each.text: each for each in (session.opened.properties if session.opened else ())
            }
            for text, (facts, bar) in working.items():
                facts.text = _facts(stated.get(text), session.answers.get(text))
                bar.set_visibility(False)

    rows()
    session.on("opened", rows.refresh)
    session.on("answers", rows.refresh)
    session.on("progress", progress)
    session.on("busy", settled)


def _row(
    session: Session, text: str, stated: PropertyData | None, answer: AnswerData | None
) -> tuple[ui.label, ui.element]:
    """Build the row of one property: formula on the left, answer on the right, details below.
    Return the label with the details and the progress bar, which change while the property is
    checked."""
    with ui.element("div").classes("property"):
        with ui.element("div").classes("question"):
            name = stated.name if stated else ""
            if name:
                ui.label(name).classes("property-name")
            formula = ui.label(text).classes("formula-text")
            if stated is not None and stated.position is not None:
                position = stated.position
                formula.classes("clickable").on(
                    "click", lambda: session.show(Path(position.file), position.line)
                )
        with ui.element("div").classes("answer"):
            if answer is not None:
                verdict_badge(answer)
            label = "check again" if answer else "check this property"
            ui.button("Check", on_click=lambda: session.check([text])).props(
                f'flat dense no-caps size=sm aria-label="{label}"'
            )
            if answer is not None:
                _explanation_button(session, answer)
        facts = ui.label(_facts(stated, answer)).classes("facts")
        bar = (
            ui.linear_progress(show_value=False)
            .props("indeterminate size=2px")
            .classes("bar-of-progress")
        )
        bar.set_visibility(False)
        for note in answer.notes if answer else ():
            ui.label(note).classes("note")
    return facts, bar


def _explanation_button(session: Session, answer: AnswerData) -> None:
    labels: dict[str, tuple[str, Any]] = {
        "run": ("Why?", "help_outline"),
        "strategy": ("How?", "alt_route"),
    }
    if answer.evidence in labels:
        text, icon = labels[answer.evidence]
        button = ui.button(text, on_click=lambda: session.navigate("Explanation", answer.query))
        button.props(f"dense no-caps unelevated size=sm icon={icon}").classes("why-button")


def _facts(stated: PropertyData | None, answer: AnswerData | None) -> str:
    expected = (stated.expected if stated else "") or (answer.expected if answer else "")
    if answer is None:
        return f"expected: {expected}" if expected else "not checked yet"
    sign = {True: "✓ as expected", False: "✗ expected", None: "expected"}[answer.as_expected]
    meets = f"{sign}: {expected}" if expected else ""
    parts = [
        meets,
        answer.bounds,
        answer.method,
        f"{answer.states:,} states",
        f"{answer.seconds:.2f} s",
    ]
    return " · ".join(filter(None, parts))
