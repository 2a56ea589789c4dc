"""Reading the files of a program, and whether it may run code of its own or read outside of its
folder: only after the user's yes.

:func:`volition.languages.load` says which program is being read, and everything that a language
    reads of it passes here.  Who says yes, and how somebody who has not can do so, is the business
    of the surface: an argument from Python, an option or a question on the command line.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from volition.diagnostics import Diagnostic, InputError, Source, Span, did_you_mean

__all__ = [
    "FULL_TRUST",
    "TrustPolicy",
    "extracted_files",
    "io_errors_as_input_errors",
    "loading",
    "raise_file_error",
    "raise_missing_file",
    "read_source",
    "require_inside_project",
    "require_trust",
    "with_trust",
]


@dataclass(frozen=True, slots=True)
class TrustPolicy:
    """Whose code may run: ``allows`` is asked about a folder by its real path; ``hint`` says how to
    allow what is not."""

    allows: Callable[[Path], bool]
    hint: str


FULL_TRUST = TrustPolicy(lambda _: True, "")
_NO_TRUST = TrustPolicy(lambda _: False, "if you trust its author: load(path, trust=True)")


@dataclass(frozen=True, slots=True)
class _LoadedProgram:
    """The program that is being read: the path that the user named, and its folder, both as they
    really are; and the files read so far."""

    named: Path
    folder: Path
    files: dict[Path, Source] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _ExtractedFiles:
    """Files that came out of another, ``home``: what they are called where they come from, by where
    they really are now."""

    home: Path
    names: Mapping[Path, str]


_trust: ContextVar[TrustPolicy] = ContextVar("trust", default=_NO_TRUST)
_read: ContextVar[_LoadedProgram | None] = ContextVar("read", default=None)
_unpacked: ContextVar[_ExtractedFiles | None] = ContextVar("unpacked", default=None)


@contextmanager
def with_trust(trust: TrustPolicy) -> Iterator[None]:
    """Programs that are read inside have this trust."""
    token = _trust.set(trust)
    try:
        yield
    finally:
        _trust.reset(token)


@contextmanager
def loading(path: Path) -> Iterator[Mapping[Path, Source]]:
    """Inside, the program at ``path`` is read: it has what stands in its folder, and nothing else.
    Gives the files that were read."""
    real = _real(path)
    program = _LoadedProgram(real, real if real.is_dir() else _real(path.parent))
    token = _read.set(program)
    try:
        yield program.files
    finally:
        _read.reset(token)


@contextmanager
def extracted_files(home: Path, names: Mapping[Path, str]) -> Iterator[None]:
    """Inside, these files are copies of what the file ``home`` holds: they are called, and trusted,
    as if they stood there."""
    token = _unpacked.set(
        _ExtractedFiles(_real(home), {_real(path): name for path, name in names.items()})
    )
    try:
        yield
    finally:
        _unpacked.reset(token)


def require_inside_project(path: Path, span: Span | None = None) -> None:
    """Raise :class:`InputError` for a file outside of the folder of the program, by whatever way it
    leads there."""
    program, real = _read.get(), _real(path)
    if (
        program is None
        or real == program.named
        or real.is_relative_to(program.folder)
        or _trust.get().allows(program.folder)
    ):
        return
    what = f"'{path}' leads outside the program's folder, to '{real}'"
    raise InputError(
        [
            Diagnostic(
                "LNG021", what, span, hint=f"move the file into the folder, or, {_trust.get().hint}"
            )
        ]
    )


def require_trust(path: Path, span: Span | None = None) -> None:
    """Raise :class:`InputError` for a file with code that nobody has allowed to run."""
    copy = _unpacked.get()
    standing = path if copy is None else copy.home
    if not _trust.get().allows(_real(standing).parent):
        inside = "" if copy is None else f" in '{copy.home}'"
        what = (
            f"'{_name(path)}'{inside} is Python code, which would run with all your permissions "
            "and is not trusted yet"
        )
        raise InputError([Diagnostic("LNG020", what, span, hint=_trust.get().hint)])


def _real(path: Path) -> Path:
    """Where a path leads; unlike :meth:`Path.resolve` this has an answer for links that lead in a
    circle."""
    return Path(os.path.realpath(path))


def _name(path: Path) -> str:
    """What a file is called."""
    copy = _unpacked.get()
    return str(path) if copy is None else copy.names.get(_real(path), str(path))


# --- files ----------------------------------------------------------------------------------------

MAX_BYTES = 64 * 2**20
"""Of a source: no person has written a larger one."""
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


@contextmanager
def io_errors_as_input_errors(path: Path) -> Iterator[None]:
    """Inside it, a file that cannot be read, or is not text, is wrong input like any other."""
    try:
        yield
    except FileNotFoundError as error:
        raise_missing_file(Path(error.filename or path))
    except OSError as error:
        raise_file_error(
            "LNG004", f"cannot read '{error.filename or path}': {error.strerror or error}"
        )
    except UnicodeDecodeError as error:
        raise_file_error(
            "LNG005",
            f"'{path}' is not UTF-8 text: {error.reason} at byte {error.start}",
            "save the file as UTF-8 text",
        )


def read_source(
    path: Path, *, max_bytes: int = MAX_BYTES, on_latin: Callable[[Source], None] | None = None
) -> Source:
    """The text of a file with its name, without a byte order mark; raises :class:`InputError` where
    it cannot be read, or is not text.

    With ``on_latin`` a text that is not UTF-8 is read as Latin-1, which every byte is a character
    of, and reported to it.
    """
    with io_errors_as_input_errors(path):
        require_inside_project(path)
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            hint = (
                "choose one of the files in it" if path.is_dir() else "save the program in a file"
            )
            raise_file_error("LNG008", f"cannot read '{path}': it is not a file", hint)
        if status.st_size > max_bytes:
            raise_file_error(
                "LNG008",
                f"cannot read '{path}': it has {status.st_size:,} bytes, the limit is "
                f"{max_bytes:,}",
            )
        text, is_latin = _decoded(path, otherwise=on_latin is not None)
    if "\0" in text:
        raise_file_error(
            "LNG005",
            f"'{path}' is not a text file: it contains NUL bytes",
            "save the file as UTF-8 text",
        )
    # Python knows code by where it was read.
    source = Source(str(path) if path.suffix == ".py" else _name(path), text)
    program = _read.get()
    if program is not None:
        program.files[_real(path)] = source
    if is_latin and on_latin is not None:
        on_latin(source)
    return source


def _decoded(path: Path, *, otherwise: bool) -> tuple[str, bool]:
    """Return the text of a file, and whether it is in Latin-1, which is allowed ``otherwise``."""
    try:
        return path.read_text(encoding="utf-8-sig"), False
    except UnicodeDecodeError:
        if not otherwise:
            raise
        text = path.read_text(encoding="latin-1")
        if _CONTROL.search(text):  # not a text in any encoding
            raise
        return text, True


def raise_missing_file(path: Path) -> NoReturn:
    """Raise :class:`InputError` for a path where nothing is, with what is there under a similar
    name."""
    if path.is_symlink():
        raise_file_error("LNG001", f"'{path}' is a broken link to '{path.readlink()}'")
    folder = path.parent
    siblings = (
        [entry.name for entry in folder.iterdir()]
        if folder.is_dir() and os.access(folder, os.R_OK)
        else []
    )
    raise_file_error(
        "LNG001", f"no such file or folder: '{path}'", did_you_mean(path.name, siblings)
    )


def raise_file_error(code: str, message: str, hint: str | None = None) -> NoReturn:
    """Raise :class:`InputError` about a file or folder, instead of what the system says about
    it."""
    raise InputError([Diagnostic(code, message, hint=hint)]) from None
