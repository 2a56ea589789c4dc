"""Access to the files of a program, and the user's consent to run its Python code and to read files
outside its folder.

:func:`volition.languages.load` announces which program is being read; a language reads all its
files through this module. How consent is given depends on the user interface: an argument in
Python, an option or a prompt on the command line.
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
    """Policy that decides which folders may run code.

    ``allows`` receives the real path of a folder and returns whether its code may run. ``hint``
    explains to the user how to give consent.
    """

    allows: Callable[[Path], bool]
    hint: str


FULL_TRUST = TrustPolicy(lambda _: True, "")
_NO_TRUST = TrustPolicy(lambda _: False, "if you trust its author: load(path, trust=True)")


@dataclass(frozen=True, slots=True)
class _LoadedProgram:
    """Program that is being read. Its paths are real paths: links are resolved.

    ``named`` is the path that the user named, a file or a folder. ``folder`` is the program's
    folder: ``named`` itself, or the folder that contains the file. ``files`` collects the files
    read so far, by path.
    """

    named: Path
    folder: Path
    files: dict[Path, Source] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _ExtractedFiles:
    """Temporary copies of files that were stored inside another file, such as a saved state space.

    ``home`` is the file in which they were stored. ``names`` maps the real path of each copy to the
    original name of the file.
    """

    home: Path
    names: Mapping[Path, str]


_trust: ContextVar[TrustPolicy] = ContextVar("trust", default=_NO_TRUST)
_read: ContextVar[_LoadedProgram | None] = ContextVar("read", default=None)
_unpacked: ContextVar[_ExtractedFiles | None] = ContextVar("unpacked", default=None)


@contextmanager
def with_trust(trust: TrustPolicy) -> Iterator[None]:
    """Apply a trust policy to programs read inside the ``with`` block."""
    token = _trust.set(trust)
    try:
        yield
    finally:
        _trust.reset(token)


@contextmanager
def loading(path: Path) -> Iterator[Mapping[Path, Source]]:
    """Make ``path`` the program that is being read inside the ``with`` block. Yield a mapping to
    which :func:`read_source` adds each file that it reads, by path.

    Without the user's consent, the program may read only files in its own folder.
    """
    real = _real(path)
    program = _LoadedProgram(real, real if real.is_dir() else _real(path.parent))
    token = _read.set(program)
    try:
        yield program.files
    finally:
        _read.reset(token)


@contextmanager
def extracted_files(home: Path, names: Mapping[Path, str]) -> Iterator[None]:
    """Inside the ``with`` block, treat some files as copies of files that are stored in the file
    ``home``.

    ``names`` maps the path of each copy to the original name of the file. Messages use the original
    name. If the user has allowed the code in the folder of ``home`` to run, the code in the copies
    may run too.
    """
    token = _unpacked.set(
        _ExtractedFiles(_real(home), {_real(path): name for path, name in names.items()})
    )
    try:
        yield
    finally:
        _unpacked.reset(token)


def require_inside_project(path: Path, span: Span | None = None) -> None:
    """Raise :class:`InputError` if a file is outside the folder of the program that is being read,
    directly or through a link, and the user has not allowed it."""
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
    """Raise :class:`InputError` if the user has not allowed the code in a file to run."""
    copy = _unpacked.get()
    location = path if copy is None else copy.home
    if not _trust.get().allows(_real(location).parent):
        inside = "" if copy is None else f" in '{copy.home}'"
        what = (
            f"'{_name(path)}'{inside} is Python code, which would run with all your permissions "
            "and is not trusted yet"
        )
        raise InputError([Diagnostic("LNG020", what, span, hint=_trust.get().hint)])


def _real(path: Path) -> Path:
    """Return a path with all links resolved. Unlike :meth:`Path.resolve`, this does not fail on
    circular links."""
    return Path(os.path.realpath(path))


def _name(path: Path) -> str:
    """Return the name of a file for messages; for an extracted file, this is its original name."""
    copy = _unpacked.get()
    return str(path) if copy is None else copy.names.get(_real(path), str(path))


# --- reading of files -----------------------------------------------------------------------------

MAX_BYTES = 64 * 2**20
"""Maximum size of a source file in bytes."""
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


@contextmanager
def io_errors_as_input_errors(path: Path) -> Iterator[None]:
    """Convert operating system errors and decoding errors inside the ``with`` block to
    :class:`InputError`."""
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
    """Return the text of a file with its name, without a byte order mark.

    Raise :class:`InputError` if the file cannot be read or is not text. If ``on_latin`` is given, a
    file that is not UTF-8 is read as Latin-1, in which every byte is a character, and ``on_latin``
    is called with the result.
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
        text, is_latin = _decode(path, allow_latin=on_latin is not None)
    if "\0" in text:
        raise_file_error(
            "LNG005",
            f"'{path}' is not a text file: it contains NUL bytes",
            "save the file as UTF-8 text",
        )
    # Python code keeps its real path, because tracebacks identify code by the path it was read
    # from. Other files get the name that messages use.
    source = Source(str(path) if path.suffix == ".py" else _name(path), text)
    program = _read.get()
    if program is not None:
        program.files[_real(path)] = source
    if is_latin and on_latin is not None:
        on_latin(source)
    return source


def _decode(path: Path, *, allow_latin: bool) -> tuple[str, bool]:
    """Return the text of a file, and whether it was decoded as Latin-1. Latin-1 is tried only if
    ``allow_latin`` is set and the file is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig"), False
    except UnicodeDecodeError:
        if not allow_latin:
            raise
        text = path.read_text(encoding="latin-1")
        if _CONTROL.search(text):  # not text in any encoding
            raise
        return text, True


def raise_missing_file(path: Path) -> NoReturn:
    """Raise :class:`InputError` for a missing file. The hint suggests a file with a similar name,
    if there is one."""
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
    """Raise :class:`InputError` about a file or folder, in place of the error of the operating
    system."""
    raise InputError([Diagnostic(code, message, hint=hint)]) from None
