"""State spaces in files, together with their programs: written by ``explore --save``, and read by
all commands instead of a program."""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from volition.api.custom_systems import Label, SystemProgram
from volition.atomic_files import write_atomically
from volition.checking.explored_model import Recipe
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import StateSpace, System
from volition.kernel.array_file import corrupt_file_error
from volition.kernel.header_schema import (
    AnySchema,
    DictSchema,
    ListSchema,
    NullSchema,
    RecordSchema,
    Shape,
    TextSchema,
    UnionSchema,
    fits,
)
from volition.kernel.snapshot import SavedSpace, encode_space, open_saved_space
from volition.languages import load
from volition.languages.common.provenance import Provenance, provenance_of
from volition.languages.protocols import Program
from volition.logic import parse
from volition.logic.printing import formula_text
from volition.logic.syntax import Atom
from volition.reporting.json_values import to_json_value

__all__ = ["SUFFIX", "encode_space_file", "load_space", "require_space_suffix", "save_space"]

SUFFIX = ".vsp"
"""File name suffix of saved state spaces."""

_FILE = RecordSchema({"path": TextSchema(), "name": TextSchema(), "text": TextSchema()})
_PROGRAM = RecordSchema(
    {
        "folder": TextSchema(),
        "path": TextSchema(),
        "settings": DictSchema(TextSchema()),
        "files": ListSchema(_FILE),
        "sha256": TextSchema(),
    }
)
_HEADER: Mapping[str, Shape] = {
    "volition": TextSchema(),
    "language": TextSchema(),
    "program": UnionSchema((NullSchema(), _PROGRAM)),
    "observed": ListSchema(TextSchema()),
    "slot_values": DictSchema(ListSchema(AnySchema())),
}


