"""Short names for the folders and programs that users open. Addresses of studio pages contain these
names instead of paths."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path

from volition.languages import find_programs, language_of
from volition.studio.workspace import Workspace, examples_folder

__all__ = ["Example", "Locations", "examples"]


@dataclass(frozen=True, slots=True)
class Example:
    """Example program that comes with Volition: language, name, one-line description, and path."""

    language: str
    name: str
    about: str
    path: Path


def examples() -> list[Example]:
    """Return the example programs that come with Volition."""
    folder = examples_folder()
    if folder is None:
        return []
    found = [
        Example(language_of(each).name, each.stem.replace("_", " "), _description(each), each)
        for each in find_programs(folder)
    ]
    return [each for each in found if each.path.suffix not in (".gwen", ".eass")]


def _description(program: Path) -> str:
    """Return the first line of the first comment in the main file of an example program."""
    file = (
        program
        if program.is_file()
        else next(
            (
                each
                for each in sorted(program.iterdir())
                if each.suffix in (".mas", ".mas2j", ".gwendolen")
            ),
            None,
        )
    )
    if file is None:
        return ""
    lines = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
    return next(
        (line.strip("/*# ") for line in lines if line.startswith(("//", "/*")) and len(line) > 12),
        "",
    )


@dataclass(slots=True)
class Locations:
    """Opened paths, by their short names in addresses of pages. Users cannot open a path by writing
    it into an address."""

    first: Path | None
    _paths: dict[str, Path] = field(default_factory=dict)

    def short_name(self, path: Path) -> str:
        """Return the short name of a path; create one on first use."""
        real = path.resolve()
        for name, known in self._paths.items():
            if known == real:
                return name
        name = secrets.token_urlsafe(6)
        self._paths[name] = real
        return name

    def resolve(self, name: str) -> Workspace | None:
        """Open the path that has the given short name, or, for an empty name, the path from the
        command line. Return None if there is no such path."""
        path = self._paths.get(name) if name else self.first
        return None if path is None else Workspace.of(path, example=_is_example(path))


def _is_example(path: Path) -> bool:
    folder = examples_folder()
    return folder is not None and path.resolve().is_relative_to(folder.resolve())
