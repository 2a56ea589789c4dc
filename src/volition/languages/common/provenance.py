"""Where a program comes from: the text of every file that was read for it, and its settings, so
that it can be read again without them."""

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

_PLACE = "_provenance"


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a program was read from.

    ``files`` are all that was read, by their paths from ``folder`` on; ``path`` is the one among
    them, or the folder, that names the program.
    """

    folder: Path
    path: str
    settings: Mapping[str, str]
    files: Mapping[str, Source]

    @classmethod
    def of(
        cls, path: Path, settings: Mapping[str, str], files: Mapping[Path, Source]
    ) -> Provenance:
        """What was read for the program at a path, by the real paths of the files."""
        named = Path(os.path.realpath(path))
        folder = Path(os.path.commonpath([named.parent, *(each.parent for each in files)]))
        within = {each.relative_to(folder).as_posix(): source for each, source in files.items()}
        return cls(folder, named.relative_to(folder).as_posix(), settings, within)

    def changed_within(self, folder: Path) -> list[Path]:
        """Return the files that are where they were, with another text now, as far as they lie in a
        folder or below it.

        A file elsewhere is not looked at, also where a link in the folder leads to it.
        """
        there = {self.folder / name: source.text for name, source in self.files.items()}
        return [
            path
            for path, text in there.items()
            if _is_below(path, folder) and path.is_file() and not _has_text(path, text)
        ]

    def reload(self, home: Path, load: Callable[[Path, Mapping[str, str]], Any]) -> Any:
        """The program, read from copies of its files, which count as standing in the file
        ``home``."""
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

    # --- as data ----------------------------------------------------------------------------------

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
        """Raises :class:`ValueError`, :class:`KeyError` or :class:`TypeError` for what is none, or
        would lead out of its folder."""
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
    """Return whether a file has a text; a file whose size rules that out is not read."""
    # Each character is at least one byte, the ends of lines may be two, and a mark of three may
    # come first.
    maximum = 2 * len(text.encode("utf-8", "surrogatepass")) + 3
    try:
        return (
            len(text) <= path.stat().st_size <= maximum
            and path.read_text(encoding="utf-8-sig") == text
        )
    except (OSError, UnicodeDecodeError):
        return False


def attach_provenance(program: object, provenance: Provenance | None) -> None:
    """Notes where a program comes from.  It is no part of the program: another one that is made of
    it does not come from these files."""
    with suppress(AttributeError):  # of a class that has no room for it
        object.__setattr__(program, _PLACE, provenance)


def provenance_of(program: object) -> Provenance | None:
    """Where a program comes from, if it is as it was read."""
    found: Provenance | None = getattr(program, _PLACE, None)
    return found
