"""The editor: the files of the program, their texts in colours, and what is wrong with them, as it is typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nicegui import ui

from volition.studio.highlighting import tokens
from volition.studio.session import Session
from volition.studio.shown import Mistake

__all__ = ["editor_view"]


def editor_view(session: Session) -> None:
    """Tabs for the files, the text, the list of mistakes."""
    with ui.column().classes("w-full h-full gap-0 no-wrap"):
        _file_tabs(session)
        _Editor(session)
        _mistakes(session)


def _file_tabs(session: Session) -> None:
    @ui.refreshable
    def tabs() -> None:
        with ui.row().classes("w-full gap-1 px-2 py-1 items-center file-tabs").props('role="tablist" aria-label="files"'):
            for file in session.workspace.files():
                changed = " •" if file in session.workspace.unsaved else ""
                button = ui.button(f"{file}{changed}", on_click=lambda _, file=file: session.show(file))
                button.props(
                    f"flat dense no-caps size=sm {'color=primary' if file == session.file else 'color=grey'} aria-selected={str(file == session.file).lower()}"
                )

    tabs()
    for change in ("file", "edited", "opened", "saved"):
        session.on(change, tabs.refresh)


class _Editor:
    """The text of the file that is shown."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._line: int | None = None
        self._shown = session.file
        self._editor = ui.codemirror(session.workspace.text(session.file), on_change=self._changed).classes("w-full grow editor")
        self._editor.props('aria-label="program text"')
        session.on("file", self._show)
        session.on("place", self._point)
        session.on("opened", self._decorate)
        self._decorate()

    async def _changed(self, event: Any) -> None:
        if self._shown == self._session.file and event.value != self._session.workspace.text(self._shown):
            self._decorate()
            await self._session.edited(self._shown, event.value)

    def _show(self) -> None:
        self._shown = self._session.file
        self._line = None
        self._editor.value = self._session.workspace.text(self._shown)
        self._decorate()

    def _point(self, line: int) -> None:
        self._line = line
        self._decorate()
        self._editor.reveal_line(line)

    def _decorate(self) -> None:
        text = self._editor.value or ""
        marks: list[dict[str, Any]] = [
            {"kind": "mark", "from": start, "to": end, "class": f"tok-{kind}"} for start, end, kind in tokens(self._shown.suffix, text)
        ]
        here = [each for each in self._session.mistakes if each.place is not None and Path(each.place.file) == self._shown]
        marks += [_underline(each, text) for each in here]
        if self._line is not None and self._line <= text.count("\n") + 1:
            marks.append({"kind": "line", "line": self._line, "class": "line-shown"})
        self._editor.decorations = [each for each in marks if each["kind"] == "line" or each["from"] < each["to"]]
        self._editor.line_tooltips = {each.place.line: _told(each) for each in here if each.place}


def _underline(mistake: Mistake, text: str) -> dict[str, Any]:
    assert mistake.place is not None
    start = min(mistake.place.start, max(len(text) - 1, 0))
    end = min(max(mistake.place.end, start + 1), len(text))
    return {"kind": "mark", "from": start, "to": end, "class": f"mistake-{mistake.severity}"}


def _mistakes(session: Session) -> None:
    @ui.refreshable
    def listed() -> None:
        if not session.mistakes:
            return
        with ui.column().classes("w-full gap-0 mistakes").props('role="log" aria-label="mistakes"'):
            for each in session.mistakes[:50]:
                with ui.row().classes(f"w-full no-wrap items-start gap-2 px-2 py-1 mistake {each.severity}"):
                    ui.icon("error" if each.severity == "error" else "warning").classes("mt-0.5")
                    with ui.column().classes("gap-0 grow"):
                        ui.label(str(each)).classes("mistake-text")
                        if each.hint:
                            ui.label(each.hint).classes("text-caption hint")
                    if each.place is not None:
                        place = each.place
                        ui.button("show", on_click=lambda _, place=place: session.show(Path(place.file), place.line)).props(
                            "flat dense no-caps size=sm"
                        )

    listed()
    session.on("opened", listed.refresh)


def _told(mistake: Mistake) -> str:
    return f"{mistake.message} [{mistake.code}]" + (f"\n{mistake.hint}" if mistake.hint else "")
