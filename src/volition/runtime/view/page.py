"""One HTML file that shows recorded runs: the vessel from above and on its waves, the mind beside
it, numbers over time below.

The page brings the records, its style and its scripts along and asks nobody for anything.  A record
is read by the page line by line, the same way whether it is there from the beginning or comes while
it is written; texts of a record are never taken for HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Literal

from volition.runtime.record import Record

__all__ = ["Scheme", "render_page"]

Scheme = Literal["light", "dark"]

_SCRIPTS = ("record.js", "map.js", "sea.js", "charts.js", "mind.js", "page.js")
"""In the order in which they need each other."""

_MAX_RUNS = 2
"""Side by side."""


def render_page(
    records: Sequence[Record], *, live: str | None = None, scheme: Scheme | None = None
) -> str:
    """The page for one run, or for two to be compared; for one that comes from the address ``live``
    as it is written.

    It is as light or dark as the system of whoever looks at it, unless ``scheme`` says otherwise.
    """
    if len(records) > _MAX_RUNS:
        raise ValueError(f"a page shows at most {_MAX_RUNS} runs")
    title = " and ".join(record.source.name for record in records) or "a run"
    return Template(_asset("page.html")).substitute(
        title=escape(title),
        style=_style(scheme),
        live=f' data-live="{escape(live, quote=True)}"' if live else "",
        records="\n".join(map(_embedded, records)),
        script="".join(map(_asset, _SCRIPTS)),
    )


def _style(scheme: Scheme | None) -> str:
    style = _asset("page.css")
    if scheme is None:
        return style
    query = {"dark": "@media all", "light": "@media not all"}[scheme]
    return style.replace("@media (prefers-color-scheme:dark)", query).replace(
        "color-scheme:light dark", f"color-scheme:{scheme}"
    )


def _embedded(record: Record) -> str:
    """The record as data; nothing in it ends the element that it stands in."""
    name = escape(Path(record.source.name).name, quote=True)
    whole = [record.source.text[: record.source.text.find("\n") + 1] or record.source.text]
    lines = [*whole, *(line.span.text for line in record.lines)]
    text = "\n".join(line.strip().replace("<", "\\u003c") for line in lines)
    return f'<script type="application/x-ndjson" data-name="{name}">{text}</script>'


def _asset(name: str) -> str:
    return (files("volition.runtime.view") / "assets" / name).read_text(encoding="utf-8")
