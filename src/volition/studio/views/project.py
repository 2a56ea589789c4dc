"""Left side of a studio page: the files of the open folder as a tree, the editor, and the list of
errors and warnings, which is updated while the user types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nicegui import ui

from volition.studio.highlighting import tokens
from volition.studio.session import Session
from volition.studio.view_data import TRUST_CODE, DiagnosticData

__all__ = ["project_view"]

MAX_DIAGNOSTICS = 50

_OTHERS: dict[str, Any] = {".py": "Python", ".toml": "TOML", ".md": "Markdown", ".json": "JSON"}
"""Files other than agent programs, by suffix, with the name of the highlighting that the editor
component has for them."""


def project_view(session: Session) -> None:
    """Build the file tree, the editor, and the list of errors and warnings."""
    with ui.column().classes("project gap-0 no-wrap"):
        if len(session.workspace.files()) > 1:
            _tree(session)
        _title(session)
        _Editor(session)
        _diagnostics(session)


# --- files ----------------------------------------------------------------------------------------


def _tree(session: Session) -> None:
    with (
        ui.expansion("Files", icon="folder_open", value=len(session.workspace.files()) <= 8)
        .classes("files w-full")
        .props("dense")
    ):
        tree = ui.tree(
            _nodes(session), node_key="id", on_select=lambda event: _chosen(session, event.value)
        ).classes("file-tree")
        tree.props(
            'dense no-connectors no-selection-unset selected-color=primary aria-label="files"'
        )
        tree.expand()
        tree.select(str(session.file))

    def changed() -> None:
        tree.props["nodes"] = _nodes(session)
        tree.update()

    for change in ("edited", "rewritten", "saved"):
        session.on(change, changed)
    session.on("file", lambda: tree.select(str(session.file)))


def _chosen(session: Session, name: str | None) -> None:
    if name is not None:
        session.show(Path(name))


def _nodes(session: Session) -> list[dict[str, Any]]:
    """Return the files of the open folder as nested nodes of a tree element; folders cannot be
    selected."""
    unsaved = set(session.workspace.unsaved)
    roots: list[dict[str, Any]] = []
    folders: dict[Path, list[dict[str, Any]]] = {Path(): roots}
    for file in session.workspace.files():
        for folder in reversed(file.parents):
            if folder not in folders:
                inside: list[dict[str, Any]] = []
                folders[folder] = inside
                folders[folder.parent].append(
                    {
                        "id": f"{folder}/",
                        "label": folder.name,
                        "icon": "folder",
                        "children": inside,
                        "selectable": False,
                    }
                )
        mark = " •" if file in unsaved else ""
        folders[file.parent].append(
            {"id": str(file), "label": f"{file.name}{mark}", "icon": "description"}
        )
    return roots


def _title(session: Session) -> None:
    """Show the name of the file in the editor and the numbers of errors and warnings."""
    with ui.row().classes("editor-title w-full items-center no-wrap gap-2"):
        name = ui.label().classes("file-name")
        state = ui.label().classes("file-state")
        ui.space()
        count = ui.label().classes("diagnostic-count").props('aria-live="polite"')

    def refresh() -> None:
        name.text = str(session.file)
        state.text = "not saved" if session.file in session.workspace.unsaved else ""
        errors = sum(each.severity == "error" for each in session.errors)
        warnings = len(session.errors) - errors
        parts = [
            f"{number} {word}{'' if number == 1 else 's'}"
            for number, word in ((errors, "error"), (warnings, "warning"))
            if number
        ]
        count.text = ", ".join(parts) or ("no errors" if session.opened else "")
        count.classes(
            replace=f"diagnostic-count {'error' if errors else 'warning' if warnings else ''}"
        )

    for change in ("file", "opened", "edited", "rewritten", "saved"):
        session.on(change, refresh)
    refresh()


# --- the editor -----------------------------------------------------------------------------------


class _Editor:
    """Text editor with the selected file; errors are underlined."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._line: int | None = None
        text = session.workspace.text(session.file)
        self._shown = session.file
        self._editor = ui.codemirror(
            text,
            on_change=self._changed,
            language=_OTHERS.get(self._shown.suffix),
            decorations=self._marks(text),
            line_wrapping=True,
        )
        self._editor.classes("w-full grow editor").props('aria-label="program text"')
        session.on("file", self._show)
        session.on("rewritten", self._show)
        session.on("line", self._point)
        session.on("opened", self._decorate)

    async def _changed(self, event: Any) -> None:
        if self._shown == self._session.file and event.value != self._session.workspace.text(
            self._shown
        ):
            self._line = None
            await self._session.edited(self._shown, event.value)

    def _show(self) -> None:
        self._shown = self._session.file
        self._line = None
        self._editor.language = _OTHERS.get(self._shown.suffix)
        self._editor.value = self._session.workspace.text(self._shown)
        self._decorate()

    def _point(self, line: int) -> None:
        self._line = line
        self._decorate()
        self._editor.reveal_line(line)

    def _decorate(self) -> None:
        """Update the highlighting and the underlines by calling methods of the editor element. An
        update of the whole element would overwrite what the user has typed in the meantime."""
        text = self._editor.value or ""
        self._editor.run_method("setDecorations", self._marks(text))
        tooltips = {
            str(each.position.line): _tooltip(each)
            for each in self._here()
            if each.position and each.position.line <= text.count("\n") + 1
        }
        self._editor.run_method("setLineTooltips", tooltips)

    def _here(self) -> list[DiagnosticData]:
        return [
            each
            for each in self._session.errors
            if each.position is not None and Path(each.position.file) == self._shown
        ]

    def _marks(self, text: str) -> list[dict[str, Any]]:
        marks: list[dict[str, Any]] = [
            {"kind": "mark", "from": start, "to": end, "class": f"tok-{kind}"}
            for start, end, kind in tokens(self._shown.suffix, text)
        ]
        marks += [_underline(each, text) for each in self._here()]
        marks = [each for each in marks if each["from"] < each["to"]]
        if self._line is not None and self._line <= text.count("\n") + 1:
            marks.append({"kind": "line", "line": self._line, "class": "line-shown"})
        return marks


