"""Places and mistakes as the pages know them: in a file of the open folder, or in a formula."""

from __future__ import annotations

from pathlib import Path

from volition.diagnostics import Diagnostic, Span, suggested_fix
from volition.studio.view_data import DiagnosticData, Fix, Place

__all__ = ["mistake", "place"]


def mistake(diagnostic: Diagnostic, folder: Path) -> DiagnosticData:
    """A diagnostic; files are told by their names in the folder."""
    found = suggested_fix(diagnostic)
    fix = None if found is None else Fix(found[0].start, found[0].end, found[1])
    message = diagnostic.message.replace(f"{folder}/", "")
    return DiagnosticData(
        diagnostic.code,
        diagnostic.severity,
        message,
        diagnostic.hint,
        place(diagnostic.span, folder),
        fix,
    )


def place(span: Span | None, folder: Path) -> Place | None:
    """Where something stands."""
    if span is None:
        return None
    name = Path(span.source.name)
    file = str(name.relative_to(folder)) if name.is_relative_to(folder) else span.source.name
    return Place(file, span.line, span.column, span.start, span.end)
