"""Property files of a program: formulas, and the sentences for properties that its language may have."""

from __future__ import annotations

from pathlib import Path

from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.languages import read_source
from volition.languages.model import Program, StatedProperty, WordedProgram
from volition.logic import read_properties

__all__ = ["properties_in"]


def properties_in(path: Path, program: Program) -> list[StatedProperty]:
    """The properties in a file, as formulas about a program; raises :class:`InputError` with everything that is wrong with them."""
    stated = read_properties(read_source(path))
    if not stated:
        raise InputError([Diagnostic("LNG006", f"there is no property in '{path}'")])
    if not isinstance(program, WordedProgram):
        return list(stated)
    diagnostics = Diagnostics()
    formulas = [program.as_formula(each, diagnostics) for each in stated]
    diagnostics.raise_errors()
    return [each for each in formulas if each is not None]
