"""Reading the program as it is in the editors, and formulas about it as they are typed."""

from __future__ import annotations

from pathlib import Path

import volition
from volition.diagnostics import InputError
from volition.languages.model import ParametricProgram
from volition.studio.bench import Bench
from volition.studio.shown import Mistake, Opened, PropertyShown
from volition.studio.work.places import mistake, place

__all__ = ["examine_formula", "open_program"]


def open_program(bench: Bench, folder: Path, program: Path, trust: bool) -> Opened | tuple[Mistake, ...]:
    """Read the program; what is wrong with it, if it cannot be read."""
    bench.put(folder, None)
    try:
        loaded = volition.load(folder / program, trust=trust or None)
    except InputError as error:
        return tuple(mistake(each, folder) for each in error.diagnostics)
    bench.put(folder, loaded)
    doubts = volition.examine(loaded, loaded.properties) if loaded.properties else ()
    return Opened(
        language=loaded.language,
        agents=tuple(loaded.model().agents),
        remarks=tuple(mistake(each, folder) for each in (*loaded.warnings, *doubts)),
        properties=tuple(
            PropertyShown(each.name or "", each.text, each.expected or "", place(each.span, folder)) for each in loaded.properties
        ),
        parameters={name: str(value) for name, value in loaded.parameters.items()} if isinstance(loaded, ParametricProgram) else {},
        words={kind: tuple(each) for kind, each in volition.words(loaded).items()},
    )


def examine_formula(bench: Bench, text: str) -> tuple[Mistake, ...]:
    """What is wrong with a formula, or doubtful in it."""
    return tuple(mistake(each, bench.folder) for each in volition.examine(bench.program, text))
