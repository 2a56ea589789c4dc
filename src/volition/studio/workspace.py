"""The folder that is open: its files, and the texts in the editors, which are not its files until
somebody saves them.

Programs are read from a *draft*, a copy of the folder with the texts of the editors in it, so that
what is checked is what is seen. Examples are opened as a copy: nothing that belongs to the
installation is ever changed.  No path leads out of the folder.
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
"""Of a file that is shown; larger ones are not texts that somebody wrote."""


def examples_folder() -> Path | None:
    """The programs that come with Volition, where they are."""
    here = Path(__file__).resolve().parents[1]
    return next(
        (each for each in (here / "examples", here.parents[1] / "examples") if each.is_dir()), None
    )


class Workspace:
    """A folder that is open, and the program in it that is looked at.

    ``home`` is where saving writes to; None for examples, which are saved somewhere else first.
    """

    def __init__(
        self, folder: Path, files: list[Path], program: Path, *, home: Path | None
    ) -> None:
        self.folder = folder
        self.program = program
        self.save_folder = home
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
        """A folder with its programs, or one program with the files that stand beside it; raises
        :class:`InputError` if there is none."""
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
                        f"'{path}' is not a text that can be read here",
                        hint="of at most 1 MB, in UTF-8",
                    )
                ]
            )
        folder, deep = (real, True) if real.is_dir() else (real.parent, _is_project_head(real))
        files = list(_texts_in(folder, deep=deep, first=None if real.is_dir() else real.name))
        found = cls(folder, files, Path(), home=None if example else folder)
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
        """What the program is called."""
        return self.folder.name if self.program == Path() else str(self.program)

    @property
    def main_file(self) -> Path:
        """The file to look at first: the program itself, or the one that heads it."""
        if (self.draft / self.program).is_file():
            return self.program
        inside = sorted(each for each in self.files() if each.is_relative_to(self.program))
        heads = [each for each in inside if _is_project_head(each)]
        return (heads or inside)[0]

    def files(self) -> list[Path]:
        """The files that can be shown, by their names."""
        return sorted(self._saved, key=lambda each: (len(each.parts) > 1, each.parts))

    def text(self, file: Path) -> str:
        """What is in the editor."""
        return self._inside(self.draft, file).read_text(encoding="utf-8", errors="replace")

    def write(self, file: Path, text: str) -> None:
        """Put a text into the editor."""
        path = self._inside(self.draft, file)
        if file not in self._saved:
            raise InputError([Diagnostic("STU004", f"'{file}' is not a file of the open folder")])
        path.write_text(text, encoding="utf-8")

    @property
    def unsaved(self) -> list[Path]:
        """The files whose texts in the editors are not those that were read or saved."""
        return [file for file, text in self._saved.items() if self.text(file) != text]

    @property
    def changed_meanwhile(self) -> list[Path]:
        """The files with unsaved texts that somebody else has changed since."""
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
        """Write what was changed to where it comes from."""
        if self.save_folder is None:
            raise InputError(
                [
                    Diagnostic(
                        "STU002",
                        "this is a copy of an example",
                        hint="save it into a folder of your own",
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
        """Write everything into a new folder, which is the home from now on."""
        if not folder.is_absolute():
            raise InputError(
                [
                    Diagnostic(
                        "STU003",
                        f"'{folder}' does not say where",
                        hint="write the whole path, or one that begins with ~",
                    )
                ]
            )
        try:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise InputError(
                    [
                        Diagnostic(
                            "STU003",
                            f"'{folder}' exists and is not empty",
                            hint="choose a new folder",
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
        """Forget the draft."""
        self._scratch.cleanup()

    def _on_disk(self, root: Path, file: Path) -> str | None:
        path = self._inside(root, file)
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None

    def _inside(self, root: Path, file: Path) -> Path:
        """A file below a folder, by whatever way its name tries to lead out of it."""
        path = Path(os.path.realpath(root / file))
        if not path.is_relative_to(os.path.realpath(root)):
            raise InputError([Diagnostic("STU004", f"'{file}' is outside of the open folder")])
        return path


def _texts_in(root: Path, *, deep: bool, first: str | None) -> Iterator[Path]:
    """The files that somebody may have written, the first one first; no links, which may lead
    anywhere, and nothing hidden."""
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
    """A text for a file, with the line ends that it has."""
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
