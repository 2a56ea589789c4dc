"""Record of the files and settings that a program was read from, so that it can be reloaded without
those files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from volition.diagnostics import Source
from volition.languages.common.trust import extracted_files

__all__ = ["Provenance", "attach_provenance", "provenance_of"]

_ATTRIBUTE = "_provenance"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Origin of a program: the files and settings that it was read from.

    ``files`` are all files that were read, by their paths relative to ``folder``. ``path``
    identifies the program: the path of one of these files, or of a folder, relative to ``folder``.
    """

    folder: Path
    path: str
    settings: Mapping[str, str]
    files: Mapping[str, Source]

    @classmethod
    def of(
        cls, path: Path, settings: Mapping[str, str], files: Mapping[Path, Source]
    ) -> Provenance:
        """Return the provenance of the program at ``path``. ``files`` are the files that were read,
        by their real paths."""
        named = Path(os.path.realpath(path))
        folder = Path(os.path.commonpath([named.parent, *(each.parent for each in files)]))
        within = {each.relative_to(folder).as_posix(): source for each, source in files.items()}
        return cls(folder, named.relative_to(folder).as_posix(), settings, within)

    def changed_within(self, folder: Path) -> list[Path]:
        """Return the paths of the program's files in ``folder``, or below it, that still exist but
        have changed since the program was read.

        Files outside ``folder`` are not opened, even if a link in the folder points to them.
        """
        texts = {self.folder / name: source.text for name, source in self.files.items()}
        return [
            path
            for path, text in texts.items()
            if _is_below(path, folder) and os.path.isfile(path) and not _has_text(path, text)
        ]

    def reload(self, home: Path, load: Callable[[Path, Mapping[str, str]], Any]) -> Any:
        """Return the program that ``load`` reads from temporary copies of the stored files.

        ``home`` is the file that contains this provenance, such as a saved state space. If the user
        has allowed the code in the folder of ``home`` to run, the code in the copies may run too.
        Messages use the original names of the files.
        """
        with self._copies() as folder:
            names = {folder / name: source.name for name, source in self.files.items()}
            with extracted_files(home, names):
                program = load(folder / self.path, self.settings)
        found = provenance_of(program)
        attach_provenance(program, None if found is None else replace(found, folder=self.folder))
        return program

    @contextmanager
    def _copies(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="volition-") as name:
            folder = Path(name)
            for each, source in self.files.items():
                copy = folder / each
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(source.text, encoding="utf-8", newline="")
            yield folder

    # --- conversion to and from JSON data ---------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        files = [
            {"path": path, "name": source.name, "text": source.text}
            for path, source in self.files.items()
        ]
        return {
            "folder": str(self.folder),
            "path": self.path,
            "settings": dict(self.settings),
            "files": files,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Provenance:
        """Return the provenance stored as JSON data.

        Raise :class:`ValueError`, :class:`KeyError` or :class:`TypeError` if the data is malformed
        or a path leads out of its folder.
        """
        files = {
            _inside(each["path"]): Source(str(each["name"]), str(each["text"]))
            for each in data["files"]
        }
        settings = {str(name): str(value) for name, value in data["settings"].items()}
        return cls(Path(data["folder"]), _inside(data["path"]), settings, files)


def _inside(path: str) -> str:
    parts = PurePosixPath(path).parts
    if (
        not parts
        or path.startswith("/")
        or "\\" in path
        or "\0" in path
        or any(part in ("..", ".") or ":" in part for part in parts)
    ):
        raise ValueError(path)
    return path


def _is_below(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _has_text(path: Path, text: str) -> bool:
    """Return whether a file has the given text. A file that is too large for the text is not
    read."""
    # Each character takes at least one byte, a line ending may take two, and a byte order mark of
    # three bytes may come first.
    maximum = 2 * len(text.encode("utf-8", "surrogatepass")) + 3
    try:
        return (
            len(text) <= path.stat().st_size <= maximum
            and path.read_text(encoding="utf-8-sig") == text
        )
    except (OSError, UnicodeDecodeError):
        return False


def attach_provenance(program: object, provenance: Provenance | None) -> None:
    """Attach its provenance to a program.

    Provenance is not a field of the program: a modified copy of a program does not inherit it.
    """
    with suppress(AttributeError):  # the class has __slots__
        object.__setattr__(program, _ATTRIBUTE, provenance)


def provenance_of(program: object) -> Provenance | None:
    """Return the provenance of a program, or None if the program was built or changed after
    loading."""
    found: Provenance | None = getattr(program, _ATTRIBUTE, None)
    return found
