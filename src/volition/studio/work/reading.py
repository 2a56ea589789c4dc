"""Reading the program as it is in the editors."""

from __future__ import annotations

from pathlib import Path

import volition
from volition.diagnostics import InputError
from volition.languages.model import ParametricProgram, Table
from volition.studio.bench import Bench
from volition.studio.shown import Mistake, Opened, PropertyShown, TableShown
from volition.studio.work.places import mistake

__all__ = ["open_program"]


def open_program(bench: Bench, folder: Path, program: Path, trust: bool) -> Opened | tuple[Mistake, ...]:
    """Read the program; what is wrong with it, if it cannot be read."""
    bench.put(folder, None)
    try:
        loaded = volition.load(folder / program, trust=trust or None)
    except InputError as error:
        return tuple(mistake(each, folder) for each in error.diagnostics)
    bench.put(folder, loaded)
    return Opened(
        language=loaded.language,
        agents=tuple(loaded.model().agents),
        warnings=tuple(mistake(each, folder) for each in loaded.warnings),
        properties=tuple(PropertyShown(each.name or "", each.text, each.expected or "", each.span.line) for each in loaded.properties),
        tables=tuple(map(_table, loaded.tables())),
        parameters={name: str(value) for name, value in loaded.parameters.items()} if isinstance(loaded, ParametricProgram) else {},
        words=(),
    )


def _table(table: Table) -> TableShown:
    return TableShown(table.title, tuple(table.columns), tuple(tuple(row) for row in table.rows))
