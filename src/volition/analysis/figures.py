"""Creation of Matplotlib figures and export to picture files. Matplotlib is optional (``pip install
volition[plots]``) and is imported when the first figure is created."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from volition.atomic_files import write_atomically
from volition.diagnostics import Diagnostic, InputError, escape_control_characters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check_picture", "new_figure", "save_picture", "svg_of"]


def check_picture(path: Path) -> None:
    """Raise :class:`InputError` if Matplotlib cannot write the picture format that the suffix of
    ``path`` selects. Call this before a long computation, not after."""
    if path.suffix.removeprefix(".") not in new_figure().canvas.get_supported_filetypes():
        raise InputError(
            [
                Diagnostic(
                    "CHK066",
                    f"unsupported picture format '{path}'",
                    hint="use a file name ending in .svg, .png or .pdf",
                )
            ]
        )


def new_figure(**options: Any) -> Figure:
    """Return an empty Matplotlib figure; raise :class:`InputError` if Matplotlib is not
    installed."""
    try:
        with (
            _safe_import_directory()
            if "matplotlib" not in sys.modules
            else contextlib.nullcontext()
        ):
            from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            [Diagnostic("CHK065", "plots need Matplotlib", hint="pip install 'volition[plots]'")]
        ) from None
    return Figure(**options)


@contextlib.contextmanager
def _safe_import_directory() -> Iterator[None]:
    """Change to the root folder and unset ``MPLBACKEND`` while Matplotlib is imported in the
    ``with`` block.

    Matplotlib would read a settings file from the current folder. ``MPLBACKEND`` selects a window
    system, which is not needed to write files, and the import fails if its value is unknown.
    """
    window = os.environ.pop("MPLBACKEND", None)
    try:
        with contextlib.chdir("/") if _cwd_exists() else contextlib.nullcontext():
            yield
    finally:
        if window is not None:
            os.environ["MPLBACKEND"] = window


def _cwd_exists() -> bool:
    """Return whether the current folder still exists."""
    try:
        return bool(os.getcwd())
    except OSError:
        return False


def save_picture(figure: Figure, path: Path) -> None:
    """Write a figure to a file, in the format given by the suffix of the file name."""
    check_picture(path)
    picture = _drawn(figure, path.suffix.removeprefix("."))
    try:
        write_atomically({path: picture})
    except OSError as error:
        raise InputError(
            [Diagnostic("CHK075", f"cannot write '{path}': {error.strerror or error}")]
        ) from None


def svg_of(figure: Figure) -> str:
    """Return a figure as an ``<svg>`` element for a web page, with letters drawn as shapes."""
    text = _drawn(figure, "svg").decode()
    return text[text.index("<svg") :]


def _drawn(figure: Figure, form: str) -> bytes:
    _disable_mathtext(figure)
    picture = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a missing glyph is drawn as a box
        figure.savefig(picture, dpi=150, format=form)
    return picture.getvalue()


def _disable_mathtext(figure: Figure) -> None:
    """Make a figure show its texts literally: turn off TeX and make control characters visible.
    Tick labels stay as they are, because Matplotlib generates them."""
    from matplotlib.axis import Tick
    from matplotlib.text import Text

    own = {id(label) for tick in figure.findobj(Tick) for label in (tick.label1, tick.label2)}
    for text in figure.findobj(Text):
        if id(text) not in own:
            text.set_usetex(False)
            text.set_parse_math(False)
            text.set_text(escape_control_characters(text.get_text()))
