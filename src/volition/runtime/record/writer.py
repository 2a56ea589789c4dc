"""Writer of records of runs. Each line is written to disk before the run continues, so that the
record is complete whenever the run ends."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from volition.diagnostics import Diagnostic, InputError
from volition.runtime.record.format import KINDS, Header

__all__ = ["Recorder"]


class Recorder:
    """Writer of the lines of a record to a file or a text stream. The same run gives the same
    bytes.

    An existing file is replaced only with ``overwrite``, and only when the run begins: a run that
    fails before that leaves the file unchanged. A text stream is not closed.
    """

    def __init__(self, target: Path | str | IO[str], *, overwrite: bool = False) -> None:
        self._path = Path(target) if isinstance(target, Path | str) else None
        self._overwrite = overwrite
        self._failed = False
        self._stream = None if isinstance(target, Path | str) else target
        if self._path is not None and not overwrite and self._path.exists():
            raise _exists(self._path)

    def begin(self, header: Header) -> None:
        """Open the file, unless the record goes to a stream, and write the header."""
        if self._stream is None and self._path is not None:
            self._stream = _opened(self._path, self._overwrite)
        self._write(header.as_data())

    def write(self, kind: str, **fields: Any) -> None:
        """Write one line of a record. Raise :class:`ValueError` for an unknown kind and for values
        that JSON cannot represent."""
        if kind not in KINDS:
            raise ValueError(f"a record has no lines of kind {kind!r}")
        self._write({"kind": kind, **fields})

    def _write(self, line: dict[str, Any]) -> None:
        assert self._stream is not None, "a record begins with its header"
        # Write ASCII, so that a file that is cut off at any byte is still valid text.
        text = json.dumps(line, allow_nan=False, separators=(",", ":")) + "\n"
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError as error:
            self._failed = True
            raise self._unwritable(error) from None

    def close(self) -> None:
        """Close the file of the record. Raise :class:`InputError` if the last data cannot be
        written, unless an earlier write has already failed."""
        if self._path is None or self._stream is None:
            return
        try:
            self._stream.close()
        except OSError as error:
            if not self._failed:
                raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> InputError:
        which = "the record" if self._path is None else f"the record '{self._path}'"
        hint = "the record is valid up to its last complete line"
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
    """Open the file of a record for writing.

    An existing file is removed first, not emptied, because another run may still be writing to it.
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
                "REC006", f"'{path}' already exists", hint="choose another name for the record"
            )
        ]
    )
