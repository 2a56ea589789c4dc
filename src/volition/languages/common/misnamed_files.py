"""Warnings about files that are ignored because of a misspelt suffix, such as ``land.SEP`` or
``drone.prop``."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from pathlib import Path

from volition.diagnostics import Diagnostics

__all__ = ["warn_misnamed_files"]


def warn_misnamed_files(
    files: Iterable[Path], suffixes: Collection[str], diagnostics: Diagnostics
) -> None:
    """Warn about every file whose suffix is probably a misspelling of one of the suffixes in
    ``suffixes``, which the language reads."""
    for file in sorted(files):
        if meant := _intended_suffix(file.suffix, suffixes):
            message = f"'{file}' is ignored: its name does not end in '{meant}'"
            diagnostics.warning(
                "LNG007",
                message,
                hint=f"rename it to '{file.stem}{meant}' if it belongs to the program",
            )


def _intended_suffix(suffix: str, suffixes: Collection[str]) -> str | None:
    """Return the one of ``suffixes`` that a misspelt suffix was probably meant to be, or None.

    A suffix counts as misspelt if it differs in case, by one missing or extra letter, or by the
    order of its letters.
    """
    if suffix in suffixes or len(suffix) < 3:
        return None
    if suffix.lower() in suffixes:
        return suffix.lower()
    for known in suffixes:
        matching = sum(
            block.size
            for block in difflib.SequenceMatcher(
                None, suffix.lower(), known, autojunk=False
            ).get_matching_blocks()
        )
        if abs(len(suffix) - len(known)) == 1 and matching == min(len(suffix), len(known)):
            return known
        if len(suffix) == len(known) and sorted(suffix.lower()) == sorted(known):
            return known
    return None
