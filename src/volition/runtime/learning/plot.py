"""Plot of waiting times in recorded runs: how many were observed, and how many the estimated
parameters predict."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from volition.analysis.figures import new_figure, save_picture
from volition.diagnostics import Diagnostic, InputError
from volition.runtime.learning.results import LearningResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_waiting", "save_waiting_picture"]

COLUMNS = 3
PANEL = (3.8, 2.6)
"""Width and height of the plot of one percept or action, in inches."""


def save_waiting_picture(learned: LearningResult, path: Path) -> None:
    """Save a plot of the waiting times as a picture. Raise :class:`InputError` if there are none or
    if the file cannot be written."""
    save_picture(draw_waiting(learned), path)


def draw_waiting(learned: LearningResult) -> Figure:
    """Return a figure with one panel for each action and for each activation or deactivation of a
    percept: bars for the observed counts, dots for the expected counts."""
    if not learned.waiting_times:
        raise InputError(
            [
                Diagnostic(
                    "LRN005",
                    "the records contain no waiting times to plot",
                    hint="leave the plot out",
                )
            ]
        )
    columns = min(COLUMNS, len(learned.waiting_times))
    lines = math.ceil(len(learned.waiting_times) / columns)
    figure = new_figure(figsize=(PANEL[0] * columns, PANEL[1] * lines), layout="constrained")
    for index, (name, rows) in enumerate(learned.waiting_times.items(), start=1):
        axes = figure.add_subplot(lines, columns, index)
        across = range(len(rows))
        axes.bar(across, [row.observed for row in rows], color="#9db7d5", label="observed")
        axes.plot(across, [row.expected for row in rows], "o", color="#b03a2e", label="fitted")
        axes.set_xticks(
            list(across),
            [
                f"{row.minimum}-{row.maximum}" if row.minimum != row.maximum else str(row.minimum)
                for row in rows
            ],
            fontsize=7,
        )
        axes.set_title(name, fontsize=8)
        axes.set_xlabel("cycles", fontsize=7)
    figure.axes[0].legend(fontsize=7)
    return figure
