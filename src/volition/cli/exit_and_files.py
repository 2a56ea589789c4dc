"""The process as its caller sees it: the code that it ends with, the two standard streams, and the
files that it leaves behind.

They may be less than one would wish: a terminal may know few characters, a reader may go away, a
folder may not be there.
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

# --- how it ends ----------------------------------------------------------------------------------


class Exit(IntEnum):
    """The exit codes; scripts rely on them."""

    SUCCESS = 0
    VIOLATED = 1
    BAD_INPUT = 2
    INCOMPLETE = 3
    INTERNAL_ERROR = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143


def exit_code(report: Report) -> Exit:
    """What the answers tell the caller; a violation is certain, so it counts more than an answer
    that is missing."""
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
    """The exit code for several reports: a violation counts more than an answer that is missing."""
    found = set(codes)
    return next((code for code in (Exit.VIOLATED, Exit.INCOMPLETE) if code in found), Exit.SUCCESS)


def leave_threads(code: int) -> None:
    """End this process at once if threads or processes are left that it might wait for: a project
    may have started some that never end.

    Python waits for threads of a pool even if they are daemons.
    """
    children = sys.modules.get("multiprocessing")
    left = [] if children is None else children.active_children()
    for child in left:
        child.kill()
    if left or any(
        each.is_alive() and each is not threading.main_thread() for each in threading.enumerate()
    ):
        atexit._run_exitfuncs()
        discard_pending_output()
        os._exit(code)


# --- its streams ----------------------------------------------------------------------------------

_IN_ASCII = str.maketrans("✓✗·→←≈…≤≥−–—‘’“”□◇¬∧∨", "+x-><~.<>---''\"\"GF!&|")
"""Signs of ours and their nearest relatives, one for one, so that columns fit."""


def use_ascii_fallback() -> None:
    """Let a terminal that does not know a character show a poorer one."""
    codecs.register_error("volition", _ascii_fallback)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="volition")


def _ascii_fallback(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    poorer = error.object[error.start : error.end].translate(_IN_ASCII)
    return "".join(character if character.isascii() else "?" for character in poorer), error.end


def knows_all_characters(stream: TextIO) -> bool:
    """Whether a stream can write every character."""
    return codecs.lookup(stream.encoding).name.startswith("utf")


def print_to_stderr(text: str) -> None:
    """A last word on standard error; where nobody can be told, the exit code has to do."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        discard_pending_output()


def discard_pending_output() -> None:
    """Throw away what could not be written: the interpreter would try again at its end, and
    complain with an exit code of its own."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


# --- its files ------------------------------------------------------------------------------------


def expect_writable(*paths: Path | None, force: bool) -> None:
    """Refuse files that cannot be written, or are not to be overwritten: before a long computation
    rather than after it.

    Of several none may be another one: it would be overwritten at once.
    """
    given = [each for each in paths if each is not None]
    for path in given:
        _expect_writable(path, force=force)
    for path, other in pairwise(sorted(given, key=os.path.realpath)):
        if os.path.realpath(path) == os.path.realpath(other):
            raise InputError(
                [
                    Diagnostic(
                        "CLI004",
                        f"cannot write two results to '{path}'",
                        hint="give each a name of its own",
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
    """Write a file that may be written, whole or not at all."""
    write_files({path: content})


def write_files(contents: Mapping[Path, str | Content]) -> None:
    """Write files that belong together: all of them or none.  Text of ours holds nothing that a
    terminal would obey or hide."""
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
    """Make the folders that files are to be written into, where they are not there yet."""
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(folder, error) from None


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError([Diagnostic("CLI004", f"cannot write '{path}': {error.strerror or error}")])
