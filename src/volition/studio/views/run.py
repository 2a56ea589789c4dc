"""View *Run*: run the program and watch it, or show one or two recorded runs."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from nicegui import ui

from volition.runtime.view import render_page
from volition.studio import tasks
from volition.studio.frames import Frame, Frames, serve_frames
from volition.studio.session import Session
from volition.studio.tasks.run import RunRequest, RunResultData
from volition.studio.views.query_form import TaskControls, formula_field, is_query
from volition.studio.views.widgets import load_line, placeholder, python_lines, text_literal

__all__ = ["run_view"]

BENCH = "run"
MAX_CYCLES = 1_000
"""Number of steps of a run if neither the user nor the run file sets it."""

MAX_RECORDS = 50
"""Largest number of records of the open folder that the user can select."""

_BY_FILE = "from the run file"
_SELECT = {
    "": _BY_FILE,
    "random": "random",
    "first": "first in the program",
    "verified": "verified",
}
_WORLD = {
    "": _BY_FILE,
    "simulated": "simulated",
    "vessel": "vessel",
    "python": "skills in Python",
}


def run_view(session: Session) -> None:
    """Build the view: the form with the options of a run, and the page that shows the run."""
    serve_frames()
    view = _Run(session)
    ui.context.client.on_delete(view.close)


@dataclass(frozen=True, slots=True)
class _Recorded:
    """Run that was made in the studio, with the file of its record."""

    name: str
    record: Path


class _Run:
    """Form for runs, and the runs that were made on one studio page."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._frames = Frames()
        self._scratch = tempfile.TemporaryDirectory(prefix="volition-runs-")
        self._runs: list[_Recorded] = []
        self._shown: tuple[str, ...] = ()
        self._address = ""
        with ui.column().classes("w-full gap-2 run-page no-wrap"):
            self._form()
            self._choice()
            self._position = ui.element("div").classes("run-place w-full")
        with self._position:
            placeholder(
                "Run the program and watch it here step by step, or choose a recorded run from its "
                "folder.",
                "play_circle",
            )
        session.on("opened", self._opened)
        session.on("dark", lambda *_: self._frame())
        self._opened()

    def close(self) -> None:
        """Close the embedded pages and delete the records, when the studio page is closed."""
        self._frames.close()
        self._scratch.cleanup()

    # --- the form with the options of a run -------------------------------------------------------

    def _form(self) -> None:
        with ui.row().classes("w-full items-center gap-2 run-form"):
            self._seed = (
                ui.number("seed", value=1, min=0, precision=0)
                .classes("small-number")
                .props("dense outlined")
            )
            self._cycles = ui.number(
                "at most", placeholder=f"{MAX_CYCLES:,}", min=1, precision=0, suffix="steps"
            ).classes("cycles")
            self._cycles.props("dense outlined stack-label")
            self._select = (
                ui.select(_SELECT, label="selector", value="")
                .classes("selector")
                .props("dense outlined")
            )
            self._world = (
                ui.select(_WORLD, label="world", value="")
                .classes("selector")
                .props("dense outlined")
            )
        with ui.row().classes("w-full items-center no-wrap gap-2"):
            self._objective = formula_field(
                "objective: follow the strategy of", [], clearable=True
            ).classes("objective")
            self._real_time = (
                ui.switch("real time")
                .props("dense")
                .classes("real-time")
                .tooltip("wait for the duration of each cycle")
            )
            self._working = TaskControls(self._session, BENCH, "Run", self._run)
        self._ended = ui.label().classes("text-caption run-ended").props('aria-live="polite"')

    def _opened(self) -> None:
        opened = self._session.opened
        if opened is not None:
            queries = [
                each.text
                for each in opened.properties
                if is_query(each.text) and ("max=?" in each.text or "min=?" in each.text)
            ]
            self._objective.set_options(
                queries, value=self._objective.value if self._objective.value in queries else None
            )
            self._world.set_enabled(opened.language == "LISA")
        self._list_records()

    async def _run(self) -> None:
        number = len(self._runs) + 1
        record = Path(self._scratch.name) / f"run-{number}.jsonl"
        seed = int(self._seed.value or 0)
        self._ended.text = ""
        self._follow(record)
        requested = RunRequest(
            record=record,
            seed=seed,
            cycles=int(self._cycles.value) if self._cycles.value else None,
            select=self._select.value or None,
            objective=self._objective.value or None,
            world=self._world.value or None,
            real_time=bool(self._real_time.value),
            trust=self._session.trusted,
        )
        result: RunResultData | None = await self._session.ask(
            tasks.run.run, requested, bench=BENCH
        )
        if result is not None and result.needs_trust:
            self._ask_for_trust()
        elif result is None or not record.exists():
            self._clear("The run did not start.")
        else:
            self._ended.text = " ".join([result.sentence, *result.warnings])
            self._runs.append(_Recorded(f"run {number}, seed {seed}", record))
            self._shown = (self._runs[-1].name,)
            self._list_records()

    def _ask_for_trust(self) -> None:
        self._clear("The run has not started, because it needs Python code of the program.")
        with ui.dialog() as dialog, ui.card():
            ui.label(
                "This run needs Python code of the program (a world or skills), which would run "
                "with all your permissions. Allow it to run?"
            )

            async def allow() -> None:
                dialog.close()
                await self._session.allow(always=False)
                await self._run()

            with ui.row().classes("w-full justify-end"):
                ui.button("No", on_click=dialog.close).props("flat no-caps")
                ui.button("Yes, this time", on_click=allow).props("no-caps unelevated")
        dialog.on("hide", dialog.delete)
        dialog.open()

    # --- the run that is shown --------------------------------------------------------------------

    def _choice(self) -> None:
        with ui.row().classes("w-full items-center no-wrap gap-2"):
            self._records = ui.select(
                [],
                label="show one run, or two side by side",
                multiple=True,
                on_change=self._chosen,
            )
            self._records.classes("grow").props("dense outlined use-chips max-values=2")
            self._save = ui.button("Save record", on_click=self._save_record).props(
                "flat dense no-caps size=sm icon=download"
            )
            python_lines(self._lines)

    @property
    def _known(self) -> dict[str, Path]:
        """Records that can be shown, by name: those of runs on this studio page, and those in the
        open folder."""
        found = {each.name: each.record for each in self._runs}
        return found | {
            each.name: each
            for each in _records_in(
                self._session.workspace.save_folder or self._session.workspace.folder
            )
        }

    def _list_records(self) -> None:
        known = list(self._known)
        self._records.set_options(known, value=[each for each in self._shown if each in known])
        self._records.set_enabled(bool(known))
        self._save.set_enabled(any(each.name in self._shown for each in self._runs))

    async def _chosen(self) -> None:
        chosen = tuple(self._records.value or ())
        self._records.run_method("hidePopup")
        if chosen and chosen != self._shown:
            self._shown = chosen
            records = tuple(self._known[name] for name in chosen)
            light, dark = [
                await self._session.ask(tasks.run.recorded_page, records, each, bench=BENCH)
                for each in ("light", "dark")
            ]
            if light is not None and dark is not None:
                self._show(Frame(lambda scheme: dark if scheme == "dark" else light))
            self._save.set_enabled(any(each.name in self._shown for each in self._runs))

    def _follow(self, record: Path) -> None:
        """Show a run while it is in progress: the page receives each new line of its record."""
        left_out = tasks.run.folder_text(self._session.workspace.draft)
        self._show(
            Frame(lambda scheme: render_page([], live="lines", scheme=scheme), record, left_out)
        )

    def _show(self, frame: Frame) -> None:
        self._frames.close()
        self._address = self._frames.add(frame)
        self._frame()

    def _frame(self) -> None:
        if not self._address or self._position.is_deleted:
            return
        self._position.clear()
        with self._position:
            shown = ui.element("iframe").classes("run-frame")
            shown.props["src"] = f"{self._address}{'?dark' if self._session.dark else ''}"
            shown.props["title"] = "run"

    def _clear(self, text: str) -> None:
        self._frames.close()
        self._address = ""
        self._position.clear()
        with self._position:
            placeholder(text)

    def _save_record(self) -> None:
        for each in self._runs:
            if each.name in self._shown:
                ui.download.file(each.record, f"{each.record.stem}.jsonl")

    def _lines(self) -> list[str]:
        options = {
            "seed": str(int(self._seed.value or 0)),
            "cycles": str(int(self._cycles.value)) if self._cycles.value else "",
            "selector": text_literal(self._select.value) if self._select.value else "",
            "objective": text_literal(self._objective.value) if self._objective.value else "",
            "world": text_literal(self._world.value) if self._world.value else "",
        }
        given = ", ".join(f"{name}={value}" for name, value in options.items() if value)
        return [
            "import volition",
            "from pathlib import Path",
            "",
            load_line(self._session),
            f'print(volition.run(program, {given}, record="run.jsonl"))',
            'Path("run.html").write_text(volition.view("run.jsonl"))',
        ]


def _records_in(folder: Path) -> list[Path]:
    """Return the record files in a folder. Links are skipped, because they may point outside the
    folder."""
    found = sorted(
        each for each in folder.glob("*.jsonl") if each.is_file() and not each.is_symlink()
    )
    return found[:MAX_RECORDS]
