"""How objects show themselves to somebody who looks at them in Python: as HTML in a notebook, as a
data frame.

The objects know nothing of HTML.  :class:`Shown` finds the renderer by its name,
:mod:`volition.notebook`, when a notebook asks.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from volition.diagnostics import Diagnostic, InputError, Source

__all__ = ["HtmlDisplay", "HtmlProgram", "data_frame"]

RENDERER = "volition.notebook"


class HtmlDisplay:
    """An object that a notebook shows as HTML instead of its ``repr``."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        html: str = importlib.import_module(RENDERER).html(self)
        return html


class HtmlProgram(HtmlDisplay):
    """A program of any language: a short ``repr``, its tables in a notebook."""

    __slots__ = ()

    def __repr__(self) -> str:
        sources: Sequence[Source] = getattr(self, "sources", ())
        return (
            f"<{getattr(self, 'language', '')} program "
            f"{', '.join(source.name for source in sources[:1])}>"
        )


def data_frame(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Any:
    """The rows as a data frame of pandas, which is optional; raises :class:`InputError` where it is
    missing."""
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
