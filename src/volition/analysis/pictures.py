"""Files for pictures.  Matplotlib is optional (``pip install volition[plots]``) and imported when something is drawn."""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from volition.diagnostics import Diagnostic, InputError, visible
from volition.files import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check_picture", "new_figure", "save_picture"]


def check_picture(path: Path) -> None:
    """Raise :class:`InputError` if nothing can be drawn into such a file: before the work is done, not after."""
    if path.suffix.removeprefix(".") not in new_figure().canvas.get_supported_filetypes():
        raise InputError([Diagnostic("CHK066", f"cannot draw '{path}'", hint="name a file that ends in .svg, .png or .pdf")])


def new_figure(**options: Any) -> Figure:
    """An empty figure; raises :class:`InputError` where Matplotlib is missing.

    Matplotlib takes its settings from a file in the current folder, if it finds one: it is imported elsewhere.
    """
    try:
        with contextlib.chdir("/") if "matplotlib" not in sys.modules else contextlib.nullcontext():
            from matplotlib.figure import Figure
    except ImportError:
        raise InputError([Diagnostic("CHK065", "plots need Matplotlib", hint="pip install 'volition[plots]'")]) from None
    return Figure(**options)


def save_picture(figure: Figure, path: Path) -> None:
    """Write a figure; the suffix of the file says what it becomes."""
    check_picture(path)
    _show_texts_as_they_are(figure)
    picture = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # what the font does not know is a box in the picture
        figure.savefig(picture, dpi=150, format=path.suffix.removeprefix("."))
    try:
        write_whole({path: picture.getvalue()})
    except OSError as error:
        raise InputError([Diagnostic("CHK066", f"cannot write '{path}': {error.strerror or error}")]) from None


def _show_texts_as_they_are(figure: Figure) -> None:
    """What a program says is no formula of TeX, and is made visible; the numbers at the axes are Matplotlib's own."""
    from matplotlib.axis import Tick
    from matplotlib.text import Text

    own = {id(label) for tick in figure.findobj(Tick) for label in (tick.label1, tick.label2)}
    for text in figure.findobj(Text):
        if id(text) not in own:
            text.set_usetex(False)
            text.set_parse_math(False)
            text.set_text(visible(text.get_text()))
