"""Workbench: the open program and the results about it, in a worker process of the studio.

The functions in :mod:`volition.studio.tasks` compute on a workbench; each makes a few calls of the
library. Neither they nor the workbench depend on the pages.
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
    """Open program in a worker process, with the results about it. ``report_progress`` sends a
    message to the page during a computation."""

    def __init__(self, progress: Callable[[object], None]) -> None:
        self.report_progress = progress
        self.folder = Path()
        """Folder to which the file names in results are relative."""
        self._program: Program | None = None
        self.answers: dict[str, Answer] = {}
        """Answers of checked properties, by the text of the property."""
        self.cache: dict[str, Any] = {}
        """Results that tasks store for later calls; cleared when the program changes."""

    @property
    def program(self) -> Program:
        """Program that is open; raise :class:`InputError` if it has errors."""
        if self._program is None:
            raise InputError(
                [
                    Diagnostic(
                        "STU007",
                        "the program has errors",
                        hint="correct them; they are listed below its text",
                    )
                ]
            )
        return self._program

    def open(self, folder: Path, program: Program | None) -> None:
        """Open a program (None if it has errors) and clear all results about the previous one."""
        self.folder, self._program = folder, program
        self.answers, self.cache = {}, {}
