"""Conversion of diagnostics and source positions to plain data for the studio's pages."""

from __future__ import annotations

from pathlib import Path

from volition.diagnostics import Diagnostic, Span, suggested_fix
from volition.studio.view_data import DiagnosticData, Fix, SourcePosition

__all__ = ["diagnostic_data", "position_of"]


def diagnostic_data(diagnostic: Diagnostic, folder: Path) -> DiagnosticData:
    """Return a diagnostic as plain data; file names are relative to ``folder``."""
    found = suggested_fix(diagnostic)
    fix = None if found is None else Fix(found[0].start, found[0].end, found[1])
    message = diagnostic.message.replace(f"{folder}/", "")
    return DiagnosticData(
        diagnostic.code,
        diagnostic.severity,
        message,
        diagnostic.hint,
        position_of(diagnostic.span, folder),
        fix,
    )


def position_of(span: Span | None, folder: Path) -> SourcePosition | None:
    """Return the position of a source span as plain data, with a file name relative to ``folder``;
    None if there is no span."""
    if span is None:
        return None
    name = Path(span.source.name)
    file = str(name.relative_to(folder)) if name.is_relative_to(folder) else span.source.name
    return SourcePosition(file, span.line, span.column, span.start, span.end)