def save_space(space: StateSpace, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Write an explored state space, with its program, into a file: ``volition explore --save``.

    Raise :class:`InputError` if the file exists and ``overwrite`` is not set, or if the state space
    cannot be saved.
    """
    file = Path(path)
    require_space_suffix(file)
    content = encode_space_file(space)
    if file.exists() and not overwrite:
        raise InputError(
            [
                Diagnostic(
                    "SPC008",
                    f"'{file}' already exists",
                    hint="choose another name, or give overwrite=True",
                )
            ]
        )
    try:
        write_atomically({file: content})
    except OSError as error:
        raise InputError(
            [Diagnostic("SPC010", f"cannot write '{file}': {error.strerror or error}")]
        ) from None


def require_space_suffix(path: Path) -> None:
    """Raise :class:`InputError` if the file name does not have the suffix of saved state spaces."""
    if path.suffix != SUFFIX:
        hint = f"such as '{path.stem or 'space'}{SUFFIX}'"
        raise InputError(
            [
                Diagnostic(
                    "SPC011",
                    f"the file name '{path}' does not end in {SUFFIX}",
                    hint=hint,
                )
            ]
        )


def encode_space_file(space: StateSpace) -> Iterator[bytes | memoryview]:
    """Yield the content of the file for a state space, in chunks; raise :class:`InputError` if the
    state space cannot be saved."""
    recipe = space.system_factory
    if not isinstance(recipe, Recipe):
        message, hint = (
            "the program behind this state space is not known",
            "explore the program, not its system",
        )
        raise InputError([Diagnostic("API014", message, hint=hint)])
    return encode_space(space, _header(space, recipe))


def _header(space: StateSpace, recipe: Recipe) -> dict[str, Any]:
    provenance = provenance_of(recipe.program)
    return {
        "format": "volition state space",
        "volition": _version(),
        "language": recipe.program.language,
        "program": None
        if provenance is None
        else provenance.as_json() | {"sha256": _digest(provenance)},
        "observed": [formula_text(each) for each in recipe.observed],
        "slot_values": {
            slot: [_value_text(each) for each in space.column(slot)[1]]
            for slot in space.system.slots
        },
    }


def _value_text(value: object) -> Any:
    """Return the value of a slot as JSON data, for people and programs that read the file without
    Volition. Volition itself does not read this text."""
    try:
        return to_json_value(value)
    except RecursionError:
        return type(value).__name__


def _version() -> str:
    return str(importlib.import_module("volition").__version__)


def _digest(provenance: Provenance) -> str:
    """Return one checksum of all source files of a program."""
    digest = hashlib.sha256()
    for path, source in sorted(provenance.files.items()):
        for part in (path, source.text):
            digest.update(hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest())
    return digest.hexdigest()


def load_space(
    path: str | os.PathLike[str],
    program: Program | System | None = None,
    *,
    labels: Mapping[str, Label] | None = None,
    trust: bool | None = None,
) -> StateSpace:
    """Load a state space from a file, without exploring. It can be used instead of a program, as in
    ``check(load_space(path))``.

    The file also contains the program as it was when it was explored. A program that could not be
    saved, such as a user-defined system, must be given again as ``program``, with ``labels`` for
    the propositions of a system. ``trust`` allows the program to run code that it brings, as in
    :func:`load`.

    Raise :class:`InputError` if the file is damaged, newer than this version, or not a state space,
    and if the program no longer behaves as it did.
    """
    saved = open_saved_space(Path(path))
    wrong = [
        name
        for name, shape in _HEADER.items()
        if name not in saved.header or not fits(saved.header[name], shape)
    ]
    if wrong:
        raise corrupt_file_error(
            saved.path, f"'{wrong[0]}' in its header is missing or has a wrong type"
        )
    try:
        known, warnings = (
            (_program_in(saved, trust), _staleness_warnings(saved))
            if program is None
            else (program, ())
        )
        observed = _observed(saved.header["observed"])
        meant = SystemProgram(known, labels or {}) if isinstance(known, System) else known
        recipe = Recipe(meant, observed, warnings=warnings)
        space = saved.attach_system(
            recipe(), surely=program is None and saved.header["volition"] == _version()
        )
    except (ValueError, KeyError, TypeError):
        raise corrupt_file_error(saved.path, "its header is invalid") from None
    space.system_factory = recipe
    return space


def _provenance(saved: SavedSpace) -> Provenance:
    if saved.header["program"] is None:
        message = f"the saved state space '{saved.path}' does not contain its program"
        raise InputError(
            [
                Diagnostic(
                    "SPC006",
                    message,
                    hint="give the program too, from Python: load_space(path, program)",
                )
            ]
        )
    provenance = Provenance.from_json(saved.header["program"])
    if _digest(provenance) != saved.header["program"]["sha256"]:
        raise corrupt_file_error(saved.path, "the program in it is not the one that was explored")
    return provenance


def _program_in(saved: SavedSpace, trust: bool | None) -> Program:
    provenance = _provenance(saved)
    try:
        program: Program = provenance.reload(
            saved.path, lambda copy, settings: load(copy, settings, trust=trust)
        )
    except OSError:
        raise corrupt_file_error(saved.path, "the program in it cannot be unpacked") from None
    return program


def _staleness_warnings(saved: SavedSpace) -> tuple[Diagnostic, ...]:
    """Return a warning for each source file of the program that has changed since its states were
    saved. Only files in the folder of the saved state space, or below, are compared."""
    hint = (
        f"answers are about the program in '{saved.path}'; explore the program again to check the "
        "current version"
    )
    return tuple(
        Diagnostic(
            "SPC009",
            f"the program file '{path}' has changed since the states were saved",
            hint=hint,
            severity="warning",
        )
        for path in _provenance(saved).changed_within(saved.path.parent)
    )


def _observed(texts: Sequence[str]) -> tuple[Atom, ...]:
    """Parse the texts of the atoms for which a saved state space has history variables; raise
    :class:`ValueError` if a text is not an atom."""
    try:
        found = [parse(text) for text in texts]
    except InputError:
        raise ValueError from None
    if not all(isinstance(each, Atom) for each in found):
        raise ValueError
    return tuple(each for each in found if isinstance(each, Atom))
