"""Reader of records of runs. Errors are reported with their line; an incomplete last line is
ignored with a warning."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from volition.diagnostics import Diagnostic, Diagnostics, Source, Span
from volition.languages.common.trust import read_source
from volition.reporting.json_schema import schema_error
from volition.runtime.record.format import FORMAT, HEADER, KINDS, OPTIONAL_FIELDS, VERSION, Header

__all__ = ["Line", "Record", "is_record", "parse_record", "read_record"]

MAX_BYTES = 2**28
"""The largest size of a record in bytes. The parsed record has to fit into memory."""

_MAX_ERRORS = 20
"""The largest number of errors that are reported for a record. A file that is not a record may have
an error in each of thousands of lines."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record after the header: its kind, its fields, and its span in the file."""

    kind: str
    fields: Mapping[str, Any]
    span: Span

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]


@dataclass(frozen=True, slots=True)
class Record:
    """A parsed record of a run. ``warnings`` report ignored lines: an incomplete last line, and
    lines of unknown kinds."""

    source: Source
    header: Header
    lines: tuple[Line, ...]
    warnings: tuple[Diagnostic, ...] = ()

    def of_kind(self, *kinds: str) -> Iterator[Line]:
        """Return an iterator over the lines of the given kinds, in order."""
        return (line for line in self.lines if line.kind in kinds)

    @property
    def ended(self) -> bool:
        """Whether the record has a line of kind ``end``."""
        return any(line.kind == "end" for line in self.lines)


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read the record in a file. Raise one :class:`InputError` with all errors of the record."""
    return parse_record(read_source(Path(path), max_bytes=MAX_BYTES))


_LINES = re.compile(r"^[^\n]*\S[^\n]*", re.MULTILINE)
"""Pattern of a line that is not blank. It matches in linear time even if there are many blank
lines."""


def is_record(source: Source) -> bool:
    """Return whether the first line of a text is the header of a record, with any spacing and order
    of its fields."""
    first = _LINES.search(source.text)
    try:
        header = None if first is None else _decoded(first.group())
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and header.get("format") == FORMAT


def parse_record(source: Source) -> Record:
    """Parse the text of a record. Raise one :class:`InputError` with all errors of the record."""
    diagnostics = Diagnostics()
    spans = [source.span(*match.span()) for match in _LINES.finditer(source.text)]
    if not spans:
        diagnostics.error("REC002", f"'{source.name}' is empty, not the record of a run")
        diagnostics.raise_errors()
    first = _object(spans[0], diagnostics)
    header = None if first is None else _header(first, spans[0], diagnostics)
    if header is None:
        diagnostics.raise_errors()
    lines = list(_lines(spans[1:], diagnostics))
    diagnostics.raise_errors()
    assert header is not None
    return Record(source, header, tuple(lines), diagnostics.warnings)


def _lines(spans: list[Span], diagnostics: Diagnostics) -> Iterator[Line]:
    unknown: set[str] = set()
    for span in spans:
        if len(diagnostics.errors) >= _MAX_ERRORS:
            diagnostics.error(
                "REC004", f"too many damaged lines; the first {_MAX_ERRORS} are reported", span
            )
            return
        if _is_cut_off(span, last=span is spans[-1]):
            diagnostics.warning("REC003", "the last line is incomplete and is ignored", span)
            return
        data = _object(span, diagnostics)
        if data is None:
            continue
        kind = data.get("kind")
        if not isinstance(kind, str):
            diagnostics.error("REC004", "this line of the record has no 'kind' field", span)
        elif kind not in KINDS:
            if kind not in unknown:
                diagnostics.warning(
                    "REC005", f"lines of the unknown kind '{kind[:40]}' are ignored", span
                )
            unknown.add(kind)
        elif how := schema_error(data, KINDS[kind], kind, optional=OPTIONAL_FIELDS):
            diagnostics.error("REC004", f"this line of the record is damaged: {how}", span)
        else:
            yield Line(kind, data, span)


def _is_cut_off(span: Span, *, last: bool) -> bool:
    """Return whether a line is incomplete: it is the last line of the file, does not end with a
    newline, and is not valid JSON."""
    if not last or span.source.text.endswith("\n"):
        return False
    try:
        _decoded(span.text)
    except (ValueError, RecursionError):
        return True
    return False


def _object(span: Span, diagnostics: Diagnostics) -> Mapping[str, Any] | None:
    """Return the JSON object in a line of a record, or None after reporting an error."""
    try:
        data = _decoded(span.text)
    except json.JSONDecodeError as error:
        source_span = span.source.span(span.start + min(error.pos, len(span.text) - 1), span.end)
        diagnostics.error(
            "REC004", f"this line of the record is not JSON: {error.msg}", source_span
        )
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        diagnostics.error("REC004", f"this line of the record is not JSON: {why}", span)
    else:
        if isinstance(data, Mapping):
            return data
        diagnostics.error("REC004", "this line of the record is not an object", span)
    return None


def _decoded(text: str) -> Any:
    """Return the JSON data in a line of a record. Raise :class:`ValueError` also for constants that
    Python's parser accepts but JSON does not have, such as ``NaN``."""
    try:
        data = json.loads(text, parse_constant=_not_a_number)
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("it contains half of a surrogate pair") from None
    return data


def _not_a_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


def _header(data: Mapping[str, Any], span: Span, diagnostics: Diagnostics) -> Header | None:
    if data.get("format") != FORMAT:
        hint = f'records are written by runs; their first line has "format": "{FORMAT}"'
        diagnostics.error(
            "REC002", f"'{span.source.name}' is not the record of a run", span, hint=hint
        )
    elif data.get("version") != VERSION:
        diagnostics.error(
            "REC007",
            f"unsupported version {str(data.get('version'))[:20]} of a record, expected {VERSION}",
            span,
        )
    elif how := schema_error(data, HEADER, "header", optional=OPTIONAL_FIELDS):
        diagnostics.error("REC004", f"the first line of the record is damaged: {how}", span)
    else:
        return Header.from_data(data)
    return None
