"""View *Trade-offs*: Pareto fronts of several objectives, and the success probability of a goal
against its cost (*mission*), with their strategies."""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from nicegui import ui

from volition.studio import tasks
from volition.studio.session import Session
from volition.studio.tasks.tradeoffs import MissionData, ParetoFrontData, ParetoPointData
from volition.studio.view_data import ProgressData, StrategyData
from volition.studio.views.charts import Chart, Palette, axis
from volition.studio.views.query_form import TaskControls, formula_field, formulas_field, is_query
from volition.studio.views.widgets import (
    load_line,
    placeholder,
    python_lines,
    strategy_tables,
    text_literal,
)

__all__ = ["tradeoffs_view"]

BENCH = "tradeoffs"


def tradeoffs_view(session: Session) -> None:
    """Build the view, on two tabs: a form for a Pareto front, and a form for the success
    probability of a goal against its cost (a mission)."""
    with ui.column().classes("w-full gap-3 view-page"):
        with ui.tabs().props("dense no-caps align=left inline-label").classes("small-tabs") as tabs:
            ui.tab("Pareto front", icon="show_chart")
            ui.tab("Mission", icon="flag")
        holder = ui.column().classes("w-full")
    known: tuple[object, ...] | None = None

    def build() -> None:
        nonlocal known
        opened = session.opened
        now = None if opened is None else tuple(each.text for each in opened.properties)
        if now is not None and now == known:
            return  # keep the form as the user filled it in
        known = now
        holder.clear()
        with holder:
            if opened is None:
                placeholder("The program has errors. Correct them to compare its objectives here.")
                return
            with (
                ui.tab_panels(tabs, value=tabs.value or "Pareto front")
                .classes("w-full panels")
                .props("keep-alive")
            ):
                with ui.tab_panel("Pareto front").classes("inner-panel"):
                    _ParetoForm(session)
                with ui.tab_panel("Mission").classes("inner-panel"):
                    _Mission(session)

    build()
    session.on("opened", build)


class _Strategy:
    """Area below a result in which the selected strategy is shown."""

    def __init__(self, hint: str) -> None:
        self._position = ui.column().classes("w-full gap-1 strategy-place")
        with self._position:
            placeholder(hint, "ads_click")

    def show(self, title: str, strategy: StrategyData | None) -> None:
        if strategy is not None:
            self._position.clear()
            with self._position:
                ui.label(title).classes("section")
                strategy_tables(strategy)
            ui.run_javascript(
                f"getElement({self._position.id}).scrollIntoView({{block: 'nearest', behavior: "
                "'smooth'})"
            )


def _rows(
    titles: Sequence[str], rows: Sequence[Sequence[str]], chosen: Callable[[int], Awaitable[None]]
) -> None:
    """Show a table whose rows can be selected with the mouse or the keyboard."""
    with ui.element("table").classes("decisions values"):
        with ui.element("thead"), ui.element("tr"):
            for title in titles:
                with ui.element("th"):
                    ui.label(title)
        with ui.element("tbody"):
            for number, row in enumerate(rows):
                with (
                    ui.element("tr")
                    .classes("decision clickable")
                    .props('tabindex=0 role="button"') as line
                ):
                    for text in row:
                        with ui.element("td"):
                            ui.label(text)
                line.on("click", lambda number=number: chosen(number)).on(
                    "keydown.enter", lambda number=number: chosen(number)
                )


