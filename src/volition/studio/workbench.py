"""The workbench: the program that is open and what was found out about it, in a process of its own.

What is computed are functions of a bench in :mod:`.work`, each a few calls of the library.  Nothing
here or there knows pages.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from volition.checking.check import Answer
from volition.diagnostics import Diagnostic, InputError
from volition.languages.protocols import Program

__all__ = ["Workbench"]


class Workbench:
    """One program; ``news`` tells the page something while the work goes on."""

    def __init__(self, progress: Callable[[object], None]) -> None:
        self.report_progress = progress
        self.folder = Path()
        """What the names of files are told relative to."""
        self._program: Program | None = None
        self.answers: dict[str, Answer] = {}
        """By the text that was asked."""
        self.cache: dict[str, Any] = {}
        """Whatever a view wants to find again, as long as the program is the same."""

    @property
    def program(self) -> Program:
        """The program that is open; raises :class:`InputError` if there is none."""
        if self._program is None:
            raise InputError(
                [
                    Diagnostic(
                        "STU007", "the program has mistakes", hint="they are listed below its text"
                    )
                ]
            )
        return self._program

    def open(self, folder: Path, program: Program | None) -> None:
        """Work on a program from now on; what was known about another one is forgotten."""
        self.folder, self._program = folder, program
        self.answers, self.cache = {}, {}
