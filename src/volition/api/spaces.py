"""State spaces in files, with the program that they belong to: ``explore --save``, and every
command that is given such a file."""

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
    AnyData,
    DictOf,
    Either,
    ListOf,
    Null,
    Record,
    Shape,
    Text,
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
"""How the name of a file with a state space ends."""

_FILE = Record({"path": Text(), "name": Text(), "text": Text()})
_PROGRAM = Record(
    {
        "folder": Text(),
        "path": Text(),
        "settings": DictOf(Text()),
        "files": ListOf(_FILE),
        "sha256": Text(),
    }
)
_HEADER: Mapping[str, Shape] = {
    "volition": Text(),
    "language": Text(),
    "program": Either((Null(), _PROGRAM)),
    "observed": ListOf(Text()),
    "slot_values": DictOf(ListOf(AnyData())),
}


def save_space(space: StateSpace, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Write an explored state space, with the program that it belongs to, into a file: ``volition
    explore --save``.

    Raises :class:`InputError` where the file is there already, unless it may be overwritten, and
    for a space that cannot be saved.
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
            [Diagnostic("SPC008", f"cannot write '{file}': {error.strerror or error}")]
        ) from None


def require_space_suffix(path: Path) -> None:
    """Raise :class:`InputError` for a name by which nobody would know a state space."""
    if path.suffix != SUFFIX:
        hint = f"such as '{path.stem or 'space'}{SUFFIX}'"
        raise InputError(
            [
                Diagnostic(
                    "SPC008",
                    f"states cannot be saved in '{path}': its name does not end in {SUFFIX}",
                    hint=hint,
                )
            ]
        )


def encode_space_file(space: StateSpace) -> Iterator[bytes | memoryview]:
    """What stands in the file of a space, piece by piece; raises :class:`InputError` for one that
    cannot be saved."""
    recipe = space.system_factory
    if not isinstance(recipe, Recipe):
        message, hint = (
            "the program behind this state space is not known",
            "explore the program, not its system",
        )
        raise InputError([Diagnostic("SPC004", message, hint=hint)])
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
    """The value of a slot for who reads the file; nobody makes it again from this."""
    try:
        return to_json_value(value)
    except RecursionError:
        return type(value).__name__


def _version() -> str:
    return str(importlib.import_module("volition").__version__)


def _digest(provenance: Provenance) -> str:
    """One checksum for all that was read."""
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
    """The state space in a file, without exploring anything; it is asked in the place of a program,
    as in ``check(load_space(path))``.

    The program is in the file too, as it was when it was explored; where it was none that could be
    written, such as a system of your own, give the same ``program`` again, and ``labels`` for what
    holds in the states of a system.  ``trust`` lets the program run code that it brings, as in
    :func:`load`.

    Raises :class:`InputError` for a file that is damaged, newer than this version, or no state
    space, and for a program that does not do any more what it did.
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
        raise corrupt_file_error(saved.path, "its header is not as it should be") from None
    space.system_factory = recipe
    return space


def _provenance(saved: SavedSpace) -> Provenance:
    if saved.header["program"] is None:
        message = f"'{saved.path}' does not hold the program that its states belong to"
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
    """Return a warning for each file of the program that was changed since, where it lies beside
    the saved space or below that."""
    hint = (
        f"answers are about the program in '{saved.path}'; explore the program again for the "
        "one that is there now"
    )
    return tuple(
        Diagnostic(
            "SPC009",
            f"'{path}' has changed since its states were saved",
            hint=hint,
            severity="warning",
        )
        for path in _provenance(saved).changed_within(saved.path.parent)
    )


def _observed(texts: Sequence[str]) -> tuple[Atom, ...]:
    """Atoms as they were printed; raises :class:`ValueError` for anything else."""
    try:
        found = [parse(text) for text in texts]
    except InputError:
        raise ValueError from None
    if not all(isinstance(each, Atom) for each in found):
        raise ValueError
    return tuple(each for each in found if isinstance(each, Atom))
