"""Plots in notebooks: the pictures that commands write into files, as SVG on a light background, so
that they look the same on dark pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from volition.analysis.figures import svg_of
from volition.diagnostics import InputError
from volition.notebook.markup import paragraph

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["picture"]


def picture(draw: Callable[[], Figure]) -> str:
    """Return a plot as HTML. If it cannot be drawn, for example because Matplotlib is not
    installed, return a note with the reason. The data of each plot is also shown as a table."""
    try:
        return f'<div class="v-picture">{svg_of(draw())}</div>'
    except InputError as error:
        reported = error.diagnostics[0]
        return paragraph(
            f"no picture: {reported.message}{f' ({reported.hint})' if reported.hint else ''}",
            quiet=True,
        )
