"""Properties from outside a program, in a file or on the command line: formulas, and the sentences that its language may have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source
from volition.languages import read_source
from volition.languages.model import Program, StatedProperty, WordedProgram
from volition.logic import read_properties

__all__ = ["properties_in", "properties_of"]


def properties_in(path: Path, program: Program) -> list[StatedProperty]:
    """The properties in a file, as formulas about a program; raises :class:`InputError` with everything that is wrong with them."""
    stated = read_properties(read_source(path))
    if not stated:
        raise InputError([Diagnostic("LNG006", f"there is no property in '{path}'")])
    diagnostics = Diagnostics()
    properties = _as_formulas(stated, program, diagnostics)
    diagnostics.raise_errors()
    return properties


def properties_of(texts: Iterable[str], program: Program) -> list[StatedProperty]:
    """The properties in texts that are read as property files are; raises :class:`InputError` with everything that is wrong with them."""
    properties: list[StatedProperty] = []
    diagnostics = Diagnostics()
    for text in texts:
        source = Source("<formula>", text)
        try:
            # Where there is nothing, the parser of formulas says what is missing.
            stated = read_properties(source) or [StatedProperty(text, source.span(0, len(text)))]
        except InputError as error:
            diagnostics.extend(error.diagnostics)
            continue
        properties += _as_formulas(stated, program, diagnostics)
    diagnostics.raise_errors()
    return properties


def _as_formulas(stated: Sequence[StatedProperty], program: Program, diagnostics: Diagnostics) -> list[StatedProperty]:
    """The properties without those that are no formulas, whose mistakes go to ``diagnostics``."""
    if not isinstance(program, WordedProgram):
        return list(stated)
    formulas = [program.as_formula(each, diagnostics) for each in stated]
    return [each for each in formulas if each is not None]
