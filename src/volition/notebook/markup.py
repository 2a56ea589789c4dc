"""HTML building blocks for rendering in notebooks. All text from a program is passed through
:func:`escaped`."""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from volition.diagnostics import Diagnostic, escape_control_characters, render
from volition.languages.protocols import Table

__all__ = [
    "MAX_ROWS",
    "HtmlCell",
    "badge",
    "details_block",
    "escaped",
    "lines",
    "page",
    "paragraph",
    "source_text",
    "table",
    "tables",
    "title",
    "warning_list",
]  # fmt: skip

_COUNT = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)?")

MAX_LETTERS = 20_000
"""The largest number of characters of a source text that are shown."""

MAX_ROWS = 200
"""The largest number of table rows that are shown. The remaining rows are only counted; the
rendered object has all of them."""

STYLE = """
.volition{font:13px/1.45 system-ui,sans-serif;color:inherit;max-width:100%;overflow-x:auto}
.volition .v-title{font-weight:600;margin:.7em 0 .3em}
.volition p{margin:.3em 0}
.volition table{border-collapse:collapse;margin:.2em 0 .6em;font:inherit;color:inherit;background:none;border:0}
.volition th,.volition td{text-align:left;vertical-align:top;padding:.25em .9em .25em 0;border:0;background:none;color:inherit;
white-space:pre-wrap;overflow-wrap:break-word;max-width:52em}
.volition thead th{font-weight:400;opacity:.7;border-bottom:1px solid rgba(128,128,128,.55)}
.volition.volition tbody tr:nth-child(n){background:none}
.volition tbody tr+tr td{border-top:1px solid rgba(128,128,128,.22)}
.volition td.v-number,.volition th.v-number{text-align:right;font-variant-numeric:tabular-nums}
.volition td.v-number{white-space:nowrap}
.volition td.v-name{white-space:pre}
.volition .v-quiet{opacity:.7}
.volition .v-code{font-family:ui-monospace,monospace;font-size:.94em}
.volition .v-mark{display:inline-block;padding:0 .55em;border-radius:.8em;font-weight:600;color:#fff;white-space:nowrap}
.volition .v-good{background:#1a7f37}.volition .v-bad{background:#b42318}.volition .v-open{background:#7a5b00}
.volition .v-plain{background:#3465a4}
.volition .v-picture{background:#fff;border-radius:6px;padding:6px;display:inline-block;max-width:100%;box-sizing:border-box}
.volition .v-picture svg{display:block;max-width:100%;height:auto}
.volition details>summary{cursor:pointer}
.volition .v-text{white-space:pre;max-height:30em;overflow:auto;padding:.4em .6em;border:1px solid rgba(128,128,128,.35);border-radius:4px}
"""  # noqa: E501


@dataclass(frozen=True, slots=True)
class HtmlCell:
    """Table cell whose content is already HTML and is not escaped."""

    markup: str


def escaped(text: object) -> str:
    """Return a text as HTML without active content, with symbols for invisible characters."""
    return entities.escape(escape_control_characters(str(text)), quote=True)


def page(*parts: str) -> str:
    """Return the complete HTML of one object: its parts, with the style sheet."""
    return f'<div class="volition"><style>{STYLE}</style>{"".join(parts)}</div>'


def title(text: str) -> str:
    """Return a heading line as HTML."""
    return f'<div class="v-title">{escaped(text)}</div>'


def paragraph(text: str, *, quiet: bool = False) -> str:
    """Return an HTML paragraph, in a lighter colour if ``quiet``."""
    return f'<p class="v-quiet">{escaped(text)}</p>' if quiet else f"<p>{escaped(text)}</p>"


def badge(text: str, kind: str) -> HtmlCell:
    """Return a text on a coloured background as an HTML cell. ``kind`` is ``good``, ``bad``,
    ``open`` or ``plain``."""
    return HtmlCell(f'<span class="v-mark v-{kind}">{escaped(text)}</span>')


def lines(*texts: tuple[str, str]) -> HtmlCell:
    """Return an HTML cell with several texts, each on its own line. Each argument is a pair of a
    CSS class, which may be empty, and a text."""
    return HtmlCell(
        "<br>".join(
            f'<span class="{name}">{escaped(text)}</span>' if name else escaped(text)
            for name, text in texts
        )
    )


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str | HtmlCell]],
    *,
    numbers: Sequence[int] = (),
    names: Sequence[int] = (),
    values: bool = False,
) -> str:
    """Return an HTML table.

    ``numbers`` are the indices of the columns to align right. Columns that contain only counts are
    aligned right too, unless ``values`` is set. Set it for tables of decimal numbers: aligned left,
    their decimal points are below each other. ``names`` are the indices of the columns whose lines
    are not wrapped.
    """
    every = list(rows)
    right = {
        *numbers,
        *(
            index
            for index in range(len(columns))
            if not values and _counts([row[index] for row in every])
        ),
    }

    def cell(tag: str, position: int, content: str | HtmlCell) -> str:
        name = (
            ' class="v-number"'
            if position in right
            else ' class="v-name"'
            if position in names
            else ""
        )
        return f"<{tag}{name}>{content.markup if isinstance(content, HtmlCell) else escaped(content)}</{tag}>"  # noqa: E501

    head = "".join(cell("th", place, column) for place, column in enumerate(columns))
    body = "".join(
        f"<tr>{''.join(cell('td', place, each) for place, each in enumerate(row))}</tr>"
        for row in every[:MAX_ROWS]
    )
    more = (
        paragraph(f"and {len(every) - MAX_ROWS:,} more rows", quiet=True)
        if len(every) > MAX_ROWS
        else ""
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _counts(cells: Sequence[str | HtmlCell]) -> bool:
    return any(cells) and all(isinstance(each, str) and _COUNT.fullmatch(each) for each in cells)


def tables(found: Iterable[Table]) -> str:
    """Return the given tables as HTML, each with its title. Tables without rows are left out."""
    return "".join(
        title(each.title) + table(each.columns, each.rows) for each in found if each.rows
    )


def source_text(text: str) -> str:
    """Return the text of a file as HTML, with its line breaks and spaces. Cut off a long text."""
    more = (
        paragraph(f"and {len(text) - MAX_LETTERS:,} more characters", quiet=True)
        if len(text) > MAX_LETTERS
        else ""
    )
    shown = "\n".join(escaped(line) for line in text[:MAX_LETTERS].split("\n"))
    return f'<div class="v-text v-code">{shown}</div>{more}'


def details_block(summary: str, content: str) -> str:
    """Return an HTML block that shows its summary, and its content after a click."""
    return f"<details><summary>{escaped(summary)}</summary>{content}</details>"


def warning_list(warnings: Sequence[Diagnostic]) -> str:
    """Return warnings as HTML paragraphs."""
    return "".join(
        f'<p class="v-code" style="white-space:pre-wrap">{escaped(render(each))}</p>'
        for each in warnings
    )
