"""Files that a command writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from volition.diagnostics import Diagnostic, InputError, visible
from volition.files import write_whole

__all__ = ["expect_writable", "write_file", "write_files"]


def expect_writable(path: Path | None, *, force: bool) -> None:
    """Refuse a file that cannot be written, or is not to be overwritten: before a long computation rather than after it."""
    if path is None:
        return
    try:
        if path.is_dir():
            raise InputError([Diagnostic("CLI004", f"cannot write '{path}': it is a folder", hint="give a file name")])
        if not path.parent.is_dir():
            raise InputError([Diagnostic("CLI004", f"cannot write '{path}': the folder '{path.parent}' does not exist")])
        if path.exists() and not force:
            raise InputError([Diagnostic("CLI003", f"'{path}' already exists", hint="choose another name, or use --force to overwrite it")])
    except OSError as error:
        raise _unwritable(path, error) from None


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file that may be written, whole or not at all."""
    write_files({path: content})


def write_files(contents: Mapping[Path, str | bytes]) -> None:
    """Write files that belong together: all of them or none.  Text of ours holds nothing that a terminal would obey or hide."""
    try:
        write_whole({path: visible(each).encode() if isinstance(each, str) else each for path, each in contents.items()})
    except OSError as error:
        raise _unwritable(next(iter(contents)), error) from None


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError([Diagnostic("CLI004", f"cannot write '{path}': {error.strerror or error}")])
