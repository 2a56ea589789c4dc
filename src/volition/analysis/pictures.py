"""Files for pictures.  Matplotlib is optional (``pip install volition[plots]``) and imported when something is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from volition.diagnostics import Diagnostic, InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check_picture", "save_picture"]


def check_picture(path: Path) -> None:
    """Raise :class:`InputError` if nothing can be drawn into such a file: before the work is done, not after."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError([Diagnostic("CHK065", "plots need Matplotlib", hint="pip install 'volition[plots]'")]) from None
    if path.suffix.removeprefix(".") not in Figure().canvas.get_supported_filetypes():
        raise InputError([Diagnostic("CHK066", f"cannot draw '{path}'", hint="name a file that ends in .svg, .png or .pdf")])


def save_picture(figure: Figure, path: Path) -> None:
    """Write a figure; the suffix of the file says what it becomes."""
    check_picture(path)
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise InputError([Diagnostic("CHK066", f"cannot write '{path}': {error.strerror or error}")]) from None
