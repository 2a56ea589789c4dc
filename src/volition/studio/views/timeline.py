"""Timeline of a counterexample or witness: its steps, the states of the agents and the world after
each step, and a drawing of its loop."""

from __future__ import annotations

from pathlib import Path

from nicegui import ui

from volition.studio.session import Session
from volition.studio.view_data import RunData, StateData, StateReference, StepData
from volition.studio.views.agent_state import agent_panel, world_panel
from volition.studio.views.lasso import lasso

__all__ = ["Timeline"]

MAX_STEPS = 150
"""Largest number of steps in the list, which is centred on the current step."""

TEMPO = 0.9
"""Seconds per step while the run is played automatically."""


class Timeline:
    """Display of a run with a current position, which is the number of steps before the shown
    state."""

    def __init__(self, session: Session, run: RunData) -> None:
        self._session = session
        self._run = run
        self._at = 0
        self._whole = len(run.steps) <= 12 or not any(step.is_relevant for step in run.steps)
        """Whether all steps are listed, or only those relevant to the formula."""
        self._rows: dict[int, ui.element] = {}
        self._agent: str | None = None
        self._playing = ui.timer(TEMPO, self._play, active=False)
        self._controls()
        with ui.element("div").classes("timeline-panes"):
            self._list = (
                ui.column()
                .classes("gap-0 timeline pane")
                .props('tabindex=0 role="listbox" aria-label="steps"')
            )
            self._list.on("keydown.up.prevent", lambda: self.step(-1)).on(
                "keydown.down.prevent", lambda: self.step(1)
            )
            self._list.on("keydown.left.prevent", lambda: self.step(-1)).on(
                "keydown.right.prevent", lambda: self.step(1)
            )
            with self._list:
                self._steps()
            with ui.column().classes("gap-0 mind pane").props('aria-label="agents"'):
                self._agent_pane()
            with ui.column().classes("gap-0 world pane").props('aria-label="world"'):
                self._world()
        self._first_look()

    def _controls(self) -> None:
        run = self._run
        with ui.row().classes("w-full items-center no-wrap gap-1 controls"):
            ui.button(icon="first_page", on_click=lambda: self.go(0)).props(
                'flat dense aria-label="to the beginning"'
            )
            ui.button(icon="chevron_left", on_click=lambda: self.step(-1)).props(
                'flat dense aria-label="one step back"'
            )
            self._button = ui.button(icon="play_arrow", on_click=self._toggle).props(
                'flat dense aria-label="play"'
            )
            ui.button(icon="chevron_right", on_click=lambda: self.step(1)).props(
                'flat dense aria-label="one step forward"'
            )
            ui.button(icon="last_page", on_click=lambda: self.go(len(run.steps))).props(
                'flat dense aria-label="to the end"'
            )
            if run.loop is not None and not run.steps[-1].is_self_loop:
                ui.button("to the loop", on_click=lambda: self.go(run.loop or 0)).props(
                    "flat dense no-caps icon=loop size=sm"
                )
            self._picture = ui.element("div").classes("lasso grow")
            self._switch = ui.switch(
                "all steps",
                value=self._whole,
                on_change=lambda event: self._show_all(bool(event.value)),
            )
            self._switch.props("dense size=xs").classes("whole-run")
            walk = ui.button("Step through from here", on_click=self._walk).props(
                "flat dense no-caps size=sm icon=directions_walk"
            )
            walk.set_visibility(bool(run.trace))

    def _first_look(self) -> None:
        """Go to the position that is shown first: the last step that changes a part of the formula,
        or else the last relevant step."""
        annotated = [step.number for step in self._run.steps if step.atom_changes] or [
            step.number for step in self._run.steps if step.is_relevant
        ]
        self._draw_lasso()
        self.go(annotated[-1] if annotated else 0)

    # --- the current position ---------------------------------------------------------------------

    @property
    def _listed(self) -> list[StepData]:
        return [step for step in self._run.steps if self._whole or step.is_relevant]

    def step(self, by: int) -> None:
        """Go to the next step in the list, or to the previous one if ``by`` is negative."""
        indices = [0, *(step.number for step in self._listed)]
        after = [index for index in indices if index > self._at]
        before = [position for position in indices if position < self._at]
        if by > 0 and after:
            self.go(after[0])
        elif by < 0 and before:
            self.go(before[-1])

    def go(self, at: int) -> None:
        """Show the state after ``at`` steps."""
        at = max(0, min(len(self._run.steps), at))
        if at == self._at and at:
            return
        before, self._at = self._at, at
        step = self._run.steps[at - 1] if at else None
        if step is not None and not step.is_relevant and not self._whole:
            self._switch.value = True
        elif at in self._rows and before in self._rows:
            self._rows[before].classes(remove="here")
            self._rows[at].classes(add="here")
        else:
            self._steps.refresh()
        if step is not None and step.agent in self._agents:
            self._agent = step.agent
        self._agent_pane.refresh()
        self._world.refresh()
        self._draw_lasso()
        if at in self._rows:
            ui.run_javascript(
                f"getElement({self._rows[at].id}).scrollIntoView({{block: 'nearest'}})"
            )
        if step is not None and step.positions:
            self._session.show(Path(step.positions[0].file), step.positions[0].line)

    @property
    def _agents(self) -> list[str]:
        return [mind.agent for mind in self._run.start.agents]

    @property
    def _state(self) -> StateData:
        return self._run.steps[self._at - 1].state if self._at else self._run.start

    def _toggle(self) -> None:
        self._playing.active = not self._playing.active
        self._button.props(f"icon={'pause' if self._playing.active else 'play_arrow'}")

    def _play(self) -> None:
        before = self._at
        self.step(1)
        if self._at == before:
            if self._run.loop is not None and self._run.loop < len(self._run.steps) - 1:
                self.go(self._run.loop)
            else:
                self._toggle()

    def _show_all(self, whole: bool) -> None:
        self._whole = whole
        self._steps.refresh()

    def _walk(self) -> None:
        self._session.navigate("Step through", StateReference(self._run.trace, self._at))

    def _draw_lasso(self) -> None:
        self._picture.clear()
        with self._picture:
            lasso(
                len(self._run.steps),
                self._run.loop,
                self._at,
                [step.number for step in self._run.steps if step.atom_changes],
            )

    # --- the panes --------------------------------------------------------------------------------

    @ui.refreshable_method
    def _steps(self) -> None:
        listed = self._listed
        here = next(
            (index for index, step in enumerate(listed) if step.number >= self._at), len(listed)
        )
        first = max(0, min(here - MAX_STEPS // 2, len(listed) - MAX_STEPS))
        self._rows = {0: self._row(0, "initial state")}
        if first:
            ui.label(f"… {_steps(first)} earlier").classes("quiet gap-row")
        last = 0
        for step in listed[first : first + MAX_STEPS]:
            if not first and step.number > last + 1:
                ui.label(f"… {_steps(step.number - last - 1)}").classes("quiet gap-row")
            if (
                self._run.loop is not None
                and last <= self._run.loop < step.number
                and not step.is_self_loop
            ):
                ui.label("↻ the following steps repeat forever").classes("loop")
            self._rows[step.number] = self._step_row(step)
            last = step.number
        left = len(listed) - first - MAX_STEPS
        if left > 0:
            ui.label(f"… {_steps(left)} more").classes("quiet gap-row")

    def _step_row(self, step: StepData) -> ui.element:
        position = f"{step.positions[0].file}:{step.positions[0].line}" if step.positions else ""
        chance = f" (probability {step.probability})" if step.probability else ""
        text = f"{step.agent}: {step.text}{chance}" if step.agent else f"{step.text}{chance}"
        return self._row(
            step.number,
            text,
            " · ".join(filter(None, (" ".join(step.rules), position))),
            step.atom_changes,
        )

    def _row(
        self, number: int, text: str, details: str = "", turns: tuple[str, ...] = ()
    ) -> ui.element:
        """Build and return the row of a step. When the current position changes, rows are not
        rebuilt; only their CSS classes change."""
        with (
            ui.element("div")
            .classes(f"step{' here' if number == self._at else ''}")
            .props('role="option"') as row
        ):
            ui.label(str(number)).classes("step-number")
            with ui.element("div").classes("min-w-0"):
                ui.label(text).classes("step-text")
                if details:
                    ui.label(details).classes("step-details")
                for turn in turns:
                    ui.label(turn).classes("turn")
        row.on("click", lambda: self.go(number))
        return row

    @ui.refreshable_method
    def _agent_pane(self) -> None:
        agents = self._agents
        chosen = self._agent if self._agent in agents else agents[0]
        if len(agents) > 1:
            with (
                ui.row().classes("agents no-wrap gap-1").props('role="tablist" aria-label="agents"')
            ):
                for agent in agents:
                    touched = any(
                        section.startswith(f"{agent} ") for section, _ in self._state.marks
                    )
                    button = ui.button(
                        f"{agent}{' •' if touched else ''}",
                        on_click=lambda agent=agent: self._look_at(agent),
                    )
                    button.props('dense no-caps size=sm role="tab"').props(
                        "unelevated" if agent == chosen else "flat"
                    )
        else:
            ui.label(f"agent {chosen}").classes("pane-title")
        mind = next(each for each in self._state.agents if each.agent == chosen)
        agent_panel(
            self._state,
            mind,
            several=any(section.startswith(f"{chosen} ") for section, _ in self._state.marks)
            or len(agents) > 1,
        )

    def _look_at(self, agent: str) -> None:
        self._agent = agent
        self._agent_pane.refresh()

    @ui.refreshable_method
    def _world(self) -> None:
        ui.label("world").classes("pane-title")
        world_panel(self._state)


def _steps(count: int) -> str:
    return f"{count} step{'' if count == 1 else 's'}"
