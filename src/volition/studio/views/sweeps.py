"""View *Sweeps*: values of formulas over parameters, as lines or as a heat map, with a slider for
each parameter that is not on an axis."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from nicegui import ui

from volition.logic.numbers import number_text
from volition.studio import tasks
from volition.studio.session import Session
from volition.studio.tasks.sweeps import AxisData, SweepData, SweepProgress
from volition.studio.views.charts import Chart, Palette, axis
from volition.studio.views.query_form import TaskControls, formulas_field, is_query
from volition.studio.views.widgets import load_line, placeholder, python_lines, text_literal

__all__ = ["sweeps_view"]

BENCH = "sweep"
FEW_PARAMETERS = 2
"""Largest number of parameters of a program for which the form varies all of them by default."""

MAX_NUMBERS = 150
"""Largest number of cells of a heat map in which each cell shows its value as text."""


def sweeps_view(session: Session) -> None:
    """Build the view: a form for the sweep, and the chart of its result."""
    with ui.column().classes("w-full gap-3 view-page"):
        holder = ui.column().classes("w-full gap-3")

    known: dict[str, str] | None = None

    def build() -> None:
        nonlocal known
        opened = session.opened
        parameters = None if opened is None else dict(opened.parameters)
        if parameters is not None and parameters == known:
            return  # keep the form as the user filled it in
        known = parameters
        holder.clear()
        with holder:
            if opened is None:
                placeholder("The program has errors. Correct them to vary its parameters here.")
            elif not parameters:
                placeholder(
                    f"This {opened.language} program has no parameters. A CAN program declares "
                    "them in its section 'Parameters'; in LISA every probability and duration is "
                    "a parameter."
                )
            else:
                _Form(session, parameters)

    build()
    session.on("opened", build)


class _Form:
    """Form in which the user chooses parameters, their values, and formulas."""

    def __init__(self, session: Session, parameters: dict[str, str]) -> None:
        self._session = session
        self._parameters = parameters
        opened = session.opened
        queries = [
            each.text for each in (opened.properties if opened else ()) if is_query(each.text)
        ]
        chosen = list(parameters) if len(parameters) <= FEW_PARAMETERS else _likely(parameters)
        self._ranges: dict[str, str] = {}
        with ui.element("div").classes("two-columns w-full"):
            self._names = (
                ui.select(
                    list(parameters),
                    label="parameters to vary",
                    value=chosen,
                    multiple=True,
                    with_input=True,
                    on_change=self._picked,
                )
                .classes("w-full parameters")
                .props("dense outlined use-chips")
            )
            self._formulas = formulas_field("formulas", queries, queries[:2])
        self._fields = ui.row().classes("w-full gap-3 items-start ranges")
        self._picked()
        with ui.row().classes("w-full items-center gap-2"):
            self._working = TaskControls(session, BENCH, "Sweep", self._sweep)
            ui.space()
            python_lines(self._lines)
        self._result = ui.column().classes("w-full gap-2 result")
        with self._result:
            placeholder(
                "Choose parameters and formulas, then press Sweep. The value of each formula is "
                "computed for every combination of parameter values.",
                "tune",
            )

    def _picked(self) -> None:
        self._fields.clear()
        with self._fields:
            for name in self._names.value:
                self._ranges.setdefault(name, _guess(Fraction(self._parameters[name])))
                field = ui.input(
                    f"{name} (now {_short(self._parameters[name])})", value=self._ranges[name]
                )
                field.props("dense outlined").classes("range").tooltip(
                    "FROM:TO:STEP, or values separated by commas"
                )
                field.on_value_change(
                    lambda event, name=name: self._ranges.__setitem__(name, event.value or "")
                )

    @property
    def _vary(self) -> dict[str, str]:
        return {name: self._ranges[name] for name in self._names.value}

    async def _sweep(self) -> None:
        if not self._names.value or not self._formulas.value:
            self._session.notify("problem", "choose at least one parameter and one formula")
            return
        found = await self._session.ask(
            tasks.sweeps.sweep,
            self._vary,
            tuple(self._formulas.value),
            bench=BENCH,
            on_progress=self._heard,
        )
        if found is not None:
            self._result.clear()
            with self._result:
                _Result(self._session, found, self._parameters)

    def _heard(self, progress: SweepProgress) -> None:
        self._working.show_progress(f"{progress.done:,} of {progress.points:,} points")

    def _lines(self) -> list[str]:
        vary = ", ".join(
            f"{text_literal(name)}: {text_literal(values)}" for name, values in self._vary.items()
        )
        formulas = ", ".join(map(text_literal, self._formulas.value))
        return [
            "import volition",
            "",
            load_line(self._session),
            f"values = volition.sweep(program, {{{vary}}}, [{formulas}])",
            'volition.save_plot(values, "sweep.svg")',
            "print(values.to_csv())",
        ]


class _Result:
    """Chart of the values that a sweep computed, with its controls."""

    def __init__(self, session: Session, found: SweepData, now: dict[str, str]) -> None:
        """Create the chart. ``now`` has the values that the parameters have in the program, which
        are the initial positions of the sliders."""
        self._session = session
        self._found = found
        varied = [number for number, each in enumerate(found.axes) if len(each.values) > 1] or [0]
        self._x = varied[0]
        self._y = varied[1] if len(varied) > 1 else None
        self._formula = max(range(len(found.formulas)), key=self._spread)
        self._indices = [_nearest(each, now.get(each.name)) for each in found.axes]
        self._style = "lines"
        with ui.row().classes("w-full items-center gap-3 picture-bar") as bar:
            bar.set_visibility(self._y is not None)
            if self._y is not None:
                ui.toggle(
                    {"lines": "Lines", "heat": "Heat map"}, value="lines", on_change=self._restyled
                ).props("no-caps dense unelevated size=sm")
                names = {number: found.axes[number].name for number in varied}
                self._xs = (
                    ui.select(names, label="horizontal", value=self._x, on_change=self._turned)
                    .classes("axis-choice")
                    .props("dense outlined")
                )
                self._ys = (
                    ui.select(names, label="vertical", value=self._y, on_change=self._turned)
                    .classes("axis-choice")
                    .props("dense outlined")
                )
                self._choice = ui.select(
                    dict(enumerate(found.formulas)),
                    label="formula",
                    value=self._formula,
                    on_change=self._turned,
                )
                self._choice.classes("grow").props("dense outlined")
        self._sliders = ui.column().classes("w-full gap-0 sliders")
        self._sliders.set_visibility(self._y is not None)
        self._picture = Chart(
            session, "sweep", self._options, lambda: found.csv, classes="picture-tall"
        )
        with ui.row().classes("w-full items-center gap-2"):
            ui.label(found.remark).classes("text-caption")
            ui.space()
            self._picture.menu()
        for problem in found.problems:
            ui.label(problem).classes("text-caption")
        self._arrange()

    def _spread(self, formula: int) -> float:
        numbers = [each for each in self._found.values[formula].values() if each is not None]
        return max(numbers) - min(numbers) if numbers else 0.0

    # --- the controls -----------------------------------------------------------------------------

    @property
    def _on_axes(self) -> set[int]:
        return {self._x} if self._style == "lines" or self._y is None else {self._x, self._y}

    def _restyled(self, event: Any) -> None:
        self._style = event.value
        self._arrange()
        self._picture.draw()

    def _turned(self) -> None:
        before = (self._x, self._y)
        self._x, self._y, self._formula = self._xs.value, self._ys.value, self._choice.value
        if self._x == self._y:  # exchange the axes
            self._x, self._y = (before[1], before[0]) if before[1] is not None else before
            self._xs.value, self._ys.value = self._x, self._y
        self._arrange()
        self._picture.draw()

    def _arrange(self) -> None:
        """Update the controls for the current style of the chart. The controls for the vertical
        axis and for the formula are enabled only for a heat map. A slider is shown for each varied
        parameter that is not on an axis."""
        heat = self._style == "heat"
        if self._y is not None:
            self._ys.set_enabled(heat)
            self._choice.set_enabled(heat)
        self._sliders.clear()
        with self._sliders:
            for number, each in enumerate(self._found.axes):
                if len(each.values) > 1 and number not in self._on_axes:
                    self._slider(number, each)

    def _slider(self, number: int, parameter: AxisData) -> None:
        with ui.row().classes("w-full items-center no-wrap gap-4 parameter-slider"):
            ui.label(parameter.name).classes("slider-name")
            slider = ui.slider(
                min=0, max=len(parameter.values) - 1, step=1, value=self._indices[number]
            ).classes("grow")
            slider.props("markers snap")
            slider.props["aria-label"] = parameter.name
            shown = ui.label(parameter.texts[self._indices[number]]).classes("slider-value")

        def slid(event: Any) -> None:
            self._indices[number] = int(event.value)
            shown.text = parameter.texts[self._indices[number]]
            self._picture.draw()

        slider.on_value_change(slid)

    def _at(self, formula: int, **on_axes: int) -> float | None:
        index = list(self._indices)
        index[self._x] = on_axes["x"]
        if self._y is not None and "y" in on_axes:
            index[self._y] = on_axes["y"]
        return self._found.values[formula][tuple(index)]

    # --- the chart --------------------------------------------------------------------------------

    def _options(self, ink: Palette) -> dict[str, Any]:
        return (
            self._lines(ink)
            if self._style == "lines" or self._y is None
            else self._heat_map(ink, self._y)
        )

    def _lines(self, ink: Palette) -> dict[str, Any]:
        across = self._found.axes[self._x]
        series = [
            {
                "type": "line",
                "name": text,
                "data": [
                    [value, self._at(formula, x=index)] for index, value in enumerate(across.values)
                ],
                "symbolSize": 6,
                "color": ink.series[formula % len(ink.series)],
            }
            for formula, text in enumerate(self._found.formulas)
        ]
        bounds = (
            {"min": 0, "max": 1}
            if all(_is_probability(each) for each in self._found.formulas)
            else {"scale": True}
        )
        return {
            "grid": {"left": 64, "right": 24, "top": 28 + 20 * len(series), "bottom": 56},
            "legend": {
                "orient": "vertical",
                "top": 0,
                "left": 60,
                "textStyle": {"color": ink.text},
                "icon": "roundRect",
            },
            "tooltip": {"trigger": "axis", "renderMode": "richText"},
            "xAxis": axis(
                ink, across.name, type="value", min=min(across.values), max=max(across.values)
            ),
            "yAxis": axis(ink, "value", type="value", nameGap=44, **bounds),
            "series": series,
        }

    def _heat_map(self, ink: Palette, up: int) -> dict[str, Any]:
        across, upwards = self._found.axes[self._x], self._found.axes[up]
        cells = [
            (x, y, value)
            for x in range(len(across.values))
            for y in range(len(upwards.values))
            if (value := self._at(self._formula, x=x, y=y)) is not None
        ]
        numbers = [each[2] for each in cells] or [0.0]
        minimum, maximum = (
            (0.0, 1.0)
            if _is_probability(self._found.formulas[self._formula])
            else (min(numbers), max(numbers))
        )
        room = len(cells) <= MAX_NUMBERS
        return {
            "grid": {"left": 64, "right": 96, "top": 16, "bottom": 56},
            "tooltip": {"renderMode": "richText"},
            "xAxis": axis(ink, across.name, type="category", data=list(across.texts)),
            "yAxis": axis(ink, upwards.name, type="category", data=list(upwards.texts), nameGap=44),
            "visualMap": {
                "min": minimum,
                "max": maximum if maximum > minimum else minimum + 1,
                "text": [f"{maximum:.4g}", f"{minimum:.4g}"],
                "orient": "vertical",
                "right": 8,
                "top": "middle",
                "inRange": {"color": list(ink.scale)},
                "textStyle": {"color": ink.text},
                "precision": 4,
            },
            "series": [
                {
                    "type": "heatmap",
                    "data": [
                        _cell(
                            x,
                            y,
                            value,
                            on_dark=value < minimum + 0.6 * (maximum - minimum),
                            room=room,
                        )
                        for x, y, value in cells
                    ],
                    "itemStyle": {"borderColor": ink.paper, "borderWidth": 1},
                }
            ],
        }


def _cell(x: int, y: int, value: float, *, on_dark: bool, room: bool) -> dict[str, Any]:
    text = f"{value:.2g}" if value == int(value) or abs(value) < 0.1 else f"{value:.2f}"
    return {
        "value": [x, y, value],
        "label": {"show": room, "color": "#fff" if on_dark else "#111", "formatter": text},
    }


def _nearest(parameter: AxisData, now: str | None) -> int:
    """Return the index of the value on an axis that is nearest to ``now``, the value in the
    program."""
    value = float(Fraction(now)) if now else parameter.values[0]
    return min(range(len(parameter.values)), key=lambda index: abs(parameter.values[index] - value))


def _is_probability(text: str) -> bool:
    return text.lstrip().startswith(("P", "S"))


def _guess(value: Fraction) -> str:
    """Return a default range for a parameter that contains its value in the program, such as
    ``0:1:0.1``."""
    if 0 <= value <= 1:
        return "0:1:0.1"
    if value.denominator == 1 and 1 < value <= 10:
        return f"1:{2 * value}:1"
    return (
        f"0:{number_text(2 * value)}:{number_text(value / 5)}"
        if value > 0
        else f"{number_text(2 * value)}:0:{number_text(-value / 5)}"
    )


def _likely(parameters: dict[str, str]) -> list[str]:
    """Return the one parameter that the form varies by default if a program has many: the first
    probability of a LISA program (``.p``), or else the first parameter."""
    return [next((name for name in parameters if name.endswith(".p")), next(iter(parameters)))]


def _short(value: str) -> str:
    return number_text(Fraction(value))
