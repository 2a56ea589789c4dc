"""Conversion of the arguments that most functions of the Python interface share: the program (as an
object, a path, a user-defined system or an explored state space), its settings, and limits."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path

from volition.api.custom_systems import Label, SystemProgram
from volition.api.spaces import SUFFIX, load_space
from volition.checking.explored_model import Recipe
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Limits, StateSpace, System
from volition.languages import load
from volition.languages.protocols import HasInitialStates, Program

__all__ = [
    "LoadedSubject",
    "Settings",
    "Subject",
    "as_program",
    "initial_belief_bases",
    "limits_of",
    "load_subject",
    "require_none",
    "seconds",
    "whole_number",
]

Subject = Program | System | StateSpace | str | os.PathLike[str]
"""First argument of most functions: a program, a user-defined system, an explored state space, or
the path of a program or of a saved state space."""

Settings = Mapping[str, object]
"""Values for the parameters of a program and for the options of its language, by name; the text
``"0.1"`` and the number ``0.1`` are equivalent."""


@dataclass(frozen=True, slots=True)
class LoadedSubject:
    """Program, together with its state space if the caller passed an explored one."""

    program: Program
    space: StateSpace | None = None

    @property
    def subject(self) -> Program | StateSpace:
        """State space if there is one, otherwise the program."""
        return self.program if self.space is None else self.space

    @property
    def space_warnings(self) -> Sequence[Diagnostic]:
        """Warnings about the state space, such as changed files of its program."""
        recipe = None if self.space is None else self.space.system_factory
        return recipe.warnings if isinstance(recipe, Recipe) else ()

    @property
    def warnings(self) -> Sequence[Diagnostic]:
        """Warnings about the program and its state space."""
        return (*self.program.warnings, *self.space_warnings)


def as_program(
    subject: Subject, *, settings: Settings | None = None, labels: Mapping[str, Label] | None = None
) -> Program:
    """Return the program that an argument of a function stands for. Raise :class:`InputError` if it
    cannot be read, or if settings or labels do not apply to it."""
    return load_subject(subject, settings=settings, labels=labels).program


def load_subject(
    subject: Subject, *, settings: Settings | None = None, labels: Mapping[str, Label] | None = None
) -> LoadedSubject:
    """Return the program that an argument of a function stands for, and its state space if the
    argument is one. Raise :class:`InputError` if the argument cannot be read, or if settings or
    labels do not apply to it."""
    if isinstance(subject, str | os.PathLike) and Path(subject).suffix == SUFFIX:
        subject = load_space(subject)
    if isinstance(subject, StateSpace):
        require_none(settings, "the settings of a state space were chosen when it was explored")
        require_none(labels, "labels apply to a user-defined system: pass them to load_space")
        recipe = subject.system_factory
        if not isinstance(recipe, Recipe):
            hint = "explore the program, not its system"
            raise InputError(
                [
                    Diagnostic(
                        "API014", "the program behind this state space is not known", hint=hint
                    )
                ]
            )
        return LoadedSubject(recipe.program, subject)
    return LoadedSubject(_read(subject, settings, labels))


def _read(
    subject: Program | System | str | os.PathLike[str],
    settings: Settings | None,
    labels: Mapping[str, Label] | None,
) -> Program:
    if isinstance(subject, System):
        require_none(settings, "settings apply to a program file, not to a user-defined system")
        return SystemProgram(subject, _require_functions(labels or {}))
    require_none(labels, "labels apply to a user-defined system; a program defines its own atoms")
    if isinstance(subject, str | os.PathLike):
        return load(Path(subject), settings)
    require_none(settings, "the program is already loaded: pass the settings to load")
    if not (hasattr(subject, "properties") and hasattr(subject, "sources")):
        hint = "give the path of a program, the result of load, or a System"
        raise InputError(
            [Diagnostic("API010", f"{_with_article(subject)} is not a program", hint=hint)]
        )
    return subject


def _require_functions(labels: Mapping[str, Label]) -> Mapping[str, Label]:
    if not isinstance(labels, Mapping) or not all(callable(each) for each in labels.values()):
        hint = 'such as {"open": lambda state: state["door"] == "open"}'
        raise InputError(
            [Diagnostic("API010", "labels must map names to functions of a state", hint=hint)]
        )
    return labels


def _with_article(thing: object) -> str:
    name = type(thing).__name__
    return "None" if thing is None else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def initial_belief_bases(
    program: Subject, *, settings: Settings | None = None
) -> Mapping[str, Program]:
    """Return one variant of the program for each of its possible initial states, by the name of the
    state (``check --all-belief-bases``)."""
    given = load_subject(program, settings=settings)
    require_none(
        given.space is not None, "a state space has only one initial state: give its program"
    )
    loaded = given.program
    if not isinstance(loaded, HasInitialStates):
        raise InputError(
            [
                Diagnostic(
                    "CLI019",
                    "the initial belief base cannot be varied: "
                    f"{loaded.language} programs have only one initial state",
                    hint="check it as it is",
                )
            ]
        )
    return loaded.for_each_initial_state()


def limits_of(
    max_states: int | None,
    max_memory: int | None,
    timeout: float | None,
    jobs: int | None,
    *,
    depth: int | None = None,
) -> Limits:
    """Return the limits of an exploration (states, bytes, seconds, depth) and its number of threads
    as one object; raise :class:`InputError` if one of them is invalid."""
    return Limits(
        states=None if max_states is None else whole_number("max_states", max_states),
        bytes=None if max_memory is None else whole_number("max_memory", max_memory),
        seconds=None if timeout is None else seconds("timeout", timeout),
        jobs=None if jobs is None else whole_number("jobs", jobs, minimum=1),
        depth=None if depth is None else whole_number("depth", depth),
    )


def whole_number(option: str, given: int, *, minimum: int = 0) -> int:
    """Return the value of an option as an integer. Raise :class:`InputError` if it is not a whole
    number of at least ``minimum``."""
    if not isinstance(given, Integral) or isinstance(given, bool) or given < minimum:
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"'{option}' cannot be {given!r}",
                    hint=f"give it a whole number of at least {minimum}",
                )
            ]
        )
    return int(given)


def seconds(option: str, given: float) -> float:
    """Return the value of an option as a number of seconds. Raise :class:`InputError` if it is not
    a number or is negative."""
    if not isinstance(given, Real) or isinstance(given, bool) or not given >= 0:  # rejects NaN too
        raise InputError(
            [
                Diagnostic(
                    "API011", f"'{option}' cannot be {given!r}", hint="give it a number of seconds"
                )
            ]
        )
    return float(given)


def require_none(given: Mapping[str, object] | bool | None, why: str) -> None:
    """Raise :class:`InputError` with the message ``why`` if the argument ``given`` is not empty.
    Functions call this for arguments that are not allowed together with their other arguments."""
    if given:
        raise InputError([Diagnostic("API004", why)])
