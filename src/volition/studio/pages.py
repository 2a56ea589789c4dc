"""The page: a bar, the editor on the left, and beside it what can be asked of the program."""

from __future__ import annotations

from pathlib import Path

from nicegui import ui

from volition.diagnostics import InputError
from volition.languages import programs_in
from volition.studio.session import Session
from volition.studio.views.check import check_view
from volition.studio.views.editor import editor_view
from volition.studio.views.why import why_view
from volition.studio.workspace import Workspace, examples_folder

__all__ = ["pages"]

_STYLE = (Path(__file__).parent / "studio.css").read_text(encoding="utf-8")
VIEWS = {
    "Check": ("fact_check", check_view),
    "Why": ("psychology", why_view),
}
"""By their titles: their icons, and what builds them."""


def pages(program: Path | None) -> None:
    """Declares the pages; ``program`` is what is open at first."""

    @ui.page("/", title="Volition studio")
    def root(open: str = "") -> None:
        ui.add_css(_STYLE)
        chosen = Path(open) if open else program
        if chosen is None:
            _welcome()
        else:
            _opened(chosen, example=_is_example(chosen))


def _is_example(path: Path) -> bool:
    examples = examples_folder()
    return examples is not None and path.resolve().is_relative_to(examples.resolve())


def _welcome() -> None:
    """What to do where nothing is open."""
    ui.dark_mode(None)
    with ui.column().classes("welcome mx-auto gap-4"):
        ui.label("Volition studio").classes("text-h5")
        ui.label("Open an example to look around: you work on a copy. To open a program of your own, start the studio with its path.")
        examples = examples_folder()
        for path in programs_in(examples) if examples else ():
            name = path.relative_to(examples) if examples else path
            ui.link(str(name), f"/?open={path}").classes("example")


def _opened(path: Path, *, example: bool) -> None:
    try:
        workspace = Workspace.of_program(path, example=example)
    except InputError as error:
        ui.label("\n".join(each.message for each in error.diagnostics)).classes("empty")
        ui.link("back", "/")
        return
    session = Session(workspace)
    ui.context.client.on_delete(session.close)
    _bar(session, path)
    with ui.splitter(value=42).classes("w-full workbench") as splitter:
        with splitter.before:
            editor_view(session)
        with splitter.after:
            _tabs(session)
    client = ui.context.client

    def complain(text: str) -> None:
        with client:
            ui.notify(text, type="warning", multi_line=True, close_button=True)

    session.on("problem", complain)
    _ask_for_trust(session)
    ui.timer(0, session.reload, once=True)


def _bar(session: Session, path: Path) -> None:
    dark = ui.dark_mode(None)
    with ui.header().classes("bar items-center gap-3 no-wrap"):
        ui.link("Volition studio", "/").classes("brand")
        name = ui.label(path.name).classes("program-name")
        language = ui.label().classes("language")
        ui.space()
        spinner = ui.spinner(size="sm")
        spinner.set_visibility(False)
        save = ui.button("Save", on_click=lambda: _save(session)).props("flat dense no-caps")
        ui.button(icon="contrast", on_click=dark.toggle).props('flat dense aria-label="light or dark"')

    def told() -> None:
        language.text = session.opened.language if session.opened else ""
        save.set_enabled(bool(session.workspace.unsaved) or session.workspace.home is None)
        name.text = f"{path.name}{' (a copy)' if session.workspace.home is None else ''}"

    for change in ("opened", "edited", "saved"):
        session.on(change, told)
    session.on("busy", lambda _, working: spinner.set_visibility(working))
    told()


def _save(session: Session) -> None:
    """Save where the program comes from; of an example, ask where to."""
    if session.workspace.home is not None:
        saved = session.workspace.save()
        ui.notify(f"saved {', '.join(map(str, saved))}")
        session.tell("saved")
        return
    with ui.dialog() as dialog, ui.card():
        ui.label("This is a copy of an example. Save it into a new folder:")
        folder = ui.input(placeholder="path of a folder").classes("w-96").props('aria-label="folder"')

        def done() -> None:
            try:
                session.workspace.save_as(Path(folder.value).expanduser())
            except InputError as error:
                ui.notify(error.diagnostics[0].message, type="warning")
                return
            dialog.close()
            session.tell("saved")

        with ui.row():
            ui.button("Save", on_click=done).props("no-caps")
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
    dialog.open()


def _tabs(session: Session) -> None:
    with ui.tabs().props("dense inline-label no-caps align=left") as tabs:
        for name, (icon, _) in VIEWS.items():
            ui.tab(name, icon=icon)
    with ui.tab_panels(tabs, value="Check").classes("w-full panels").props("keep-alive"):
        for name, (_, view) in VIEWS.items():
            with ui.tab_panel(name):
                view(session)
    session.on("tab", tabs.set_value)


def _ask_for_trust(session: Session) -> None:
    """A program's own Python runs only after a yes."""
    asked = False

    async def allow(dialog: ui.dialog) -> None:
        dialog.close()
        await session.allow()

    def look() -> None:
        nonlocal asked
        if asked or not session.needs_trust:
            return
        asked = True
        with ui.dialog() as dialog, ui.card():
            ui.label("This program brings Python code, which would run with all your permissions. Let it run?")
            with ui.row():
                ui.button("Let it run, this once", on_click=lambda: allow(dialog)).props("no-caps")
                ui.button("No", on_click=dialog.close).props("flat no-caps")
        dialog.open()

    session.on("opened", look)
