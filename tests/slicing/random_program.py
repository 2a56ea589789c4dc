"""A random program of any language, with what can be asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import volition
from volition.languages.protocols import Program

__all__ = ["LoadableProgram", "RandomProgram"]


class LoadableProgram(Protocol):
    """A program with what can be asked of it."""

    @property
    def atoms(self) -> Sequence[str]:
        """Of which it need not know all."""

    def load(self, folder: Path) -> Program:
        """The program, written to the folder first."""


@dataclass(frozen=True)
class RandomProgram:
    """The files of a program; ``atoms`` are what can be asked."""

    files: dict[str, str]
    atoms: Sequence[str]
    main: str = ""
    rewards: Sequence[str] = field(default=())

    def load(self, folder: Path) -> Program:
        for name, text in self.files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        return volition.load(folder / self.main)
