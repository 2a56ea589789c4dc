"""What can be asked about: a program, the path of one, or a system of one's own; and within which limits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from numbers import Integral, Real
from pathlib import Path

from volition.api.own_systems import Label, SystemProgram
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Limits, System
from volition.languages import load
from volition.languages.model import AlternativeProgram, Program

__all__ = ["Settings", "Subject", "as_program", "bases", "limits_of", "refuse", "seconds", "whole_number"]

Subject = Program | System | str | os.PathLike[str]
"""A program, a system of one's own, or the path of a program, which is loaded."""

Settings = Mapping[str, object]
"""Parameters of a program and options of its language, by name; ``"0.1"`` and ``0.1`` say the same."""


def as_program(subject: Subject, *, settings: Settings | None = None, labels: Mapping[str, Label] | None = None) -> Program:
    """The program that is meant; raises :class:`InputError` where it cannot be read, or where settings or labels do not belong to it."""
    if isinstance(subject, System):
        refuse(settings, "settings belong to a program that is read, and this is a system")
        return SystemProgram(subject, _functions(labels or {}))
    refuse(labels, "labels belong to a system of your own; programs have words of their own")
    if isinstance(subject, str | os.PathLike):
        return load(Path(subject), settings)
    refuse(settings, "the program is loaded already: give the settings to load")
    if not (hasattr(subject, "properties") and hasattr(subject, "sources")):
        hint = "give the path of a program, what load made of it, or a System"
        raise InputError([Diagnostic("API010", f"{_a(subject)} is not a program", hint=hint)])
    return subject


def _functions(labels: Mapping[str, Label]) -> Mapping[str, Label]:
    if not isinstance(labels, Mapping) or not all(callable(each) for each in labels.values()):
        hint = 'such as {"open": lambda state: state["door"] == "open"}'
        raise InputError([Diagnostic("API010", "labels are functions of a state, by their names", hint=hint)])
    return labels


def _a(thing: object) -> str:
    name = type(thing).__name__
    return "None" if thing is None else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def bases(program: Subject, *, settings: Settings | None = None) -> Mapping[str, Program]:
    """The same program from each of its beginnings, by what they are called (``check --all-bases``)."""
    loaded = as_program(program, settings=settings)
    if not isinstance(loaded, AlternativeProgram):
        raise InputError([Diagnostic("CLI019", f"{loaded.language} programs have only one initial state", hint="check it as it is")])
    return loaded.from_each_base()


def limits_of(max_states: int | None, max_memory: int | None, timeout: float | None, jobs: int | None) -> Limits:
    """The limits of an exploration: states, bytes, seconds, and its threads; raises :class:`InputError` for what is none."""
    return Limits(
        states=None if max_states is None else whole_number("max_states", max_states),
        bytes=None if max_memory is None else whole_number("max_memory", max_memory),
        seconds=None if timeout is None else seconds("timeout", timeout),
        jobs=None if jobs is None else whole_number("jobs", jobs, least=1),
    )


def whole_number(option: str, given: int, *, least: int = 0) -> int:
    """An option that counts something; raises :class:`InputError` for what is no such number."""
    if not isinstance(given, Integral) or isinstance(given, bool) or given < least:
        raise InputError([Diagnostic("API011", f"{option} cannot be {given!r}", hint=f"give it a whole number of at least {least}")])
    return int(given)


def seconds(option: str, given: float) -> float:
    """An option that is a time; raises :class:`InputError` for what is none."""
    if not isinstance(given, Real) or isinstance(given, bool) or not given >= 0:  # not a number is not at least 0
        raise InputError([Diagnostic("API011", f"{option} cannot be {given!r}", hint="give it a number of seconds")])
    return float(given)


def refuse(given: Mapping[str, object] | bool | None, why: str) -> None:
    """Raise :class:`InputError` if something is given that does not belong there."""
    if given:
        raise InputError([Diagnostic("API004", why)])
