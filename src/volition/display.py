"""Display of Volition's objects in Python sessions: as HTML in a notebook, and as a pandas data
frame.

The classes of the objects contain no HTML code. :class:`HtmlDisplay` imports the renderer,
:mod:`volition.notebook`, when a notebook requests HTML.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from volition.diagnostics import Diagnostic, InputError, Source

__all__ = ["HtmlDisplay", "HtmlProgram", "data_frame"]

RENDERER = "volition.notebook"


class HtmlDisplay:
    """Mixin for objects that a notebook shows as HTML instead of their ``repr``."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        html: str = importlib.import_module(RENDERER).html(self)
        return html


class HtmlProgram(HtmlDisplay):
    """Mixin for agent programs of any language: a short ``repr``, and HTML tables in a notebook."""

    __slots__ = ()

    def __repr__(self) -> str:
        sources: Sequence[Source] = getattr(self, "sources", ())
        return (
            f"<{getattr(self, 'language', '')} program "
            f"{', '.join(source.name for source in sources[:1])}>"
        )


def data_frame(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Any:
    """Return a table, given by its column names and rows, as a pandas data frame.

    Raise :class:`InputError` if pandas, an optional dependency, is not installed.
    """
    try:
        import pandas
    except ImportError:
        raise InputError(
            [
                Diagnostic(
                    "API001", "data frames need pandas", hint="pip install 'volition[notebook]'"
                )
            ]
        ) from None
    return pandas.DataFrame([list(row) for row in rows], columns=list(columns))
