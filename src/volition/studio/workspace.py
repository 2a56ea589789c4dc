"""The folder that is open: its files, and the texts in the editors, which are not its files until somebody saves them.

Programs are read from a *draft*, a copy of the folder with the texts of the editors in it, so that what is checked is what is seen.  Examples are
opened as a copy: nothing that belongs to the installation is ever changed.  No path leads out of the folder.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from volition.diagnostics import Diagnostic, InputError
from volition.files import write_whole
from volition.languages import known_languages, programs_in

__all__ = ["Workspace", "examples_folder"]

MOST_FILES = 2_000
MOST_BYTES = 2**20
"""Of a file that is shown; larger ones are not texts that somebody wrote."""


def examples_folder() -> Path | None:
    """The programs that come with Volition."""
    here = Path(__file__).resolve().parents[1]
    return next((each for each in (here / "examples", here.parents[1] / "examples") if each.is_dir()), None)


class Workspace:
    """A folder that is open.  ``home`` is where saving writes to; None for examples, which are saved somewhere else first."""

    def __init__(self, folder: Path, program: Path, *, home: Path | None) -> None:
        self.folder = folder
        self.program = program
        self.home = home
        self._scratch = tempfile.TemporaryDirectory(prefix="volition-studio-")
        self.draft = Path(self._scratch.name) / folder.name
        self.draft.mkdir()
        for relative in self._listed(folder):
            target = self.draft / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / relative, target)
        self._changed: set[Path] = set()

    @classmethod
    def of_program(cls, path: Path, *, example: bool = False) -> Workspace:
        """The folder of a program: a project's own, or the one that a file stands in, of which the file and what goes with it is shown."""
        if not path.exists():
            raise InputError([Diagnostic("STU001", f"'{path}' does not exist", hint="name a program, or a folder with programs")])
        folder = path if path.is_dir() else path.parent
        program = path if path.is_file() else _only_program(path)
        return cls(folder, program.relative_to(folder), home=None if example else folder)

    @property
    def drafted_program(self) -> Path:
        """The program as it is in the editors."""
        return self.draft / self.program

    def files(self) -> list[Path]:
        """The files that can be shown, the program first."""
        listed = sorted(self._listed(self.draft))
        return sorted(listed, key=lambda each: (each != self.program, each.parts))

    def text(self, file: Path) -> str:
        return self._inside(self.draft, file).read_text(encoding="utf-8", errors="replace")

    def write(self, file: Path, text: str) -> None:
        """What is in the editor now."""
        self._inside(self.draft, file).write_text(text, encoding="utf-8")
        if self.home is not None and self._original(file) == text:
            self._changed.discard(file)
        else:
            self._changed.add(file)

    @property
    def unsaved(self) -> list[Path]:
        """The files whose texts in the editors are not those on the disk."""
        return sorted(self._changed)

    def save(self) -> list[Path]:
        """Write what was changed to where it comes from."""
        if self.home is None:
            raise InputError([Diagnostic("STU002", "this is a copy of an example", hint="save it into a folder of your own")])
        saved = self.unsaved
        write_whole({self._inside(self.home, file): self.text(file).encode() for file in saved})
        self._changed.clear()
        return saved

    def save_as(self, folder: Path) -> None:
        """Write everything into a new folder, which is the home from now on."""
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError([Diagnostic("STU003", f"'{folder}' exists and is not empty", hint="choose a new folder")])
        try:
            shutil.copytree(self.draft, folder, dirs_exist_ok=True)
        except OSError as error:
            raise InputError([Diagnostic("STU003", f"cannot write to '{folder}': {error.strerror or error}")]) from None
        self.home = folder
        self._changed.clear()

    def close(self) -> None:
        self._scratch.cleanup()

    def _original(self, file: Path) -> str | None:
        path = self._inside(self.home or self.folder, file)
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None

    def _inside(self, root: Path, file: Path) -> Path:
        """A file below a folder, by whatever way its name tries to lead out of it."""
        path = (root / file).resolve()
        if not path.is_relative_to(root.resolve()):
            raise InputError([Diagnostic("STU004", f"'{file}' is outside of the open folder")])
        return path

    def _listed(self, root: Path) -> Iterator[Path]:
        """Files of a project; of a folder with several programs those that lie beside the one that is open."""
        count = 0
        for path in sorted(root.rglob("*") if _is_project(self.program) else root.glob("*")):
            hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
            if hidden or path.is_symlink() or not path.is_file() or path.stat().st_size > MOST_BYTES:
                continue
            count += 1
            if count > MOST_FILES:
                return
            yield path.relative_to(root)


def _is_project(program: Path) -> bool:
    return any(language.project and program.suffix == language.suffix for language in known_languages())


def _only_program(folder: Path) -> Path:
    """The program that a folder is or has."""
    found = programs_in(folder)
    if not found:
        raise InputError([Diagnostic("STU001", f"no program found in '{folder}'", hint="name a program, or a folder with programs")])
    first = found[0]
    if first.is_dir():
        heads = [each for each in sorted(first.iterdir()) if _is_project(each)]
        return heads[0]
    return first
