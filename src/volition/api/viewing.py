"""``view`` as a call: recorded runs as a page to look at."""

from __future__ import annotations

import os

from volition.diagnostics import Diagnostic, InputError
from volition.runtime.record import read_record
from volition.runtime.view import render_page

__all__ = ["view"]


def view(*records: str | os.PathLike[str]) -> str:
    """A whole HTML page that shows one recorded run, or two side by side; it needs no server and no
    network."""
    if not 1 <= len(records) <= 2:
        raise InputError(
            [
                Diagnostic(
                    "VIE001",
                    f"{len(records)} records to look at",
                    hint="name one run, or two to compare them",
                )
            ]
        )
    return render_page([read_record(each) for each in records])
