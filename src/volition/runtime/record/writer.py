"""Writing a record: one line at a time, each on the disk before the run goes on, so that what is
there is whole whenever the run ends."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from volition.diagnostics import Diagnostic, InputError
from volition.runtime.record.format import KINDS, Header

__all__ = ["Recorder"]


class Recorder:
    """Writes the lines of a record to a file or a stream of text; the same run gives the same
    bytes.

    A file that exists is replaced only where ``overwrite`` says so, and only when the run begins: a
    run that is refused before leaves it as it was.  A stream is left open for its owner.
    """

    def __init__(self, target: Path | str | IO[str], *, overwrite: bool = False) -> None:
        self._path = Path(target) if isinstance(target, Path | str) else None
        self._overwrite = overwrite
        self._failed = False
        self._stream = None if isinstance(target, Path | str) else target
        if self._path is not None and not overwrite and self._path.exists():
            raise _exists(self._path)

    def begin(self, header: Header) -> None:
        """Open the file and write the first line."""
        if self._stream is None and self._path is not None:
            self._stream = _opened(self._path, self._overwrite)
        self._write(header.as_data())

    def write(self, kind: str, **fields: Any) -> None:
        """One more line; raises :class:`ValueError` for a kind that no record has, and for what
        JSON cannot say."""
        if kind not in KINDS:
            raise ValueError(f"a record has no lines of kind {kind!r}")
        self._write({"kind": kind, **fields})

    def _write(self, line: dict[str, Any]) -> None:
        assert self._stream is not None, "a record begins with its header"
        # ASCII, so that a file that was cut off anywhere is still text.
        text = json.dumps(line, allow_nan=False, separators=(",", ":")) + "\n"
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError as error:
            self._failed = True
            raise self._unwritable(error) from None

    def close(self) -> None:
        """Close the file; raises :class:`InputError` where it does not take what was written,
        unless that was said before."""
        if self._path is None or self._stream is None:
            return
        try:
            self._stream.close()
        except OSError as error:
            if not self._failed:
                raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> InputError:
        which = "the record" if self._path is None else f"the record '{self._path}'"
        hint = "the record is whole up to its last complete line"
        return InputError(
            [Diagnostic("REC001", f"cannot write {which}: {error.strerror or error}", hint=hint)]
        )

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _opened(path: Path, overwrite: bool) -> IO[str]:
    """Open a record for writing.

    An existing file is removed first, not emptied: another run may still be writing to it.
    """
    try:
        if overwrite and path.is_file():
            path.resolve().unlink()
        return path.open("w" if overwrite else "x", encoding="ascii", newline="\n")
    except FileExistsError:
        raise _exists(path) from None
    except OSError as error:
        raise InputError(
            [Diagnostic("REC001", f"cannot write the record '{path}': {error.strerror or error}")]
        ) from None


def _exists(path: Path) -> InputError:
    return InputError(
        [
            Diagnostic(
                "REC001", f"'{path}' already exists", hint="choose another name for the record"
            )
        ]
    )
