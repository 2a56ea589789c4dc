"""Properties from outside a program, in a file or on the command line: formulas, and the sentences that its language may have."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source
from volition.languages import read_source
from volition.languages.kit.properties import Wording, as_formulas
from volition.languages.model import Program, StatedProperty, WordedProgram
from volition.logic import read_properties

__all__ = ["properties_in", "properties_of"]


def properties_in(path: Path, program: Program, warnings: Diagnostics | None = None) -> list[StatedProperty]:
    """The properties in a file, as formulas about a program.

    Raises :class:`InputError` with everything that is wrong with them; what is only doubtful goes to ``warnings``.
    """
    found = Diagnostics()
    stated = read_properties(read_source(path), diagnostics=found)
    if not stated and not found.errors:
        raise InputError([Diagnostic("LNG006", f"no properties in '{path}'")])
    properties = as_formulas(stated, _wording(program), found)
    _settle(found, warnings)
    return list(properties)


def properties_of(texts: Iterable[str], program: Program, warnings: Diagnostics | None = None) -> list[StatedProperty]:
    """The properties in texts that are read as property files are.

    Raises :class:`InputError` with everything that is wrong with them; what is only doubtful goes to ``warnings``.
    """
    properties: list[StatedProperty] = []
    found = Diagnostics()
    for text in texts:
        source, in_text = Source("<formula>", text), Diagnostics()
        stated = read_properties(source, diagnostics=in_text)
        if not stated and not in_text.errors:
            # Where there is nothing, the parser of formulas says what is missing.
            stated = (StatedProperty(text, source.span(0, len(text))),)
        found.extend(in_text)
        properties += as_formulas(stated, _wording(program), found)
    _settle(found, warnings)
    return properties


def _settle(found: Diagnostics, warnings: Diagnostics | None) -> None:
    found.raise_errors()
    if warnings is not None:
        warnings.extend(found.warnings)


def _wording(program: Program) -> Wording | None:
    return program.as_formula if isinstance(program, WordedProgram) else None
