"""Why: the run behind an answer as a timeline, with the mind beside it; and how: the strategy behind a value."""

from __future__ import annotations

from pathlib import Path

from nicegui import ui

from volition.languages.model import Portrait
from volition.studio.session import Session
from volition.studio.shown import AnswerShown, RunShown, StepShown
from volition.studio.views.parts import strategy_table, verdict_badge
from volition.studio.work.evidence import run_of, strategy_behind

__all__ = ["why_view"]

MOST_STEPS = 200
"""Steps that are shown around the current one; the others are a page away."""


def why_view(session: Session) -> None:
    """Waits for an answer to be asked about."""
    holder = ui.column().classes("w-full gap-2")
    with holder:
        ui.label("Ask 'Why?' of an answer to see its run here, step by step.").classes("empty")

    async def why(asked: str) -> None:
        answer = session.answers[asked]
        run = None if answer.has_strategy else await session.ask(run_of, asked)
        strategy = await session.ask(strategy_behind, asked) if answer.has_strategy else None
        holder.clear()
        with holder:
            _heading(answer)
            if run is not None:
                _Timeline(session, run)
            elif strategy is not None:
                strategy_table(strategy)
            else:
                ui.label(_without_run(answer)).classes("empty")

    session.on_arrival("Why", why)


def _heading(answer: AnswerShown) -> None:
    with ui.row().classes("w-full items-center no-wrap gap-3"):
        ui.label(answer.text).classes("formula-text grow")
        verdict_badge(answer)


def _without_run(answer: AnswerShown) -> str:
    if answer.verdict == "holds":
        return "It holds in every run: there is none to show against it."
    return "No single run shows this."


class _Timeline:
    """A run and a place in it."""

    def __init__(self, session: Session, run: RunShown) -> None:
        self._session = session
        self._run = run
        self._at = 0
        self._rows: dict[int, ui.element] = {}
        self._playing = ui.timer(0.8, self._play, active=False)
        with ui.row().classes("w-full items-center no-wrap gap-1"):
            ui.button(icon="first_page", on_click=lambda: self.go(0)).props('flat dense aria-label="to the beginning"')
            ui.button(icon="chevron_left", on_click=lambda: self.go(self._at - 1)).props('flat dense aria-label="one step back"')
            self._button = ui.button(icon="play_arrow", on_click=self._toggle).props('flat dense aria-label="play"')
            ui.button(icon="chevron_right", on_click=lambda: self.go(self._at + 1)).props('flat dense aria-label="one step on"')
            ui.button(icon="last_page", on_click=lambda: self.go(len(run.steps))).props('flat dense aria-label="to the end"')
            if run.loop is not None:
                ui.button("to the loop", on_click=lambda: self.go(run.loop or 0)).props("flat dense no-caps icon=loop")
            self._slider = ui.slider(min=0, max=max(len(run.steps), 1), value=0, on_change=lambda event: self.go(int(event.value)))
            self._slider.classes("grow").props('aria-label="step"')
        with ui.row().classes("w-full no-wrap gap-4 items-start"):
            with ui.column().classes("gap-0 timeline grow"):
                self._steps()
            with ui.column().classes("gap-1 mind"):
                self._mind()
        ui.keyboard(on_key=self._key)

    def go(self, at: int) -> None:
        at = max(0, min(len(self._run.steps), at))
        if at == self._at:
            return
        before, self._at = self._at, at
        self._slider.value = at
        if at in self._rows:
            if before in self._rows:
                self._rows[before].classes(remove="here")
            self._rows[at].classes(add="here")
        else:
            self._steps.refresh()
        self._mind.refresh()
        self._rows[at].run_method("scrollIntoView", {"block": "nearest"})
        if at and (places := self._run.steps[at - 1].places):
            self._session.show(Path(places[0].file), places[0].line)

    def _toggle(self) -> None:
        self._playing.active = not self._playing.active
        self._button.props(f"icon={'pause' if self._playing.active else 'play_arrow'}")

    def _play(self) -> None:
        if self._at < len(self._run.steps):
            self.go(self._at + 1)
        elif self._run.loop is not None:
            self.go(self._run.loop)
        else:
            self._toggle()

    def _key(self, event: object) -> None:
        if getattr(getattr(event, "action", None), "keydown", False):
            key = getattr(event, "key", None)
            if getattr(key, "arrow_left", False):
                self.go(self._at - 1)
            elif getattr(key, "arrow_right", False):
                self.go(self._at + 1)

    @ui.refreshable_method
    def _steps(self) -> None:
        first = max(0, min(self._at - MOST_STEPS // 2, len(self._run.steps) - MOST_STEPS))
        self._rows = {0: self._row(0, "initial state")}
        if first:
            ui.label(f"… {first} steps").classes("text-caption")
        for step in self._run.steps[first : first + MOST_STEPS]:
            if self._run.loop is not None and step.number == self._run.loop + 1:
                ui.label("↻ from here on for ever").classes("loop")
            place = f"{step.places[0].file}:{step.places[0].line}" if step.places else ""
            chance = f" ({step.probability})" if step.probability else ""
            text = f"{step.agent}: {step.text}{chance}" if step.agent else f"{step.text}{chance}"
            self._rows[step.number] = self._row(step.number, text, " · ".join(filter(None, (", ".join(step.rules), place))))
        left = len(self._run.steps) - first - MOST_STEPS
        if left > 0:
            ui.label(f"… {left} more steps").classes("text-caption")

    def _row(self, number: int, text: str, details: str = "") -> ui.element:
        """One step; only its class changes when it is the one that is looked at."""
        with ui.element("div").classes(f"step{' here' if number == self._at else ''}").on("click", lambda: self.go(number)) as row:
            ui.label(str(number)).classes("step-number")
            with ui.element("div"):
                ui.label(text)
                if details:
                    ui.label(details).classes("text-caption")
        return row

    @ui.refreshable_method
    def _mind(self) -> None:
        step = self._run.steps[self._at - 1] if self._at else None
        _portrait(self._run.start if step is None else step.portrait, step)


def _portrait(portrait: Portrait, step: StepShown | None) -> None:
    changed = {(section, item): (before, after) for section, item, before, after in step.changes} if step else {}
    for section in dict.fromkeys([*portrait, *(section for section, _ in changed)]):
        items = portrait.get(section, {})
        gone = [item for (where, item), (_, after) in changed.items() if where == section and after is None]
        if not items and not gone:
            continue
        ui.label(section).classes("section")
        for item, value in items.items():
            mark = "" if (section, item) not in changed else "new" if changed[section, item][0] is None else "changed"
            with ui.row().classes(f"item no-wrap gap-2 {mark}"):
                ui.label(item)
                if value:
                    ui.label(value).classes("value")
        for item in gone:
            ui.label(item).classes("item gone")
