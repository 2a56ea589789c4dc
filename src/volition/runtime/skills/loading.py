"""Loading of the Python skills that a run file names by file and class. Files are executed only if
the user trusts them."""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from volition.diagnostics import Diagnostics, InputError, Span, did_you_mean
from volition.languages.common.trust import read_source, require_trust
from volition.languages.common.user_code import UserCode
from volition.runtime.skills.ports import fits
from volition.runtime.skills.skill import SUBSYSTEMS, Skill

__all__ = ["SkillFiles"]

_HINT = (
    "write skill ACTION = skills.py:ClassName, where ClassName derives from "
    "volition.runtime.skills.Skill"
)

MAX_RATE = 10_000.0
"""The largest number of steps per second that a skill may declare. A skill that needs more should
run a loop of its own."""


class SkillFiles:
    """The Python files with skills of a project. Each file is executed once, so that its skills can
    share module variables."""

    def __init__(self, folder: Path, diagnostics: Diagnostics) -> None:
        self._folder = folder
        self._diagnostics = diagnostics
        self._read: dict[Path, tuple[UserCode, Mapping[str, Any]] | None] = {}

    def skill(self, text: str, span: Span | None) -> Skill | None:
        """Return an instance of the skill class that a text such as ``skills.py:Planner`` names, or
        None after reporting an error."""
        file, colon, class_name = (part.strip() for part in text.rpartition(":"))
        path = self._folder / file
        if not colon or path.suffix != ".py":
            self._diagnostics.error(
                "RUN006", f"'{text}' is not a class in a Python file", span, hint=_HINT
            )
            return None
        if path not in self._read:
            self._read[path] = self._names_in(path, span)
        if (found := self._read[path]) is None:
            return None
        code, names = found
        made = names.get(class_name)
        if not (isinstance(made, type) and issubclass(made, Skill)):
            skills = [
                name
                for name, each in names.items()
                if isinstance(each, type) and issubclass(each, Skill) and each is not Skill
            ]
            self._diagnostics.error(
                "RUN006",
                f"'{path.name}' has no skill '{class_name}'",
                span,
                hint=did_you_mean(class_name, skills) or _HINT,
            )
            return None
        if wrong := _objection(made):
            self._diagnostics.error("RUN014", f"the skill '{class_name}' {wrong}", span)
            return None
        return self._made(code, made)

    def _names_in(self, path: Path, span: Span | None) -> tuple[UserCode, Mapping[str, Any]] | None:
        try:
            require_trust(path, span)
            code = UserCode(read_source(path))
            with code.guard("RUN007", f"'{path.name}'", hint=_HINT):
                return code, runpy.run_path(str(path))
        except InputError as error:
            self._diagnostics.extend(error.diagnostics)
            return None

    def _made(self, code: UserCode, kind: type[Skill]) -> Skill | None:
        try:
            with code.guard(
                "RUN007", f"{kind.__name__}()", hint="a skill class must not need arguments"
            ):
                return kind()
        except InputError as error:
            self._diagnostics.extend(error.diagnostics)
            return None


def _objection(kind: type[Skill]) -> str | None:
    """Return what is wrong with the rate or the subsystem that a skill class declares, or None if
    nothing is wrong."""
    rate: object = kind.rate
    if not fits(rate, float) or not 0 < kind.rate <= MAX_RATE:
        return f"has the rate {rate!r:.40}; a rate must be above 0 and at most {MAX_RATE:g}"
    if kind.subsystem not in SUBSYSTEMS:
        return (
            f"has the unknown subsystem {kind.subsystem!r:.40}; the subsystems are "
            f"{', '.join(SUBSYSTEMS)}"
        )
    return None
