"""Files that a command writes."""

from __future__ import annotations

from pathlib import Path

from volition.diagnostics import Diagnostic, InputError

__all__ = ["keep_existing", "write_file"]


def keep_existing(path: Path | None, *, force: bool) -> None:
    """Refuse to overwrite a file, before a long computation rather than after it."""
    if path is not None and path.exists() and not force:
        raise InputError([Diagnostic("CLI003", f"'{path}' exists already", hint="give another name, or --force to overwrite it")])


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file that may be written."""
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise InputError([Diagnostic("CLI004", f"cannot write '{path}': {error.strerror or error}")]) from None