class _TradeoffForm:
    """Common part of the forms for a Pareto front and for a mission: the button to compute, the
    button that shows equivalent Python code, and the area for the result."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def _place(
        self,
        compute: Callable[[], Awaitable[None]],
        lines: Callable[[], list[str]],
        hint: str,
        icon: str,
    ) -> None:
        with ui.row().classes("w-full items-center gap-2"):
            self._working = TaskControls(self._session, BENCH, "Compute", compute)
            ui.space()
            python_lines(lines)
        self._result = ui.column().classes("w-full gap-2 result")
        with self._result:
            placeholder(hint, icon)

    async def _found(
        self, work: Callable[..., Any], *arguments: Any, show: Callable[[Any], None]
    ) -> None:
        found = await self._session.ask(work, *arguments, bench=BENCH, on_progress=self._heard)
        if found is not None:
            self._result.clear()
            with self._result:
                show(found)

    def _heard(self, progress: ProgressData) -> None:
        self._working.show_progress(f"{progress.states:,} states, {progress.seconds:.1f} s")


# --- Pareto fronts --------------------------------------------------------------------------------


class _ParetoForm(_TradeoffForm):
    """Form and result of a Pareto front for two or more objectives."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        opened = session.opened
        queries = [
            each.text
            for each in (opened.properties if opened else ())
            if is_query(each.text) and "=? [" in each.text
        ]
        extreme = [each for each in queries if "max=?" in each or "min=?" in each]
        with ui.column().classes("w-full gap-2"):
            self._formulas = formulas_field(
                "objectives, two or more", extreme, _preselected_objectives(extreme)
            )
            hint = (
                "Choose objectives and press Compute. The Pareto front shows which values can be "
                "achieved together."
            )
            self._place(self._compute, self._lines, hint, "balance")

    async def _compute(self) -> None:
        if len(self._formulas.value) < 2:
            self._session.notify("problem", "choose at least two objectives")
            return
        await self._found(tasks.tradeoffs.front, tuple(self._formulas.value), show=self._show)

    def _show(self, found: ParetoFrontData) -> None:
        draw = _front_options if len(found.objectives) == 2 else _many_options
        picture = Chart(
            self._session,
            "front",
            lambda ink: draw(found, ink),
            lambda: found.csv,
            classes="picture-front",
            clicked=self._clicked,
        )
        if found.chosen:
            ui.label(found.chosen)
        _rows(
            ["", *found.objectives],
            [[each.name, *each.texts] for each in found.corners],
            lambda row: self._corner(found.corners[row].number),
        )
        with ui.row().classes("w-full items-center gap-2"):
            ui.label(found.remark).classes("text-caption")
            ui.space()
            picture.menu()
        self._strategy = _Strategy("Click a corner, or a row, to see the strategy that attains it.")

    async def _clicked(self, event: Any) -> None:
        number = event.data.get("corner") if isinstance(event.data, dict) else None
        if number is not None:
            await self._corner(int(number))

    async def _corner(self, number: int) -> None:
        self._strategy.show(
            f"Strategy {number}",
            await self._session.ask(tasks.tradeoffs.corner_strategy, number, bench=BENCH),
        )

    def _lines(self) -> list[str]:
        return [
            "import volition",
            "",
            load_line(self._session),
            "front = volition.pareto(program, "
            f"[{', '.join(map(text_literal, self._formulas.value))}])",
            "for corner in front:",
            "    print(corner, len(corner.strategy))",
            'volition.save_plot(front, "front.svg")',
        ]


def _preselected_objectives(queries: Sequence[str]) -> list[str]:
    """Return the two queries that the form preselects as objectives. They differ in more than max
    and min, so that there may be a trade-off. Return at most one query if two such queries do not
    exist."""
    if not queries:
        return []
    first = next((each for each in queries if "max=?" in each), queries[0])
    other = next(
        (each for each in queries if _goal(each) != _goal(first) or each[0] != first[0]), None
    )
    return [first] if other is None else [first, other]


def _goal(query: str) -> str:
    return query.partition("[")[2]


def _front_options(found: ParetoFrontData, ink: Palette) -> dict[str, Any]:
    finite = [each for each in found.corners if None not in each.values]
    outline = _outline(found, finite)
    bounds = [_bounds(found, finite, position) for position in (0, 1)]
    up = found.maximised[1]
    return {
        "grid": {"left": 72, "right": 32, "top": 24, "bottom": 60},
        "tooltip": {"renderMode": "richText", "trigger": "item"},
        "xAxis": axis(ink, found.objectives[0], type="value", min=bounds[0][0], max=bounds[0][1]),
        "yAxis": axis(
            ink, found.objectives[1], type="value", nameGap=52, min=bounds[1][0], max=bounds[1][1]
        ),
        "series": [
            {
                "type": "line",
                "name": "achievable",
                "data": outline,
                "symbol": "none",
                "silent": True,
                "lineStyle": {"color": ink.line, "width": 2},
                "areaStyle": {
                    "color": ink.area,
                    "opacity": 0.8,
                    "origin": "start" if up else "end",
                },
                "z": 1,
            },
            {
                "type": "scatter",
                "name": "strategies",
                "symbolSize": 14,
                "itemStyle": {"color": ink.mark},
                "z": 3,
                "data": [_point(each, ink, up) for each in finite],
            },
        ],
    }


