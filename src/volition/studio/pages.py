"""Web pages of the studio: a bar at the top, the program on the left, the views on the right."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path

from nicegui import background_tasks, ui

from volition.diagnostics import InputError
from volition.studio.access_control import Permissions
from volition.studio.locations import Locations
from volition.studio.session import Session
from volition.studio.views.check import check_view
from volition.studio.views.explanation import explanation_view
from volition.studio.views.project import project_view
from volition.studio.views.run import run_view
from volition.studio.views.simulator import simulator_view
from volition.studio.views.sweeps import sweeps_view
from volition.studio.views.tradeoffs import tradeoffs_view
from volition.studio.welcome import welcome
from volition.studio.workspace import Workspace

__all__ = ["VIEWS", "pages"]

_STYLE = "\n".join(
    (Path(__file__).parent / name).read_text(encoding="utf-8")
    for name in ("studio.css", "exploring.css")
)

VIEWS: dict[str, tuple[str, Callable[[Session], None]]] = {
    "Check": ("fact_check", check_view),
    "Explanation": ("psychology", explanation_view),
    "Step through": ("directions_walk", simulator_view),
    "Trade-offs": ("balance", tradeoffs_view),
    "Sweeps": ("tune", sweeps_view),
    "Run": ("play_circle", run_view),
}
"""Icon and build function of each view on the right side of the page, by the title of its tab."""


def pages(program: Path | None, permissions: Permissions) -> None:
    """Register the web pages of the studio; ``program`` is opened on the first page, if given."""
    positions = Locations(program)

    @ui.page("/", title="Volition studio")
    def root(open: str = "") -> None:
        _dress()
        problem = ""
        workspace: Workspace | None = None
        try:
            workspace = positions.resolve(open)
        except InputError as error:
            problem = "; ".join(each.message for each in error.diagnostics)
        if workspace is None:
            ui.dark_mode(None)
            welcome(positions, problem or ("This address is no longer valid." if open else ""))
        else:
            _opened(Session(workspace, permissions))

    @ui.page("/examples", title="Volition studio")
    def listed() -> None:
        _dress()
        ui.dark_mode(None)
        welcome(positions, "")


def _dress() -> None:
    ui.add_css(_STYLE)
    ui.colors(primary="#2563eb", negative="#b42318", positive="#15803d", warning="#a16207")


def _opened(session: Session) -> None:
    client = ui.context.client
    client.on_delete(session.close)
    _bar(session)
    with ui.splitter(value=40, limits=(20, 70)).classes("w-full workbench") as splitter:
        with splitter.before:
            project_view(session)
        with splitter.after:
            _tabs(session)

    def complain(text: str) -> None:
        with client:
            ui.notify(
                text,
                color="grey-9",
                text_color="white",
                icon="info",
                multi_line=True,
                close_button="Close",
            )

    session.on("problem", complain)
    _ask_for_trust(session)
    ui.timer(0, session.reload, once=True)


# --- the bar at the top of a page -----------------------------------------------------------------


def _bar(session: Session) -> None:
    client = ui.context.client
    with ui.header().classes("bar items-center gap-3 no-wrap"):
        ui.link("Volition studio", "/examples").classes("brand").props(
            'aria-label="Volition studio: open another program"'
        )
        _program(session)
        language = ui.label().classes("language")
        ui.space()
        spinner = ui.spinner(size="sm").props('aria-label="working"')
        spinner.set_visibility(False)
        save = ui.button("Save", on_click=lambda: _save(session)).props(
            "flat dense no-caps color=white icon=save"
        )
        _darkness(session)

    was_unsaved = False

    def refresh() -> None:
        nonlocal was_unsaved
        unsaved = bool(session.workspace.unsaved)
        if unsaved != was_unsaved:  # the browser warns before it closes a page with unsaved text
            client.run_javascript(
                "window.onbeforeunload = "
                f"{'event => event.preventDefault()' if unsaved else 'null'}"
            )
            was_unsaved = unsaved
        if session.opened is not None:  # keep the last language while the program has errors
            language.text = session.opened.language
        save.set_enabled(unsaved or session.workspace.save_folder is None)
        save.text = "Save" if session.workspace.save_folder is not None else "Save a copy"

    busy: set[str] = set()

    def working(bench: str, works: bool) -> None:
        (busy.add if works else busy.discard)(bench)
        spinner.set_visibility(bool(busy))

    for change in ("opened", "edited", "rewritten", "saved"):
        session.on(change, refresh)
    session.on("busy", working)
    refresh()


def _program(session: Session) -> None:
    """Show the name of the program in the bar, or a select box if the folder has several."""
    workspace = session.workspace
    if len(workspace.programs) > 1 and workspace.program in workspace.programs:
        options = {str(each): str(each) for each in workspace.programs}
        choice = ui.select(
            options,
            value=str(workspace.program),
            on_change=lambda event: session.choose(Path(event.value)),
        )
        choice.props('dense borderless options-dense dark aria-label="program"').classes(
            "program-choice"
        )
    else:
        ui.label(workspace.name).classes("program-name")
    copy = ui.label("copy of an example").classes("chip on-bar")
    copy.set_visibility(workspace.save_folder is None)
    session.on("saved", lambda: copy.set_visibility(workspace.save_folder is None))


def _darkness(session: Session) -> None:
    """Add the button that switches between light and dark colours. The initial colours are those
    that the operating system prefers."""
    dark = ui.dark_mode(None)

    def become(is_dark: bool) -> None:
        dark.value = is_dark
        session.dark = is_dark
        session.notify("dark")

    async def look() -> None:
        become(bool(await ui.run_javascript("matchMedia('(prefers-color-scheme: dark)').matches")))

    ui.context.client.on_connect(look)
    button = ui.button(icon="contrast", on_click=lambda: become(not session.dark))
    button.props('flat dense color=white aria-label="light or dark"')


def _save(session: Session) -> None:
    """Save the program in its folder; if it is a copy of an example, first ask for a new folder."""
    workspace = session.workspace
    if workspace.save_folder is None:
        _save_somewhere(session)
    elif workspace.changed_meanwhile:
        names = ", ".join(map(str, workspace.changed_meanwhile))
        _ask(
            f"{names} changed on disk since you opened it. Overwrite it?",
            {"Overwrite": lambda: _saved(session)},
        )
    else:
        _saved(session)


def _saved(session: Session) -> None:
    try:
        saved = session.workspace.save()
    except InputError as error:
        ui.notify(error.diagnostics[0].message, type="warning")
        return
    ui.notify(f"saved {', '.join(map(str, saved))}")
    session.notify("saved")


def _save_somewhere(session: Session) -> None:
    with ui.dialog() as dialog, ui.card().classes("question-card"):
        ui.label("This is a copy of an example. Choose a new folder to save it in.")
        folder = (
            ui.input("New folder", value=f"~/{session.workspace.folder.name}")
            .classes("w-full")
            .props('aria-label="new folder"')
        )
        problem = ui.label().classes("problem-text error")

        def done() -> None:
            try:
                session.workspace.save_as(Path(folder.value).expanduser())
            except (InputError, RuntimeError) as error:
                problem.text = (
                    error.diagnostics[0].message if isinstance(error, InputError) else str(error)
                )
                return
            dialog.close()
            ui.notify(f"saved in {session.workspace.save_folder}")
            session.notify("saved")

        with ui.row().classes("w-full justify-end"):
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
            ui.button("Save", on_click=done).props("no-caps unelevated")
    dialog.on("hide", dialog.delete)
    dialog.open()


def _ask(question: str, answers: dict[str, Callable[[], object]]) -> None:
    """Show a dialog with a question, a button for each possible answer, and the button "No"."""
    with ui.dialog() as dialog, ui.card().classes("question-card"):
        ui.label(question)
        with ui.row().classes("w-full justify-end"):
            ui.button("No", on_click=dialog.close).props("flat no-caps")
            for text, act in answers.items():

                def chosen(act: Callable[[], object] = act) -> None:
                    dialog.close()
                    result = act()
                    if isinstance(result, Coroutine):  # continues after the dialog is deleted
                        background_tasks.create(result)

                ui.button(text, on_click=chosen).props("no-caps unelevated")
    dialog.on("hide", dialog.delete)
    dialog.open()


# --- the views ------------------------------------------------------------------------------------


def _tabs(session: Session) -> None:
    with ui.tabs().props("dense inline-label no-caps align=left").classes("view-tabs") as tabs:
        for name, (icon, _) in VIEWS.items():
            ui.tab(name, icon=icon)
    with (
        ui.tab_panels(tabs, value="Check", animated=False)
        .classes("w-full panels")
        .props("keep-alive")
    ):
        for name, (_, view) in VIEWS.items():
            with ui.tab_panel(name):
                view(session)
    session.on("tab", tabs.set_value)
    tabs.on_value_change(lambda event: session.notify("seen", event.value))


def _ask_for_trust(session: Session) -> None:
    """Ask the user for permission when the program brings its own Python code, as the command line
    does."""
    client = ui.context.client
    asked = False

    def ask_once() -> None:
        if not asked and session.needs_trust:
            ask()

    def ask() -> None:
        nonlocal asked
        asked = True
        with client:
            _ask(
                f"The program contains code in '{session.workspace.folder}', which would run with "
                "all your permissions. Allow it to run?",
                {
                    "Always from this folder": lambda: session.allow(always=True),
                    "Yes, this time": lambda: session.allow(always=False),
                },
            )

    session.on("opened", ask_once)
    session.on("trust", ask)
