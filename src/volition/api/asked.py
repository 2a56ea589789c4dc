"""Formulas as people give them: one text or several, read as ``-p`` and property files are."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from volition.checking.generic_questions import generic_properties
from volition.checking.questions import Asked, Question, doubts_about, read_questions
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.languages.kit.properties import properties_in, properties_of
from volition.languages.model import Program

__all__ = ["Asked", "Formulas", "asked_about", "questions_for", "the_one_asked"]

Formulas = Asked | Iterable[Asked]


def questions_for(
    program: Program,
    formulas: Formulas | None,
    doubts: Diagnostics,
    *,
    props: str | os.PathLike[str] | None = None,
    generic: bool = False,
    per_event: bool = False,
) -> list[Asked]:
    """What ``check`` is asked: these formulas and those of a property file, or else the program's own; the generic ones on top.

    What is doubtful goes to ``doubts``.  Raises :class:`InputError` with what is wrong, and where nothing is asked.
    """
    asked = _read(program, formulas, doubts)
    if props is not None:
        asked += properties_in(Path(props), program, doubts)
    if not asked:
        asked += program.properties
    if generic or per_event:
        asked += generic_properties(program, per_event=per_event)
    if not asked:
        place = f" in '{program.sources[0].name}'" if program.sources else ""
        raise InputError([Diagnostic("CLI002", f"no properties to check{place}", hint="give one, or a file of them")])
    return asked


def asked_about(program: Program, formulas: Formulas | None, doubts: Diagnostics) -> list[Question]:
    """These formulas, or else the program's own, with what its language doubts in them; what was read before is not doubted again.

    Raises :class:`InputError` with everything that is wrong with them.
    """
    asked = _read(program, formulas, doubts) or list[Asked](program.properties)
    questions = read_questions(asked, doubts)
    anew = [each.formula for each, given in zip(questions, asked, strict=True) if not isinstance(given, Question)]
    if anew:
        doubts.extend(doubts_about(program, anew))
    return questions


def the_one_asked(program: Program, formula: Asked, doubts: Diagnostics) -> Asked:
    """The property in a text that should have one; the text itself if it has not, for its reader to complain about."""
    asked = asked_about(program, [formula] if formula is None else formula, doubts)
    return asked[0] if len(asked) == 1 else formula


def _read(program: Program, formulas: Formulas | None, doubts: Diagnostics) -> list[Asked]:
    if formulas is None:
        return []
    several: Iterable[Asked] = [formulas] if isinstance(formulas, str | bytes) or not isinstance(formulas, Iterable) else formulas
    mistakes = Diagnostics()
    asked: list[Asked] = []
    for each in several:
        try:
            asked += properties_of([each], program, doubts) if isinstance(each, str) else [_expect_formula(each)]
        except InputError as error:
            mistakes.extend(error.diagnostics)
    mistakes.raise_errors()
    return asked


def _expect_formula(given: Asked) -> Asked:
    """What was given, which somebody without a type checker may have given instead of a formula."""
    if not isinstance(given, Asked):
        raise InputError([Diagnostic("API010", f"{given!r} is not a formula", hint="give a text, such as 'A [ F done ]'")])
    return given
