"""HTML page that shows recorded runs: the vessel on the map and on its waves, the agent's mental
state beside it, charts over time below.

The page contains the records, its style and its scripts, and makes no requests. It parses a record
line by line, whether the record is embedded or arrives during the run. Texts of a record are never
interpreted as HTML.
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
"""The scripts of the page, in an order in which each script follows those that it needs."""

_MAX_RUNS = 2
"""The largest number of runs that a page shows side by side."""


def render_page(
    records: Sequence[Record], *, live: str | None = None, scheme: Scheme | None = None
) -> str:
    """Return the HTML page for one recorded run, for two runs to compare, or for a run whose record
    arrives from the URL ``live`` while it is written.

    The page follows the light or dark scheme of the reader's system, unless ``scheme`` is given.
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
    """Return a record as an HTML data element. Escaping ensures that no text in the record closes
    the element."""
    name = escape(Path(record.source.name).name, quote=True)
    whole = [record.source.text[: record.source.text.find("\n") + 1] or record.source.text]
    lines = [*whole, *(line.span.text for line in record.lines)]
    text = "\n".join(line.strip().replace("<", "\\u003c") for line in lines)
    return f'<script type="application/x-ndjson" data-name="{name}">{text}</script>'


def _asset(name: str) -> str:
    return (files("volition.runtime.view") / "assets" / name).read_text(encoding="utf-8")
