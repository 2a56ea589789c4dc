"""What the server has open: folders and programs by short names, which stand in addresses in the
place of their paths."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path

from volition.languages import find_programs, language_of
from volition.studio.workspace import Workspace, examples_folder

__all__ = ["Example", "Places", "examples"]


@dataclass(frozen=True, slots=True)
class Example:
    """A program that comes with Volition: its language, its name, and what its author says about it
    in one line."""

    language: str
    name: str
    about: str
    path: Path


def examples() -> list[Example]:
    """The programs that come with Volition, by their languages."""
    folder = examples_folder()
    if folder is None:
        return []
    found = [
        Example(language_of(each).name, each.stem.replace("_", " "), _about(each), each)
        for each in find_programs(folder)
    ]
    return [each for each in found if each.path.suffix not in (".gwen", ".eass")]


def _about(program: Path) -> str:
    """The first line of the first comment in the file that heads a program."""
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
class Places:
    """Paths by the names that addresses have for them: nobody opens a path by writing it into an
    address."""

    first: Path | None
    _paths: dict[str, Path] = field(default_factory=dict)

    def short_name(self, path: Path) -> str:
        """The name of a path in an address."""
        real = path.resolve()
        for name, known in self._paths.items():
            if known == real:
                return name
        name = secrets.token_urlsafe(6)
        self._paths[name] = real
        return name

    def resolve(self, name: str) -> Workspace | None:
        """What stands behind a name, or without one what was named on the command line; None where
        the name is not known."""
        path = self._paths.get(name) if name else self.first
        return None if path is None else Workspace.of(path, example=_is_example(path))


def _is_example(path: Path) -> bool:
    folder = examples_folder()
    return folder is not None and path.resolve().is_relative_to(folder.resolve())
