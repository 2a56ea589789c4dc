"""Properties from outside a program, in a file or on the command line: formulas, and the sentences that its language may have."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, did_you_mean
from volition.languages import read_source
from volition.languages.kit.properties import Wording, as_formulas
from volition.languages.model import FilingProgram, Program, StatedProperty, WordedProgram
from volition.logic import read_properties

__all__ = ["properties_in", "properties_of"]


def properties_in(path: Path, program: Program, warnings: Diagnostics | None = None) -> list[StatedProperty]:
    """The properties in a file, as formulas about a program; ``file:name`` are those of that name.

    Raises :class:`InputError` with everything that is wrong with them; what is only doubtful goes to ``warnings``.
    """
    path, name = _file_and_name(path)
    found = Diagnostics()
    source = read_source(path)
    properties = _properties(source, name, program, found)
    if not properties and not found.errors:
        if name is None:
            raise InputError([Diagnostic("LNG006", f"no properties in '{path}'")])
        names = [each.name for each in _properties(source, None, program, Diagnostics()) if each.name is not None]
        raise InputError([Diagnostic("LNG010", f"no property '{name}' in '{path}'", hint=did_you_mean(name, names))])
    _settle(found, warnings)
    return properties


def _file_and_name(path: Path) -> tuple[Path, str | None]:
    """A file that is there is meant, even if there is a colon in its name."""
    file, _, name = str(path).rpartition(":")
    return (Path(file), name) if not path.exists() and Path(file).is_file() else (path, None)


def _properties(source: Source, name: str | None, program: Program, found: Diagnostics) -> list[StatedProperty]:
    if isinstance(program, FilingProgram) and (of_its_own := program.properties_in(source, name, found)) is not None:
        return list(of_its_own)
    stated = [each for each in read_properties(source, diagnostics=found) if name in (None, each.name)]
    return list(as_formulas(stated, _wording(program), found))


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
