"""HTML rendering of parameter sweeps and closed forms for notebooks."""

from __future__ import annotations

from volition.analysis.sweeps.closed_forms import ClosedForm
from volition.analysis.sweeps.plots import draw_sweep
from volition.analysis.sweeps.result import SweepResult
from volition.diagnostics import plural
from volition.notebook.markup import details_block, paragraph, table, title, warning_list
from volition.notebook.plots import picture
from volition.notebook.rendering import rendered
from volition.reporting.formatting import duration

__all__ = ["closed_form", "sweep"]


@rendered.register
def sweep(shown: SweepResult) -> str:
    """Render a parameter sweep: a plot, and a collapsed table of all values."""
    rows, points = shown.table(), len(shown.rows)
    times = "once" if shown.explorations == 1 else f"{shown.explorations} times"
    parts = [
        paragraph(
            f"{points:,} {plural(points, 'point')}, explored {times}, {duration(shown.seconds)}"
        )
    ]
    if len(shown.axes) in (1, 2):
        parts.append(picture(lambda: draw_sweep(shown)))
    parts.append(details_block("all values", table(rows.columns, rows.rows, values=True)))
    parts += [paragraph(problem) for problem in shown.problems[:3]]
    return "".join(parts) + warning_list(shown.warnings)


@rendered.register
def closed_form(shown: ClosedForm) -> str:
    """Render closed forms: the value of each property as a function of the parameters, and at how
    many points the functions were checked."""
    found = shown.table()
    return (
        title(found.title)
        + table(found.columns, found.rows)
        + paragraph(shown.remark(), quiet=True)
    )
