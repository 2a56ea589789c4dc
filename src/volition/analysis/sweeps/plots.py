"""Plots of the result of a parameter sweep: lines over one parameter, lines or a heat map over two.

Matplotlib is optional (``pip install volition[plots]``) and is imported when a plot is drawn. The
suffix of the file name selects the format: ``.svg``, ``.png``, ``.pdf``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from volition.analysis.figures import check_picture, new_figure, save_picture
from volition.analysis.sweeps.result import SweepResult
from volition.diagnostics import Diagnostic, InputError
from volition.logic.numbers import number_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PlotStyle", "check_plot", "draw_sweep", "save_sweep_plot"]

PlotStyle = Literal["lines", "heatmap"]

PANEL = (5.2, 4.2)
"""Width and height of the panel for one formula in a plot, in inches."""

MAX_CELLS_WITH_NUMBERS = 150
"""Maximum number of cells of a heat map for the value to be written into each cell."""

MAX_LABELS = 12
"""Maximum number of labels in a legend or on an axis, so that they do not overlap."""

SMALL = 0.1
"""Limit below which values are written with two significant digits."""

TITLE_WIDTH = 52
"""Maximum number of characters in a line of a title."""


def check_plot(path: Path, *, parameters: int) -> None:
    """Raise :class:`InputError` if a sweep over this number of parameters cannot be drawn, or the
    format of the file is not supported. Call this before the computation, not after."""
    check_picture(path)
    if parameters not in (1, 2):
        message = f"a plot shows one or two parameters, not {parameters}"
        raise InputError(
            [
                Diagnostic(
                    "CHK067",
                    message,
                    hint="set the others to a single value each, or write CSV",
                )
            ]
        )


def save_sweep_plot(result: SweepResult, path: Path, style: PlotStyle | None = None) -> None:
    """Draw the result of a sweep and save the plot to a file; raise :class:`InputError` if that is
    not possible."""
    check_plot(path, parameters=len(result.axes))
    save_picture(draw_sweep(result, style), path)


def draw_sweep(result: SweepResult, style: PlotStyle | None = None) -> Figure:
    """Return a figure with one panel for each formula. Two parameters give a heat map unless
    ``style`` is ``lines``."""
    if len(result.axes) == 1:
        figure = new_figure(figsize=PANEL, layout="constrained")
        _lines_of_formulas(result, figure.add_subplot())
        return figure
    count = len(result.formulas)
    figure = new_figure(figsize=(PANEL[0] * count, PANEL[1]), layout="constrained")
    for formula in range(count):
        panel = figure.add_subplot(1, count, formula + 1)
        (_lines if style == "lines" else _heat_map)(result, formula, panel)
    return figure


def _lines_of_formulas(result: SweepResult, panel: Any) -> None:
    """Draw a sweep over one parameter into ``panel``, with one line for each formula."""
    (axis,) = result.axes
    for formula, text in enumerate(result.formulas):
        panel.plot(
            [float(value) for value in axis.values],
            result.array(formula),
            marker="o",
            markersize=3,
            label=_title(text),
        )
    panel.figure.legend(loc="outside upper center", fontsize="small")
    _dress(panel, result.formulas, axis.name)


def _lines(result: SweepResult, formula: int, panel: Any) -> None:
    """Draw one formula of a sweep over two parameters into ``panel``: the second parameter on the x
    axis, one line for each value of the first."""
    from matplotlib import cm, colors

    family, axis = result.axes
    shades = cm.ScalarMappable(
        colors.Normalize(float(min(family.values)), float(max(family.values))), "viridis"
    )
    colours = shades.to_rgba(np.array([float(value) for value in family.values]))
    for value, line, colour in zip(family.values, result.array(formula), colours, strict=True):
        label = f"{family.name} = {number_text(value)}"
        panel.plot(
            [float(each) for each in axis.values],
            line,
            marker="o",
            markersize=3,
            color=colour,
            label=label,
        )
    if len(family.values) <= MAX_LABELS:
        panel.legend(fontsize="x-small")
    else:
        panel.figure.colorbar(shades, ax=panel, label=family.name)
    panel.set_title(_title(result.formulas[formula]), fontsize="small")
    _dress(panel, [result.formulas[formula]], axis.name)


def _heat_map(result: SweepResult, formula: int, panel: Any) -> None:
    """Draw one formula of a sweep over two parameters into ``panel``: the first parameter on the x
    axis, the second on the y axis, values as colours."""
    across, up = result.axes
    values = result.array(formula).T
    finite = np.where(np.isfinite(values), values, np.nan)
    # Use the colour scale from 0 to 1 for probabilities, unless all of them are close to 0.
    visible = _are_probabilities([result.formulas[formula]]) and bool((finite >= SMALL).any())
    limits = (0.0, 1.0) if visible else (None, None)
    image = panel.pcolormesh(finite, cmap="viridis", vmin=limits[0], vmax=limits[1])
    for axis, names in ((panel.xaxis, across), (panel.yaxis, up)):
        shown = range(0, len(names.values), -(-len(names.values) // MAX_LABELS))
        axis.set_ticks(
            [i + 0.5 for i in shown],
            [number_text(names.values[i]) for i in shown],
            fontsize="small",
        )
    if values.size <= MAX_CELLS_WITH_NUMBERS:
        size = min(9.0, max(5.5, 48 / len(across.values)))  # fits into a cell, but stays readable
        for (row, column), value in np.ndenumerate(values):
            light = np.isfinite(value) and image.norm(value) < 0.6
            colour = "white" if light else "black"
            panel.text(
                column + 0.5,
                row + 0.5,
                _short(float(value)),
                ha="center",
                va="center",
                fontsize=size,
                color=colour,
            )
    panel.set_xlabel(across.name)
    panel.set_ylabel(up.name)
    panel.set_title(_title(result.formulas[formula]), fontsize="small")
    panel.figure.colorbar(image, ax=panel)


def _dress(panel: Any, formulas: Sequence[str], parameter: str) -> None:
    panel.set_xlabel(parameter)
    panel.set_ylabel("value")
    panel.grid(alpha=0.3)
    if _are_probabilities(formulas):
        panel.set_ylim(-0.03, 1.03)


def _are_probabilities(formulas: Sequence[str]) -> bool:
    return all(text.lstrip().startswith(("P", "S")) for text in formulas)


def _title(formula: str) -> str:
    return "\n".join(textwrap.wrap(formula, TITLE_WIDTH))


def _short(value: float) -> str:
    """Return a value as a short text, which is 0 or 1 only if the value is exactly 0 or 1."""
    if not np.isfinite(value):
        return "?" if np.isnan(value) else "∞" if value > 0 else "-∞"
    if 0 < abs(value) < SMALL:
        return f"{value:.2g}"
    rounded = f"{value:.2f}"
    return f"1-{1 - value:.0e}" if float(rounded) == 1 and value < 1 else rounded
