"""Exit codes, standard streams and output files of the command ``volition``.

The functions handle terminals without Unicode, readers that close the pipe, and folders that do not
exist.
"""

from __future__ import annotations

import atexit
import codecs
import contextlib
import os
import sys
import threading
from collections.abc import Iterable, Mapping
from enum import IntEnum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from volition.atomic_files import Content, write_atomically
from volition.diagnostics import Diagnostic, InputError, escape_control_characters

if TYPE_CHECKING:
    from volition.checking.check import Report

__all__ = [
    "Exit",
    "discard_pending_output",
    "exit_code",
    "expect_writable",
    "knows_all_characters",
    "leave_threads",
    "make_folders",
    "most_severe",
    "print_to_stderr",
    "use_ascii_fallback",
    "write_file",
    "write_files",
]

# --- exit codes -----------------------------------------------------------------------------------


class Exit(IntEnum):
    """Exit codes of the command ``volition``. Scripts rely on them."""

    SUCCESS = 0
    VIOLATED = 1
    BAD_INPUT = 2
    INCOMPLETE = 3
    INTERNAL_ERROR = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143


def exit_code(report: Report) -> Exit:
    """Return the exit code for the report of a check.

    A violated property takes precedence over an unknown answer, because it is certain.
    """
    if any(
        answer.as_expected is False
        or (answer.prop.expected is None and answer.verdict.holds is False)
        for answer in report.answers
    ):
        return Exit.VIOLATED
    if any(answer.verdict.unknown is not None for answer in report.answers):
        return Exit.INCOMPLETE
    return Exit.SUCCESS


def most_severe(codes: Iterable[Exit]) -> Exit:
    """Return the exit code for several results, given their exit codes: ``VIOLATED`` takes
    precedence over ``INCOMPLETE``, and that over ``SUCCESS``."""
    found = set(codes)
    return next((code for code in (Exit.VIOLATED, Exit.INCOMPLETE) if code in found), Exit.SUCCESS)


def leave_threads(code: int) -> None:
    """End this process immediately with the exit code ``code`` if threads or child processes are
    still alive; otherwise do nothing.

    The Python code of a project may have started threads or processes that never end, and Python
    waits even for the daemon threads of a pool.
    """
    children = sys.modules.get("multiprocessing")
    alive = [] if children is None else children.active_children()
    for child in alive:
        child.kill()
    if alive or any(
        each.is_alive() and each is not threading.main_thread() for each in threading.enumerate()
    ):
        atexit._run_exitfuncs()
        discard_pending_output()
        os._exit(code)


# --- standard streams -----------------------------------------------------------------------------

_IN_ASCII = str.maketrans("✓✗·→←≈…≤≥−–—‘’“”□◇¬∧∨", "+x-><~.<>---''\"\"GF!&|")
"""ASCII replacement for each symbol that Volition prints. Each is one character, so that columns
stay aligned."""


def use_ascii_fallback() -> None:
    """Make standard output and standard error replace characters that their encoding lacks by
    similar ASCII characters."""
    codecs.register_error("volition", _ascii_fallback)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="volition")


def _ascii_fallback(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    replaced = error.object[error.start : error.end].translate(_IN_ASCII)
    return "".join(character if character.isascii() else "?" for character in replaced), error.end


def knows_all_characters(stream: TextIO) -> bool:
    """Return whether the encoding of a stream can represent every Unicode character."""
    return codecs.lookup(stream.encoding).name.startswith("utf")


def print_to_stderr(text: str) -> None:
    """Print a line on standard error; do nothing if the stream is closed."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        discard_pending_output()


def discard_pending_output() -> None:
    """Discard buffered output of the standard streams that cannot be written.

    Otherwise the Python interpreter tries to write it again when it exits, and changes the exit
    code when that fails.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


# --- output files ---------------------------------------------------------------------------------


def expect_writable(*paths: Path | None, force: bool) -> None:
    """Raise :class:`InputError` if a file cannot be written, or exists and ``force`` is not set.

    Commands call this before a long computation. Two paths must not name the same file, because the
    second result would overwrite the first.
    """
    given = [each for each in paths if each is not None]
    for path in given:
        _expect_writable(path, force=force)
    for path, other in pairwise(sorted(given, key=os.path.realpath)):
        if os.path.realpath(path) == os.path.realpath(other):
            raise InputError(
                [
                    Diagnostic(
                        "CLI017",
                        f"cannot write two results to '{path}'",
                        hint="give each file a different name",
                    )
                ]
            )


def _expect_writable(path: Path, *, force: bool) -> None:
    try:
        if path.is_dir():
            raise InputError(
                [
                    Diagnostic(
                        "CLI004", f"cannot write '{path}': it is a folder", hint="give a file name"
                    )
                ]
            )
        if not path.parent.is_dir():
            raise InputError(
                [
                    Diagnostic(
                        "CLI004",
                        f"cannot write '{path}': the folder '{path.parent}' does not exist",
                    )
                ]
            )
        if path.exists() and not force:
            raise InputError(
                [
                    Diagnostic(
                        "CLI003",
                        f"'{path}' already exists",
                        hint="choose another name, or use --force to overwrite it",
                    )
                ]
            )
    except OSError as error:
        raise _unwritable(path, error) from None


def write_file(path: Path, content: str | Content) -> None:
    """Write a file completely or, if that fails, not at all."""
    write_files({path: content})


def write_files(contents: Mapping[Path, str | Content]) -> None:
    """Write several files: all of them or, if one fails, none.

    Control and invisible characters in text are escaped; bytes are written as they are.
    """
    try:
        write_atomically(
            {
                path: escape_control_characters(each).encode() if isinstance(each, str) else each
                for path, each in contents.items()
            }
        )
    except OSError as error:
        raise _unwritable(next(iter(contents)), error) from None


def make_folders(folders: Iterable[Path]) -> None:
    """Create folders and their parents if they do not exist."""
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(folder, error) from None


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError([Diagnostic("CLI004", f"cannot write '{path}': {error.strerror or error}")])
