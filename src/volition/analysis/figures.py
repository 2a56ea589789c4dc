"""Files for pictures.  Matplotlib is optional (``pip install volition[plots]``) and imported when
something is drawn."""

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
    """Raise :class:`InputError` if nothing can be drawn into such a file: before the work is done,
    not after."""
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
    """An empty figure; raises :class:`InputError` where Matplotlib is missing."""
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
    """Where Matplotlib is imported: not in the current folder, in which it would look for settings,
    and without MPLBACKEND.

    That names a kind of window, which no file needs; Matplotlib fails where it does not know it.
    """
    window = os.environ.pop("MPLBACKEND", None)
    try:
        with contextlib.chdir("/") if _cwd_exists() else contextlib.nullcontext():
            yield
    finally:
        if window is not None:
            os.environ["MPLBACKEND"] = window


def _cwd_exists() -> bool:
    """Whether the current folder has not been removed."""
    try:
        return bool(os.getcwd())
    except OSError:
        return False


def save_picture(figure: Figure, path: Path) -> None:
    """Write a figure; the suffix of the file says what it becomes."""
    check_picture(path)
    picture = _drawn(figure, path.suffix.removeprefix("."))
    try:
        write_atomically({path: picture})
    except OSError as error:
        raise InputError(
            [Diagnostic("CHK066", f"cannot write '{path}': {error.strerror or error}")]
        ) from None


def svg_of(figure: Figure) -> str:
    """A figure as an ``<svg>`` element to stand in a page; texts in it are shapes."""
    text = _drawn(figure, "svg").decode()
    return text[text.index("<svg") :]


def _drawn(figure: Figure, form: str) -> bytes:
    _disable_mathtext(figure)
    picture = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "Glyph .* missing"
        )  # what the font does not know is a box in the picture
        figure.savefig(picture, dpi=150, format=form)
    return picture.getvalue()


def _disable_mathtext(figure: Figure) -> None:
    """What a program says is no formula of TeX, and is made visible; the numbers at the axes are
    Matplotlib's own."""
    from matplotlib.axis import Tick
    from matplotlib.text import Text

    own = {id(label) for tick in figure.findobj(Tick) for label in (tick.label1, tick.label2)}
    for text in figure.findobj(Text):
        if id(text) not in own:
            text.set_usetex(False)
            text.set_parse_math(False)
            text.set_text(escape_control_characters(text.get_text()))
