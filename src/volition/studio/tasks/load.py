"""Tasks of a studio worker: parse the program in the editor, and lint formulas while they are
typed."""

from __future__ import annotations

from pathlib import Path

import volition
from volition.diagnostics import InputError
from volition.languages.protocols import ParametricProgram
from volition.studio.tasks.diagnostics import diagnostic_data, position_of
from volition.studio.view_data import DiagnosticData, ProgramData, PropertyData
from volition.studio.workbench import Workbench

__all__ = ["lint_formula", "open_program"]


def open_program(
    bench: Workbench, folder: Path, program: Path, trust: bool
) -> ProgramData | tuple[DiagnosticData, ...]:
    """Parse the program in a folder and open it on the workbench. Return its data for the page, or
    its errors if it cannot be parsed."""
    bench.open(folder, None)
    try:
        loaded = volition.load(folder / program, trust=trust or None)
    except InputError as error:
        return tuple(diagnostic_data(each, folder) for each in error.diagnostics)
    bench.open(folder, loaded)
    warnings = volition.lint_formulas(loaded, loaded.properties) if loaded.properties else ()
    return ProgramData(
        language=loaded.language,
        agents=tuple(loaded.model().agents),
        remarks=tuple(diagnostic_data(each, folder) for each in (*loaded.warnings, *warnings)),
        properties=tuple(
            PropertyData(
                each.name or "", each.text, each.expected or "", position_of(each.span, folder)
            )
            for each in loaded.properties
        ),
        parameters={name: str(value) for name, value in loaded.parameters.items()}
        if isinstance(loaded, ParametricProgram)
        else {},
        words={kind: tuple(each) for kind, each in volition.vocabulary(loaded).items()},
    )


def lint_formula(bench: Workbench, text: str) -> tuple[DiagnosticData, ...]:
    """Return errors and warnings about a formula, without checking it."""
    return tuple(
        diagnostic_data(each, bench.folder) for each in volition.lint_formulas(bench.program, text)
    )
