"""Charts in the colours of the page, which can be saved as SVG, PNG or CSV.

Texts of programs are values in the options of a chart, never keys: NiceGUI runs the value of a key
that begins with a colon as JavaScript. Tooltips are rendered as rich text instead of HTML, so that
markup in a text has no effect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nicegui import ui

from volition.studio.session import Session

__all__ = ["Chart", "Palette", "axis", "palette_of"]


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of a chart, for a light or a dark page."""

    paper: str
    text: str
    faint: str
    area: str
    line: str
    mark: str
    good: str
    bad: str
    here: str
    series: tuple[str, ...]
    scale: tuple[str, ...]
    """Colours for values, from the smallest to the largest."""


_SCALE = ("#440154", "#3b528b", "#21918c", "#5ec962", "#fde725")
"""Colour scale Viridis, which is also readable without colour vision."""

_LIGHT = Palette(
    "#ffffff",
    "#1f2937",
    "#d0d7de",
    "#d7e3f4",
    "#3465a4",
    "#a40000",
    "#1a7f37",
    "#8c959f",
    "#bc4c00",
    ("#3465a4", "#bc4c00", "#1a7f37", "#8250df", "#9a6700", "#0e7490", "#a40000", "#57606a"),
    _SCALE,
)
_DARK = Palette(
    "#12161d",
    "#e6edf3",
    "#3d444d",
    "#1c2f4a",
    "#79a8e8",
    "#ff8f85",
    "#57ab5a",
    "#6e7681",
    "#ffa657",
    ("#79a8e8", "#ffa657", "#7ee787", "#d2a8ff", "#e3b341", "#56d4dd", "#ff8f85", "#b1bac4"),
    _SCALE,
)


def palette_of(session: Session) -> Palette:
    """Return the chart colours for the page's current colour scheme, light or dark."""
    return _DARK if session.dark else _LIGHT


def axis(ink: Palette, name: str, **more: Any) -> dict[str, Any]:
    """Return the ECharts options of an axis with its name at the middle; ``more`` are further
    options."""
    return {
        "name": name,
        "nameLocation": "middle",
        "nameGap": 32,
        "nameTextStyle": {"color": ink.text},
        "axisLabel": {"color": ink.text},
        "axisLine": {"show": True, "lineStyle": {"color": ink.faint}},
        "splitLine": {"lineStyle": {"color": ink.faint, "opacity": 0.5}},
        **more,
    }


class Chart:
    """Chart that calls the function ``options`` for its content, on :meth:`draw` and when the
    colours of the page change."""

    def __init__(
        self,
        session: Session,
        name: str,
        options: Callable[[Palette], dict[str, Any]],
        numbers: Callable[[], str],
        *,
        classes: str = "",
        clicked: Callable[[Any], Any] | None = None,
    ) -> None:
        """Create the chart. ``name`` is the name of saved files, ``numbers`` returns the values as
        CSV, and ``clicked`` receives the event when the user clicks a point."""
        self._session = session
        self._name = name
        self._options = options
        self._numbers = numbers
        self._chart = ui.echart(self._made(), renderer="svg", on_point_click=clicked).classes(
            f"w-full picture {classes}"
        )
        session.on("dark", lambda *_: self.draw())

    def menu(self) -> None:
        """Add the button that saves the chart as SVG, PNG or CSV."""
        with (
            ui.button("Save picture").props("flat dense no-caps size=sm icon=download"),
            ui.menu(),
            ui.list().props("dense"),
        ):
            ui.menu_item("as SVG", self._save_svg)
            ui.menu_item("as PNG", self._save_png)
            ui.menu_item("values as CSV", self._save_csv)

    def draw(self) -> None:
        """Draw the chart again with newly computed options."""
        if self._chart.is_deleted:
            return
        self._chart.options.clear()
        self._chart.options.update(self._made())
        self._chart.update()

    def _made(self) -> dict[str, Any]:
        ink = palette_of(self._session)
        return {
            "animation": False,
            "backgroundColor": ink.paper,
            "textStyle": {"color": ink.text, "fontFamily": "Roboto, system-ui, sans-serif"},
            **self._options(ink),
        }

    async def _save_svg(self) -> None:
        svg = await self._chart.run_chart_method("renderToSVGString", timeout=10)
        ui.download.content(str(svg), f"{self._name}.svg", "image/svg+xml")

    def _save_png(self) -> None:
        """Save the chart as a PNG of twice its size, which the browser renders from the SVG."""
        ui.run_javascript(f"""
            const chart = getElement({self._chart.id}).chart;
            const image = new Image();
            image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(chart.renderToSVGString());
            await image.decode();
            const canvas = document.createElement('canvas');
            canvas.width = 2 * chart.getWidth();
            canvas.height = 2 * chart.getHeight();
            canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
            const link = document.createElement('a');
            link.href = canvas.toDataURL('image/png');
            link.download = '{self._name}.png';
            link.click();
        """)  # noqa: E501

    def _save_csv(self) -> None:
        ui.download.content(self._numbers(), f"{self._name}.csv", "text/csv")
