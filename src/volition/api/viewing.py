"""The function ``view``, which shows recorded runs as an HTML page."""

from __future__ import annotations

import os

from volition.diagnostics import Diagnostic, InputError
from volition.runtime.record import read_record
from volition.runtime.view import render_page

__all__ = ["view"]


def view(*records: str | os.PathLike[str]) -> str:
    """Return a complete HTML page that shows one recorded run, or two side by side. It needs no
    server and no network."""
    if not 1 <= len(records) <= 2:
        raise InputError(
            [
                Diagnostic(
                    "VIE001",
                    f"expected one or two records, not {len(records)}",
                    hint="name one run, or two to compare them",
                )
            ]
        )
    return render_page([read_record(each) for each in records])
