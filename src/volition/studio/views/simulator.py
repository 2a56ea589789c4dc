"""View *Step through*: execute the program step by step, with the options and their values in each
state, and a map of the neighbouring states."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from nicegui import ui

from volition.studio.session import Session
from volition.studio.tasks import simulate
from volition.studio.tasks.simulate import LineData, OptionData, WalkData
from volition.studio.view_data import ProgressData, StateReference
from volition.studio.views.agent_state import agent_panel, world_panel
from volition.studio.views.query_form import TaskControls, formula_field, is_query
from volition.studio.views.state_graph import StateGraphView
from volition.studio.views.widgets import load_line, placeholder, python_lines, text_literal

__all__ = ["simulator_view"]

BENCH = "simulator"
MANY_STEPS = 10


def simulator_view(session: Session) -> None:
    """Build the view; the program starts in its initial state when the view is first shown."""
    holder = ui.column().classes("view fill gap-2")
    walk: _Simulator | None = None
    looked_at = False
    beginning = asyncio.Lock()

    async def begun() -> _Simulator | None:
        nonlocal walk
        async with beginning:
            if walk is None:
                holder.clear()
                with holder:
                    if session.opened is None:
                        placeholder(
                            "The program has errors. Correct them to step through its states here.",
                            "directions_walk",
                        )
                    else:
                        walk = _Simulator(session)
                if walk is not None:
                    await walk.do(simulate.begin)
            return walk

    async def opened() -> None:
        nonlocal walk
        walk = None
        if looked_at:
            await begun()

    async def seen(view: str) -> None:
        nonlocal looked_at
        looked_at = view == "Step through"
        if looked_at and (session.opened is not None or session.errors):
            await begun()

    async def arrive(spot: StateReference) -> None:
        if (found := await begun()) is not None:
            await found.do(simulate.replay_trace, spot.trace, spot.step)

    session.on("opened", opened)
    session.on("seen", seen)
    session.on_navigate("Step through", arrive)


class _Simulator:
    """Elements of the view *Step through*, and the current state of the simulated run."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._shown: WalkData | None = None
        self._agent: str | None = None
        opened = session.opened
        queries = [
            each.text for each in (opened.properties if opened else ()) if is_query(each.text)
        ]
        with ui.element("div").classes("walk-page") as self._page:
            self._controls(queries)
            with ui.element("div").classes("walk-panes"):
                with ui.column().classes("pane gap-1").props('aria-label="options"'):
                    self._options()
                with ui.column().classes("pane gap-0").props('aria-label="state"'):
                    self._state()
            with ui.row().classes("atoms w-full gap-1").props('aria-label="atoms"'):
                self._atoms()
            with ui.element("div").classes("walk-below"):
                self._below(queries)

    # --- the bar at the top of the view -----------------------------------------------------------

    def _controls(self, queries: list[str]) -> None:
        with ui.row().classes("w-full items-center no-wrap gap-1 controls"):
            self._first = _icon("first_page", "to the beginning", lambda: self.do(simulate.begin))
            self._back = _icon("undo", "one step back", lambda: self.do(simulate.back, 1))
            ui.separator().props("vertical")
            ui.button("Random", on_click=lambda: self.do(simulate.random_step, 1)).props(
                "flat dense no-caps icon=casino size=sm"
            ).tooltip("take one random step")
            ui.button(
                f"× {MANY_STEPS}", on_click=lambda: self.do(simulate.random_step, MANY_STEPS)
            ).props("flat dense no-caps size=sm").tooltip(f"take {MANY_STEPS} random steps")
            self._strategy = ui.button(
                "Strategy", on_click=lambda: self.do(simulate.follow, 1)
            ).props("flat dense no-caps icon=route size=sm")
            self._strategy.tooltip("take the step that the strategy of the query chooses")
            ui.separator().props("vertical")
            _icon("bookmark_add", "bookmark this state", lambda: self.do(simulate.bookmark))
            self._marks = (
                ui.select([], label="bookmarks", on_change=self._return)
                .classes("marks")
                .props("dense outlined options-dense")
            )
            _icon("save_alt", "save as a trace", self._save)
            ui.space()
            python_lines(self._lines)
        with ui.row().classes("w-full items-center no-wrap gap-2"):
            self._query = formula_field(
                "show the value of each option for", queries, clearable=True
            ).classes("walk-query")
            self._query.on_value_change(self._query_changed)
            self._value = ui.label().classes("walk-value")
            self._working = TaskControls(self._session, BENCH)

    async def _query_changed(self) -> None:
        if self._shown is not None and (self._query.value or "") != self._shown.query:
            await self.do(simulate.value, self._query.value or "")

    async def _return(self) -> None:
        if self._marks.value:
            await self.do(simulate.return_to, self._marks.value)

    async def _save(self) -> None:
        text = await self._session.ask(simulate.trace, bench=BENCH)
        if text is not None:
            ui.download.content(text, "walk.json", "application/json")

    # --- calls of tasks ---------------------------------------------------------------------------

    async def do(self, step: Any, *arguments: Any) -> None:
        """Call a task that changes the simulated run, such as a step, an undo or a bookmark, and
        show the resulting state."""
        found: WalkData | None = await self._session.ask(
            step, *arguments, bench=BENCH, on_progress=self._heard
        )
        if self._page.is_deleted:  # the program has changed, and a new walk has replaced this one
            return
        if found is None:
            if self._shown is not None:
                self._query.value = self._shown.query or None
            return
        self._shown = found
        last = found.lines[-1] if found.lines else None
        agents = [mind.agent for mind in found.state.agents]
        if last is not None and last.agent in agents:
            self._agent = last.agent
        elif self._agent not in agents:
            self._agent = agents[0] if agents else None
        for part in (self._options, self._state, self._atoms, self._so_far):
            part.refresh()
        self._back.set_enabled(found.steps > 0)
        self._first.set_enabled(found.steps > 0)
        self._strategy.set_enabled(found.has_strategy)
        # No value, so that the same bookmark can be chosen again.
        self._marks.set_options(list(found.marks), value=None)
        count = f" ({len(found.marks)})" if found.marks else ""
        self._marks.props["label"] = f"bookmarks{count}"
        self._marks.set_enabled(bool(found.marks))
        self._value.text = f"in this state: {found.value}" if found.value else ""
        self._status.text = found.exploration_status
        if last is not None and last.positions:
            self._session.show(Path(last.positions[0].file), last.positions[0].line)
        await self._map.moved()

    def _heard(self, progress: ProgressData) -> None:
        self._working.show_progress(
            f"{progress.states:,} states explored, {progress.seconds:.1f} s"
        )

    # --- options ----------------------------------------------------------------------------------

    @ui.refreshable_method
    def _options(self) -> None:
        shown = self._shown
        ui.label("Options").classes("section")
        if shown is None:
            ui.label("…").classes("quiet")
            return
        for option in shown.options:
            self._option(option, shown.steps)
        if shown.more_options:
            ui.label(f"… and {shown.more_options} more").classes("quiet")

    def _option(self, option: OptionData, steps: int) -> None:
        if option.is_self_loop:
            ui.label("None: the run stays in this state forever.").classes("quiet")
            return
        one = len(option.outcomes) == 1
        with ui.element("div").classes("option-row"):
            with (
                ui.element("button")
                .classes("option")
                .on(
                    "click",
                    lambda: self.do(simulate.take, steps, option.number, 0 if one else None),
                ) as button
            ):
                button.props["type"] = "button"
                with ui.element("div").classes("option-text"):
                    if option.agent and self._several:
                        ui.label(option.agent).classes("option-agent")
                    ui.label(option.text)
                if option.is_best:
                    ui.icon("route").classes("best").tooltip("the strategy chooses this option")
                ui.label(option.value).classes("option-value")
            if not one:
                self._outcomes(option, steps)

    def _outcomes(self, option: OptionData, steps: int) -> None:
        """Show the random outcomes of an option as buttons, so that the user can select one."""
        with ui.element("div").classes("outcomes"):
            for number, outcome in enumerate(option.outcomes):
                press = lambda number=number: self.do(simulate.take, steps, option.number, number)  # noqa: E731
                with ui.element("button").classes("outcome").on("click", press) as button:
                    button.props["type"] = "button"
                    ui.label(outcome.probability).classes("outcome-chance")
                    ui.label(", ".join(outcome.changes) or "nothing changes").classes("option-text")
                    ui.label(outcome.value).classes("option-value")

    @property
    def _several(self) -> bool:
        return self._shown is not None and len(self._shown.state.agents) > 1

    # --- the current state ------------------------------------------------------------------------

    @ui.refreshable_method
    def _state(self) -> None:
        shown = self._shown
        if shown is None:
            return
        state = shown.state
        if len(state.agents) > 1:
            with (
                ui.row().classes("w-full gap-1 agents").props('role="tablist" aria-label="agents"')
            ):
                for each in state.agents:
                    button = ui.button(
                        each.agent, on_click=lambda agent=each.agent: self._look(agent)
                    )
                    button.props(
                        "flat dense no-caps size=sm "
                        f"color={'primary' if each.agent == self._agent else 'grey'}"
                    )
        for mind in state.agents:
            if mind.agent == self._agent:
                agent_panel(state, mind, several=len(state.agents) > 1)
        if any(state.world.values()) or len(state.agents) > 1:
            ui.label("World").classes("section world-title")
            world_panel(state)

    def _look(self, agent: str) -> None:
        self._agent = agent
        self._state.refresh()

    @ui.refreshable_method
    def _atoms(self) -> None:
        for atom in self._shown.atoms if self._shown is not None else ():
            with ui.element("span").classes(f"atom {'holds' if atom.holds else ''}"):
                ui.label("✓" if atom.holds else "–").classes("atom-mark")
                ui.label(atom.text)

    # --- the steps so far, and the map ------------------------------------------------------------

    def _below(self, queries: list[str]) -> None:
        with ui.row().classes("w-full items-center no-wrap"):
            with (
                ui.tabs()
                .props("dense no-caps align=left inline-label")
                .classes("small-tabs") as tabs
            ):
                ui.tab("Steps", icon="list")
                ui.tab("Map", icon="hub")
            ui.space()
            self._status = ui.label().classes("text-caption")
        with (
            ui.tab_panels(tabs, value="Steps", animated=False)
            .classes("w-full panels walk-lower")
            .props("keep-alive")
        ):
            with (
                ui.tab_panel("Steps").classes("inner-panel"),
                ui.column().classes("w-full gap-0 so-far"),
            ):
                self._so_far()
            with ui.tab_panel("Map").classes("inner-panel"):
                self._map = StateGraphView(
                    self._session, BENCH, queries, self.do, self._status.set_text
                )
        tabs.on_value_change(lambda event: self._turn(event.value == "Map"))

    async def _turn(self, to_map: bool) -> None:
        """Show the map or the list of steps; the lower part of the page is larger while the map is
        shown."""
        self._page.classes(add="map-shown" if to_map else "", remove="" if to_map else "map-shown")
        await self._map.seen(to_map)

    @ui.refreshable_method
    def _so_far(self) -> None:
        shown = self._shown
        if shown is None or not shown.lines:
            ui.label("You are in the initial state. Choose an option above.").classes("quiet")
            return
        if shown.steps > len(shown.lines):
            ui.label(f"… {shown.steps - len(shown.lines):,} earlier steps").classes("quiet")
        for line in shown.lines:
            self._line(line)
        ui.run_javascript(
            "document.querySelector('.so-far')?.lastElementChild?.scrollIntoView({block: "
            "'nearest'})"
        )

    def _line(self, line: LineData) -> None:
        position = f"{line.positions[0].file}:{line.positions[0].line}" if line.positions else ""
        chance = f" ({line.probability})" if line.probability else ""
        text = (
            f"{line.agent}: {line.text}{chance}"
            if line.agent and self._several
            else f"{line.text}{chance}"
        )
        with (
            ui.element("button")
            .classes("step")
            .on("click", lambda: self.do(simulate.back_to, line.number)) as row
        ):
            row.props["type"] = "button"
            row.props["title"] = "go back to this step"
            ui.label(str(line.number)).classes("step-number")
            ui.label(text)
            ui.label(" · ".join(filter(None, (", ".join(line.rules), position)))).classes(
                "text-caption step-place"
            )

    def _lines(self) -> list[str]:
        query = self._shown.query if self._shown is not None else ""
        lines = ["import volition", "", load_line(self._session)]
        if query:
            return [
                *lines,
                f"query = volition.parse({text_literal(query)})",
                f"walk = volition.walk(volition.explore(program, formulas={text_literal(query)}))",
                "values = walk.values(query)",
                "for option in walk.options:",
                "    print(option.text, values.of_choices[option.choice])",
                "walk.follow(query)",
            ]
        return [
            *lines,
            "walk = volition.walk(program)",
            "print([option.text for option in walk.options])",
            "walk.take(0).random_steps(3).back()",
            "print(walk.annotated_run())",
            "print(volition.replay(walk.trace(), program))",
        ]


def _icon(icon: str, what: str, act: Any) -> ui.button:
    return ui.button(icon=icon, on_click=act).props(f'flat dense aria-label="{what}"').tooltip(what)