def _many_options(found: ParetoFrontData, ink: Palette) -> dict[str, Any]:
    """Return the options of a parallel-coordinates chart for more than two objectives: an axis for
    each objective, with the better end at the top, and a line for each corner of the Pareto front.
    """
    finite = [each for each in found.corners if None not in each.values]
    axes = []
    for index, objective in enumerate(found.objectives):
        low, high = _bounds(found, finite, index)
        axes.append(
            {
                "dim": index,
                "name": objective,
                "min": low,
                "max": high,
                "inverse": not found.maximised[index],
            }
        )
    style = {
        "nameTextStyle": {"color": ink.text, "width": 190, "overflow": "truncate"},
        "axisLabel": {"color": ink.text},
        "axisLine": {"lineStyle": {"color": ink.faint}},
    }
    return {
        "parallel": {
            "left": 90,
            "right": 120,
            "top": 48,
            "bottom": 24,
            "parallelAxisDefault": style,
        },
        "parallelAxis": axes,
        "tooltip": {"renderMode": "richText"},
        "series": [
            {
                "type": "parallel",
                "lineStyle": {"width": 3},
                "data": [
                    {
                        "name": f"{each.name}: {', '.join(each.texts)}",
                        "value": list(each.values),
                        "corner": each.number,
                        "lineStyle": {"color": ink.series[number % len(ink.series)]},
                    }
                    for number, each in enumerate(finite)
                ],
            }
        ],
    }


def _point(corner: ParetoPointData, ink: Palette, up: bool) -> dict[str, Any]:
    label = {
        "show": True,
        "formatter": f"{corner.number}",
        "position": "top" if up else "bottom",
        "color": ink.text,
        "fontWeight": "bold",
    }
    return {
        "name": f"{corner.name}: {', '.join(corner.texts)}",
        "value": list(corner.values),
        "corner": corner.number,
        "label": label,
    }


def _bounds(
    found: ParetoFrontData, corners: Sequence[ParetoPointData], index: int
) -> tuple[float, float]:
    """Return the range of the axis for one objective: 0 to 1 for a probability, otherwise slightly
    more than the range of the corners of the Pareto front."""
    if found.objectives[index].lstrip().startswith("P"):
        return 0.0, 1.0
    numbers = [float(each.values[index] or 0) for each in corners] or [0.0, 1.0]
    reach = (max(numbers) - min(numbers)) or abs(numbers[0]) or 1.0
    low, high = min(numbers) - 0.3 * reach, max(numbers) + 0.3 * reach
    step = 10.0 ** math.floor(math.log10(high - low))  # ends that are easy to read
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return (max(0.0, low) if min(numbers) >= 0 else low), high


def _outline(found: ParetoFrontData, corners: Sequence[ParetoPointData]) -> list[list[float]]:
    """Return the line of a Pareto front of two objectives, extended to the edges of the chart,
    because all points on the worse side of the front can be achieved too."""
    points = sorted([float(each.values[0] or 0), float(each.values[1] or 0)] for each in corners)
    if not points:
        return []
    (low, high), (bottom, top) = _bounds(found, corners, 0), _bounds(found, corners, 1)
    worst = bottom if found.maximised[1] else top
    if found.maximised[0]:
        return [[low, points[0][1]], *points, [points[-1][0], worst]]
    return [[points[0][0], worst], *points, [high, points[-1][1]]]


# --- missions -------------------------------------------------------------------------------------


