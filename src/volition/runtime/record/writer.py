"""Writing a record: one line at a time, each on the disk before the run goes on, so that what is there is whole whenever the run ends."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from volition.diagnostics import Diagnostic, InputError
from volition.runtime.record.format import KINDS, Header

__all__ = ["Recorder"]


class Recorder:
    """Writes the lines of a record to a file or a stream of text; the same run gives the same bytes.

    A file that exists is replaced only where ``overwrite`` says so; a stream is left open for whoever opened it.
    """

    def __init__(self, target: Path | str | IO[str], *, overwrite: bool = False) -> None:
        self._owned = isinstance(target, Path | str)
        self._stream = _opened(Path(target), overwrite) if isinstance(target, Path | str) else target

    def begin(self, header: Header) -> None:
        """The first line."""
        self._write(header.as_data())

    def write(self, kind: str, **fields: Any) -> None:
        """One more line; raises :class:`ValueError` for a kind that no record has, and for what JSON cannot say."""
        if kind not in KINDS:
            raise ValueError(f"a record has no lines of kind {kind!r}")
        self._write({"kind": kind, **fields})

    def _write(self, line: dict[str, Any]) -> None:
        # ASCII, so that a file that was cut off anywhere is still text.
        self._stream.write(json.dumps(line, allow_nan=False, separators=(",", ":")) + "\n")
        self._stream.flush()

    def close(self) -> None:
        if self._owned:
            self._stream.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _opened(path: Path, overwrite: bool) -> IO[str]:
    try:
        return path.open("w" if overwrite else "x", encoding="ascii", newline="\n")
    except FileExistsError:
        raise InputError([Diagnostic("REC001", f"'{path}' already exists", hint="choose another name for the record")]) from None
    except OSError as error:
        raise InputError([Diagnostic("REC001", f"cannot write the record '{path}': {error.strerror or error}")]) from None
