"""Reading the program as it is in the editors, and formulas about it as they are typed."""

from __future__ import annotations

from pathlib import Path

import volition
from volition.diagnostics import InputError
from volition.languages.protocols import ParametricProgram
from volition.studio.tasks.diagnostics import mistake, place
from volition.studio.view_data import DiagnosticData, ProgramData, PropertyData
from volition.studio.workbench import Workbench

__all__ = ["examine_formula", "open_program"]


def open_program(
    bench: Workbench, folder: Path, program: Path, trust: bool
) -> ProgramData | tuple[DiagnosticData, ...]:
    """Read the program; what is wrong with it, if it cannot be read."""
    bench.open(folder, None)
    try:
        loaded = volition.load(folder / program, trust=trust or None)
    except InputError as error:
        return tuple(mistake(each, folder) for each in error.diagnostics)
    bench.open(folder, loaded)
    warnings = volition.lint_formulas(loaded, loaded.properties) if loaded.properties else ()
    return ProgramData(
        language=loaded.language,
        agents=tuple(loaded.model().agents),
        remarks=tuple(mistake(each, folder) for each in (*loaded.warnings, *warnings)),
        properties=tuple(
            PropertyData(each.name or "", each.text, each.expected or "", place(each.span, folder))
            for each in loaded.properties
        ),
        parameters={name: str(value) for name, value in loaded.parameters.items()}
        if isinstance(loaded, ParametricProgram)
        else {},
        words={kind: tuple(each) for kind, each in volition.vocabulary(loaded).items()},
    )


def examine_formula(bench: Workbench, text: str) -> tuple[DiagnosticData, ...]:
    """What is wrong with a formula, or doubtful in it."""
    return tuple(
        mistake(each, bench.folder) for each in volition.lint_formulas(bench.program, text)
    )