class _Mission(_TradeoffForm):
    """Form and result of a mission: success probability and cost of a goal, and the probability of
    success within a budget."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        opened = session.opened
        goals = [
            each.text
            for each in (opened.properties if opened else ())
            if each.text.startswith(("Pmax=?", "P=?"))
        ]
        rewards = _rewards_in([each.text for each in (opened.properties if opened else ())])
        self._strategy: _Strategy | None = None
        with ui.column().classes("w-full gap-2"):
            with ui.row().classes("w-full items-start no-wrap gap-2"):
                self._formula = formula_field(
                    "goal, such as Pmax=? [ F done ]", goals, goals[0] if goals else None
                )
                self._cost = ui.input(
                    "cost",
                    value=rewards[0] if rewards else "",
                    placeholder="name of a reward",
                    autocomplete=rewards,
                )
                self._cost.props("dense outlined").classes("cost")
                self._budget = (
                    ui.input("budget", placeholder="none").props("dense outlined").classes("budget")
                )
            hint = (
                "Choose a goal and its cost, then press Compute. With a budget, a curve shows the "
                "probability of success within it."
            )
            self._place(self._compute, self._lines, hint, "flag")

    async def _compute(self) -> None:
        if not self._formula.value:
            self._session.notify("problem", "enter a goal first, such as Pmax=? [ F done ]")
            return
        cost, budget = self._cost.value or None, self._budget.value or ""
        await self._found(
            tasks.tradeoffs.mission, self._formula.value, cost, budget, show=self._show
        )

    def _show(self, found: MissionData) -> None:
        _rows(
            ["", "success", found.reward, "meaning"],
            found.rows,
            lambda row: self._plan(found.rows[row][0]),
        )
        if found.curve:
            picture = Chart(
                self._session,
                "mission",
                lambda ink: _curve_options(found, ink),
                lambda: found.csv,
                classes="picture-low",
            )
        with ui.row().classes("w-full items-center gap-2"):
            ui.label(found.remark).classes("text-caption")
            ui.space()
            if found.curve:
                picture.menu()
        self._strategy = _Strategy("Click a row to see the strategy behind it.")

    async def _plan(self, name: str) -> None:
        if self._strategy is not None:
            found = await self._session.ask(tasks.tradeoffs.mission_strategy, name, bench=BENCH)
            self._strategy.show(name[0].upper() + name[1:], found)

    def _lines(self) -> list[str]:
        budget = f", budget={self._budget.value}" if self._budget.value else ""
        cost = f", cost={text_literal(self._cost.value)}" if self._cost.value else ""
        return [
            "import volition",
            "",
            load_line(self._session),
            "found = volition.mission(program, "
            f"{text_literal(self._formula.value or '')}{cost}{budget})",
            "for name, plan in found.plans.items():",
            "    print(name, plan.probability, plan.cost)",
            *(["print(found.budgeted.curve)"] if self._budget.value else []),
        ]


def _rewards_in(formulas: Sequence[str]) -> list[str]:
    """Return the names of the rewards that occur in the texts of formulas, without duplicates."""
    return list(
        dict.fromkeys(name for text in formulas for name in re.findall(r'R\{"([^"]+)"\}', text))
    )


def _curve_options(found: MissionData, ink: Palette) -> dict[str, Any]:
    last = (
        [[found.budget, found.curve[-1][1]]]
        if found.budget is not None and found.budget > found.curve[-1][0]
        else []
    )
    return {
        "grid": {"left": 64, "right": 24, "top": 16, "bottom": 52},
        "tooltip": {"trigger": "axis", "renderMode": "richText"},
        "xAxis": axis(ink, f"{found.reward} at most", type="value", max=found.budget),
        "yAxis": axis(ink, "success", type="value", nameGap=44, min=0, max=1),
        "series": [
            {
                "type": "line",
                "name": "success",
                "step": "end",
                "data": [*map(list, found.curve), *last],
                "symbolSize": 6,
                "itemStyle": {"color": ink.mark},
                "lineStyle": {"color": ink.line},
            }
        ],
    }