def _underline(error: DiagnosticData, text: str) -> dict[str, Any]:
    assert error.position is not None
    start = min(error.position.start, max(len(text) - 1, 0))
    end = min(max(error.position.end, start + 1), len(text))
    return {"kind": "mark", "from": start, "to": end, "class": f"diagnostic-{error.severity}"}


def _tooltip(error: DiagnosticData) -> str:
    return str(error) + (f"\n{error.hint}" if error.hint else "")


# --- errors and warnings --------------------------------------------------------------------------


def _diagnostics(session: Session) -> None:
    @ui.refreshable
    def listed() -> None:
        with (
            ui.column()
            .classes("w-full gap-0 diagnostics")
            .props('role="log" aria-label="errors and warnings"')
        ):
            for each in session.errors[:MAX_DIAGNOSTICS]:
                _listed(session, each)

    listed()
    session.on("opened", listed.refresh)


def _listed(session: Session, error: DiagnosticData) -> None:
    position = error.position
    with ui.row().classes(f"w-full no-wrap items-start gap-2 diagnostic {error.severity}"):
        ui.icon("error" if error.severity == "error" else "warning").classes("diagnostic-icon")
        with ui.column().classes("gap-0 grow min-w-0"):
            ui.label(str(error)).classes("diagnostic-text")
            hint = (
                error.hint
                if error.code != TRUST_CODE
                else "allow it to run if you trust its author"
            )
            if hint:
                ui.label(hint).classes("hint")
        if error.code == TRUST_CODE:
            ui.button("Allow", on_click=lambda: session.notify("trust")).props(
                "flat dense no-caps size=sm"
            )
        if error.fix is not None:
            ui.button("Fix", on_click=lambda: session.apply_fix(error)).props(
                "flat dense no-caps size=sm"
            )
        if position is not None:
            button = ui.button(
                f"line {position.line}",
                on_click=lambda: session.show(Path(position.file), position.line),
            )
            button.props("flat dense no-caps size=sm")
