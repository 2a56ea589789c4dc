"""What can be asked about: a program, the path of one, or a system of one's own; and within which limits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from volition.api.own_systems import Label, SystemProgram
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Limits, System
from volition.languages import load
from volition.languages.model import AlternativeProgram, Program

__all__ = ["Settings", "Subject", "as_program", "bases", "limits_of"]

Subject = Program | System | str | os.PathLike[str]
"""A program, a system of one's own, or the path of a program, which is loaded."""

Settings = Mapping[str, object]
"""Parameters of a program and options of its language, by name; ``"0.1"`` and ``0.1`` say the same."""


def as_program(subject: Subject, *, settings: Settings | None = None, labels: Mapping[str, Label] | None = None) -> Program:
    """The program that is meant; raises :class:`InputError` where it cannot be read, or where settings or labels do not belong to it."""
    if isinstance(subject, System):
        _refuse(settings, "settings belong to a program that is read, and this is a system")
        return SystemProgram(subject, labels or {})
    _refuse(labels, "labels belong to a system of your own; programs have words of their own")
    if isinstance(subject, str | os.PathLike):
        return load(Path(subject), {name: str(value) for name, value in (settings or {}).items()})
    _refuse(settings, "the program is loaded already: give the settings to load")
    return subject


def bases(program: Subject, *, settings: Settings | None = None) -> Mapping[str, Program]:
    """The same program from each of its beginnings, by what they are called (``check --all-bases``)."""
    loaded = as_program(program, settings=settings)
    if not isinstance(loaded, AlternativeProgram):
        raise InputError([Diagnostic("CLI019", f"{loaded.language} programs have only one initial state", hint="check it as it is")])
    return loaded.from_each_base()


def limits_of(max_states: int | None, max_memory: int | None, timeout: float | None) -> Limits:
    """The limits of an exploration: states, bytes, seconds."""
    return Limits(states=max_states, bytes=max_memory, seconds=timeout)


def _refuse(given: Mapping[str, object] | None, why: str) -> None:
    if given:
        raise InputError([Diagnostic("API004", why)])
