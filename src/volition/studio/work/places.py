"""Places and mistakes as the pages know them: in a file of the open folder, or in a formula."""

from __future__ import annotations

from pathlib import Path

from volition.diagnostics import Diagnostic, Span
from volition.studio.shown import Mistake, Place

__all__ = ["mistake", "place"]


def mistake(diagnostic: Diagnostic, folder: Path) -> Mistake:
    return Mistake(diagnostic.code, diagnostic.severity, diagnostic.message, diagnostic.hint, place(diagnostic.span, folder))


def place(span: Span | None, folder: Path) -> Place | None:
    if span is None:
        return None
    name = Path(span.source.name)
    file = str(name.relative_to(folder)) if name.is_relative_to(folder) else span.source.name
    return Place(file, span.line, span.column, span.start, span.end)
