"""Start page of the studio, on which users choose the program to open."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from nicegui import ui

from volition.diagnostics import InputError
from volition.studio.locations import Locations, examples
from volition.studio.workspace import Workspace

__all__ = ["welcome"]


def welcome(positions: Locations, problem: str) -> None:
    """Build the start page: the list of examples by language, and a field for the path of your own
    program."""
    with ui.column().classes("welcome mx-auto gap-4"):
        with ui.column().classes("gap-1"):
            ui.label("Volition studio").classes("welcome-title").props(
                'role="heading" aria-level=1'
            )
            ui.label("Edit, check and explore BDI agent programs.").classes("quiet")
        _own(positions, problem)
        with ui.column().classes("gap-1 w-full"):
            ui.label("Or open an example").classes("section").props('role="heading" aria-level=2')
            ui.label(
                "You work on a copy. Open an example, press Check all, then press Why? beside a "
                "violated property."
            ).classes("quiet")
        found = sorted(examples(), key=lambda each: each.language)
        if not found:
            ui.label("This installation has no examples.").classes("quiet")
        with ui.element("div").classes("example-groups"):
            for language, several in groupby(found, key=lambda each: each.language):
                with ui.column().classes("gap-1 example-group"):
                    ui.label(language).classes("section")
                    for each in several:
                        with ui.link(target=f"/?open={positions.short_name(each.path)}").classes(
                            "example"
                        ):
                            ui.label(each.name).classes("example-name")
                            if each.about:
                                ui.label(each.about).classes("example-about")


def _own(positions: Locations, problem: str) -> None:
    with ui.row().classes("w-full no-wrap items-start gap-2"):
        with ui.column().classes("grow gap-0"):
            field = (
                ui.input("Path of a program or of a folder with programs")
                .classes("w-full")
                .props('dense outlined aria-label="path"')
            )
            reported = (
                ui.label(problem)
                .classes("problem-text error path-problem")
                .props('aria-live="polite"')
            )

        def opened() -> None:
            try:
                path = Path(str(field.value or "").strip()).expanduser()
                if not path.is_absolute():
                    reported.text = "Enter a path that begins with / or ~."
                    return
                Workspace.of(path).close()
            except (InputError, RuntimeError, OSError) as error:
                reported.text = (
                    error.diagnostics[0].message if isinstance(error, InputError) else str(error)
                )
                return
            ui.navigate.to(f"/?open={positions.short_name(path)}")

        field.on("keydown.enter", opened)
        ui.button("Open", on_click=opened).props("no-caps unelevated icon=folder_open")
