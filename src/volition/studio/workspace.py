"""Folder that is open in the studio: its files, and the texts in the editor, which are separate
from the files until the user saves them.

Programs are parsed from a *draft*, a temporary copy of the folder with the texts of the editor, so
that the studio checks what it shows. Examples are opened as copies; the files of the installation
are never changed. Paths cannot leave the folder.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from volition.atomic_files import write_atomically
from volition.diagnostics import Diagnostic, InputError
from volition.languages import find_programs, registered_languages

__all__ = ["Workspace", "examples_folder"]

MAX_FILES = 500
MAX_BYTES = 2**20
"""Largest size, in bytes, of a file that the editor shows."""


def examples_folder() -> Path | None:
    """Return the folder with the example programs of Volition; None if they are not installed."""
    here = Path(__file__).resolve().parents[1]
    return next(
        (each for each in (here / "examples", here.parents[1] / "examples") if each.is_dir()), None
    )


class Workspace:
    """Folder that is open in the studio, and the selected program in it.

    ``save_folder`` is the folder that :meth:`save` writes to; None for a copy of an example, which
    must first be saved with :meth:`save_as`.
    """

    def __init__(
        self, folder: Path, files: list[Path], program: Path, *, save_folder: Path | None
    ) -> None:
        self.folder = folder
        self.program = program
        self.save_folder = save_folder
        self._scratch = tempfile.TemporaryDirectory(prefix="volition-studio-")
        self.draft = Path(os.path.realpath(self._scratch.name)) / (folder.name or "program")
        self.draft.mkdir()
        self._saved: dict[Path, str] = {}
        for file in files:
            target = self.draft / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / file, target)
            self._saved[file] = self.text(file)
        self.programs = [each.relative_to(self.draft) for each in find_programs(self.draft)]

    @classmethod
    def of(cls, path: Path, *, example: bool = False) -> Workspace:
        """Open a folder with programs, or a single program with the files next to it.

        Raise :class:`InputError` if there is no program.
        """
        if not path.exists():
            raise InputError(
                [
                    Diagnostic(
                        "STU001",
                        f"'{path}' does not exist",
                        hint="name a program, or a folder with programs",
                    )
                ]
            )
        real = Path(os.path.realpath(path))
        if not real.is_dir() and not _is_text(real):
            raise InputError(
                [
                    Diagnostic(
                        "STU001",
                        f"'{path}' is not a text file of at most 1 MB",
                        hint="name a program, or a folder with programs",
                    )
                ]
            )
        folder, deep = (real, True) if real.is_dir() else (real.parent, _is_project_head(real))
        files = list(_texts_in(folder, deep=deep, first=None if real.is_dir() else real.name))
        found = cls(folder, files, Path(), save_folder=None if example else folder)
        try:
            found.program = found._first_program() if real.is_dir() else real.relative_to(folder)
        except InputError:
            found.close()
            raise
        return found

    def _first_program(self) -> Path:
        if not self.programs:
            hint = "name a program, or a folder with programs"
            raise InputError(
                [Diagnostic("STU001", f"no program found in '{self.folder}'", hint=hint)]
            )
        return next(
            filter(_is_project_head, self.programs), self.programs[0]
        )  # an agent of a project says little on its own

    @property
    def name(self) -> str:
        """Name of the selected program."""
        return self.folder.name if self.program == Path() else str(self.program)

    @property
    def main_file(self) -> Path:
        """File that the editor shows first: the program itself, or the main file of a project
        folder."""
        if (self.draft / self.program).is_file():
            return self.program
        inside = sorted(each for each in self.files() if each.is_relative_to(self.program))
        heads = [each for each in inside if _is_project_head(each)]
        return (heads or inside)[0]

    def files(self) -> list[Path]:
        """Return the files that the editor can show: those of the folder, then those of its
        subfolders, by name."""
        return sorted(self._saved, key=lambda each: (len(each.parts) > 1, each.parts))

    def text(self, file: Path) -> str:
        """Return the text that a file has in the editor, which may be unsaved."""
        return self._inside(self.draft, file).read_text(encoding="utf-8", errors="replace")

    def write(self, file: Path, text: str) -> None:
        """Replace the text that a file has in the editor; the file on disk does not change."""
        path = self._inside(self.draft, file)
        if file not in self._saved:
            raise InputError([Diagnostic("STU004", f"'{file}' is not in the open folder")])
        path.write_text(text, encoding="utf-8")

    @property
    def unsaved(self) -> list[Path]:
        """Files whose text in the editor differs from the text that was last read or saved."""
        return [file for file, text in self._saved.items() if self.text(file) != text]

    @property
    def changed_meanwhile(self) -> list[Path]:
        """Unsaved files that another program has changed on disk since they were last read or
        saved."""
        return (
            []
            if self.save_folder is None
            else [
                each
                for each in self.unsaved
                if self._on_disk(self.save_folder, each) != self._saved[each]
            ]
        )

    def save(self) -> list[Path]:
        """Write the unsaved files to ``save_folder`` and return their paths.

        Raise :class:`InputError` for a copy of an example, or if a file cannot be written.
        """
        if self.save_folder is None:
            raise InputError(
                [
                    Diagnostic(
                        "STU002",
                        "an example cannot be overwritten",
                        hint="save a copy in a folder of your own",
                    )
                ]
            )
        saved = self.unsaved
        try:
            write_atomically(
                {
                    (path := self._inside(self.save_folder, file)): _with_line_endings_of(
                        path, self.text(file)
                    )
                    for file in saved
                }
            )
        except OSError as error:
            raise InputError(
                [
                    Diagnostic(
                        "STU003", f"cannot write to '{self.save_folder}': {error.strerror or error}"
                    )
                ]
            ) from None
        self._saved |= {file: self.text(file) for file in saved}
        return saved

    def save_as(self, folder: Path) -> None:
        """Write all files into a new folder, which becomes ``save_folder``.

        Raise :class:`InputError` if the path is relative, or the folder is not empty or not
        writable.
        """
        if not folder.is_absolute():
            raise InputError(
                [
                    Diagnostic(
                        "STU009",
                        f"'{folder}' is not an absolute path",
                        hint="enter a path that begins with / or ~",
                    )
                ]
            )
        try:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise InputError(
                    [
                        Diagnostic(
                            "STU008",
                            f"cannot save to '{folder}': it exists and is not an empty folder",
                            hint="enter the path of a new folder",
                        )
                    ]
                )
            shutil.copytree(self.draft, folder, dirs_exist_ok=True)
        except OSError as error:
            raise InputError(
                [Diagnostic("STU003", f"cannot write to '{folder}': {error.strerror or error}")]
            ) from None
        self.save_folder = folder
        self._saved = {file: self.text(file) for file in self._saved}

    def close(self) -> None:
        """Delete the draft (the temporary copy of the folder)."""
        self._scratch.cleanup()

    def _on_disk(self, root: Path, file: Path) -> str | None:
        path = self._inside(root, file)
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None

    def _inside(self, root: Path, file: Path) -> Path:
        """Return the resolved path of ``file`` below the folder ``root``; raise :class:`InputError`
        if it is outside."""
        path = Path(os.path.realpath(root / file))
        if not path.is_relative_to(os.path.realpath(root)):
            raise InputError([Diagnostic("STU004", f"'{file}' is outside the open folder")])
        return path


def _texts_in(root: Path, *, deep: bool, first: str | None) -> Iterator[Path]:
    """Yield the text files in a folder, and, with ``deep``, in its subfolders; ``first`` comes
    before the others. Hidden files are skipped, and so are links, which may point outside the
    folder."""
    if first is not None:
        yield Path(first)
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = (
            sorted(each for each in folders if not each.startswith((".", "__pycache__")))
            if deep
            else []
        )
        for name in sorted(names):
            path = Path(folder) / name
            if (
                name.startswith(".")
                or path.is_symlink()
                or not _is_text(path)
                or (Path(folder) == root and name == first)
            ):
                continue
            count += 1
            if count > MAX_FILES:
                return
            yield path.relative_to(root)


def _with_line_endings_of(path: Path, text: str) -> bytes:
    """Encode a text with the line endings of the existing file at ``path``."""
    ends = "\r\n" if path.is_file() and b"\r\n" in path.read_bytes() else "\n"
    return text.replace("\n", ends).encode()


def _is_text(path: Path) -> bool:
    try:
        return (
            path.is_file()
            and path.stat().st_size <= MAX_BYTES
            and b"\0" not in path.open("rb").read(1024)
        )
    except OSError:
        return False


def _is_project_head(path: Path) -> bool:
    return any(
        language.is_folder and path.suffix == language.suffix for language in registered_languages()
    )
