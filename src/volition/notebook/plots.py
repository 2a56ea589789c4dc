"""Pictures inside of a page: the ones that commands write into files, as SVG on a light card, so
that they are the same on a dark page."""

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
    """The picture, or why there is none: Matplotlib is optional, and everything that a picture
    shows stands in a table, too."""
    try:
        return f'<div class="v-picture">{svg_of(draw())}</div>'
    except InputError as error:
        reported = error.diagnostics[0]
        return paragraph(
            f"no picture: {reported.message}{f' ({reported.hint})' if reported.hint else ''}",
            quiet=True,
        )
