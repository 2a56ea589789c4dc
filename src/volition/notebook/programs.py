"""HTML rendering of programs, state spaces, exports, slices and coverage for notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from volition.api.checks import ProgramOverview, show
from volition.api.exporting import ExportResult
from volition.api.slicing import SliceResult
from volition.diagnostics import plural
from volition.display import HtmlProgram
from volition.kernel import StateSpace
from volition.languages.protocols import Program, Table
from volition.notebook.markup import (
    HtmlCell,
    details_block,
    lines,
    paragraph,
    source_text,
    table,
    title,
    warning_list,
)
from volition.notebook.rendering import rendered
from volition.reporting.coverage import Coverage
from volition.reporting.formatting import duration

__all__ = ["coverage", "exported", "one_table", "overview", "program", "space"]


@rendered.register
def program(shown: HtmlProgram) -> str:
    """Render a parsed program as an overview, with its tables collapsed."""
    return overview(show(cast("Program", shown)))


@rendered.register
def overview(shown: ProgramOverview) -> str:
    """Render the overview of a program: its name and language, and its tables, each collapsed."""
    sources = shown.program.sources
    head = title(
        f"{Path(sources[0].name).name}, a program in {shown.program.language}"
        if sources
        else "A system of your own"
    )
    parts = [
        details_block(f"{each.title}: {len(each.rows)}", table(each.columns, each.rows))
        for each in shown.tables
        if each.rows
    ]
    return head + "".join(parts) + warning_list(shown.warnings)


@rendered.register
def space(shown: StateSpace) -> str:
    """Render the size of a state space and the cost of its exploration."""
    stats = shown.stats
    counts = [
        ("states", stats.states),
        ("choices", stats.choices),
        ("transitions", stats.transitions),
        ("Python calls", stats.python_calls),
    ]
    rows: list[list[str | HtmlCell]] = [[what, f"{count:,}"] for what, count in counts]
    rows.append(["bytes per state", f"{stats.bytes_per_state:,.1f}"])
    rows += [[phase, duration(seconds)] for phase, seconds in stats.seconds.items()]
    stopped = "" if shown.stopped is None else paragraph(shown.stopped.text)
    return table(["state space", "value"], rows, numbers=[1]) + stopped


@rendered.register
def exported(shown: ExportResult) -> str:
    """Render an export of a model: its size, and its text collapsed."""
    parts = {"model": shown.model, "properties": shown.properties}
    texts = [
        details_block(name, source_text(text))
        for name, text in parts.items()
        if isinstance(text, str)
    ]
    stopped = "" if shown.stopped is None else paragraph(shown.stopped.text)
    return title(shown.summary()) + "".join(texts) + stopped + warning_list(shown.warnings)


@rendered.register
def sliced(shown: SliceResult) -> str:
    """Render a slice of a program: how much was removed, and the remaining program and the reasons
    collapsed."""
    texts = [
        details_block("program", source_text(shown.text)),
        details_block("reasons", source_text("\n".join(shown.explanation))),
    ]
    return title(shown.summary()) + "".join(texts) + warning_list(shown.warnings)


@rendered.register
def one_table(shown: Table) -> str:
    """Render one table of a program's overview."""
    return title(shown.title) + table(shown.columns, shown.rows)


@rendered.register
def coverage(shown: Coverage) -> str:
    """Render the coverage of a program: the plans, actions and rules that occur in some run, and
    those that never do."""
    rows: list[list[str | HtmlCell]] = []
    for section in dict.fromkeys([*shown.used, *shown.unused]):
        used, unused = shown.used.get(section, ()), shown.unused.get(section, ())
        rows.append(
            [
                section,
                lines(*(("", name) for name in used)),
                lines(*(("", name) for name in unused)),
            ]
        )
    found = sum(len(names) for names in shown.unused.values())
    never = (
        f"{found} {plural(found, 'item')} never used"
        if shown.complete
        else f"{found} {plural(found, 'item')} not used so far"
    )
    return table(["section", "used", "never used"], rows) + paragraph(never)
