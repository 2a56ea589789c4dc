"""Registry of the languages that Volition reads, and :func:`load`, which selects the language by
the name of a file or folder.

A language is a package with a function ``load(path, settings) -> Program``. It is built in or
registered with :func:`register_language`. Its package is imported when the first program in that
language is read, so that unused grammars do not cost start-up time.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

from volition.diagnostics import InputError, at_settings
from volition.languages.common.deadline import in_time
from volition.languages.common.provenance import Provenance, attach_provenance
from volition.languages.common.trust import (
    FULL_TRUST,
    io_errors_as_input_errors,
    loading,
    raise_file_error,
    raise_missing_file,
    read_source,
    with_trust,
)

if TYPE_CHECKING:
    from volition.languages.protocols import Program

__all__ = [
    "LANGUAGES",
    "Language",
    "find_programs",
    "io_errors_as_input_errors",
    "language_of",
    "load",
    "read_source",
    "register_language",
    "registered_languages",
]


@dataclass(frozen=True, slots=True)
class Language:
    """Language that Volition reads: its name, the Python package that reads it, and how its
    programs are recognised.

    - ``package`` is the Python package with the language's function ``load``.
    - ``suffix`` is the ending of the names of its files.
    - ``is_folder`` is set if a program is a folder that contains a project file, that is, a file
      that ends in ``suffix``. The path of the project file also identifies the program.
    - ``multi_file`` is set if several project files in one folder form one program.
    - ``standalone_file`` is set if a file that ends in ``suffix`` may also be part of a project of
      another language. Such a file is a program of its own only if it is not part of a project.
    """

    name: str
    package: str
    suffix: str
    is_folder: bool = False
    multi_file: bool = False
    standalone_file: bool = False


LANGUAGES = (
    Language("CAN", "volition.languages.can", ".can"),
    Language("Dribble", "volition.languages.dribble", ".dribble"),
    Language("LISA", "volition.languages.lisa", ".sej", is_folder=True, multi_file=True),
    Language("AgentSpeak(F)", "volition.languages.agentspeak", ".mas", is_folder=True),
    Language("Gwendolen", "volition.languages.gwendolen", ".gwendolen", is_folder=True),
    Language("Gwendolen", "volition.languages.gwendolen", ".gwen"),
    Language("EASS", "volition.languages.gwendolen", ".eass"),
    Language("Gwendolen", "volition.languages.gwendolen", ".ail"),
    Language("Jason", "volition.languages.jason", ".mas2j", is_folder=True),
    Language("Jason", "volition.languages.jason", ".asl", standalone_file=True),
)

_registered: list[Language] = []


def register_language(language: Language) -> None:
    """Add a language to the registry, beside the built-in :data:`LANGUAGES`. Afterwards
    :func:`load` reads its programs too.

    Raises :class:`ValueError` if another language has the same suffix. Registering the same
    language twice has no effect.
    """
    other = next(
        (each for each in registered_languages() if each.suffix == language.suffix), language
    )
    if other != language:
        raise ValueError(f"programs that end in {language.suffix} are {other.name} already")
    if language not in _registered:
        _registered.append(language)


def registered_languages() -> tuple[Language, ...]:
    """Return the built-in languages, then those added with :func:`register_language`."""
    return (*LANGUAGES, *_registered)


def load(
    path: str | os.PathLike[str],
    settings: Mapping[str, object] | None = None,
    *,
    trust: bool | None = None,
) -> Program:
    """Read and check the program at ``path``.

    ``settings`` are the program's parameters and the options of its language, as text or numbers.
    ``trust`` allows the program to run the Python code it comes with (such as a world) and to read
    files outside its folder. Without it, both are refused, unless the call is inside a ``with``
    block of :func:`volition.languages.common.trust.with_trust` that allows them. Raises
    :class:`InputError` with all errors in the program, its path or its settings.
    """
    path = Path(path)
    if settings is not None and not isinstance(settings, Mapping):
        raise_file_error(
            "LNG011",
            f"settings must be a mapping from names to values, got {settings!r}",
            'give a dictionary, such as {"pe": 0.2}',
        )
    given = {name: str(value) for name, value in (settings or {}).items()}
    with (
        with_trust(FULL_TRUST) if trust else nullcontext(),
        io_errors_as_input_errors(path),
        loading(path) as files,
    ):
        package = importlib.import_module(language_of(path).package)
        with in_time(f"reading '{path}'"):
            try:
                program = cast("Program", package.load(path, given))
            except InputError as error:
                raise at_settings(
                    error, given, lambda settings: _loads(package, path, settings), "<set>"
                ) from None
    attach_provenance(program, Provenance.of(path, given, files))
    return program


def _loads(package: ModuleType, path: Path, settings: Mapping[str, str]) -> bool:
    try:
        package.load(path, settings)
    except InputError:
        return False
    return True


def language_of(path: Path) -> Language:
    """Return the language of a program file or project folder.

    Raises :class:`InputError` if the path is not a program of any language, or if a folder contains
    more than one project.
    """
    if not path.exists():
        raise_missing_file(path)
    if not path.is_dir():
        found = [language for language in registered_languages() if path.suffix == language.suffix]
        if not found:
            raise_file_error(
                "LNG002",
                f"'{path}' is not a known program type",
                f"programs are {_language_overview()}",
            )
        heads = _enclosing_projects(path) if found[0].standalone_file else []
        if heads and all(other.package != found[0].package for _, other in heads):
            raise_file_error(
                "LNG014",
                f"'{path}' is not a program by itself: it belongs to the project '{heads[0][0]}'",
                "choose the project instead",
            )
        return found[0]
    heads = _project_main_files(path)
    if not heads:
        inside = [each for each in sorted(path.iterdir()) if _is_program(each)]
        hint = (
            f"choose one of its programs, such as '{inside[0]}'"
            if inside
            else f"programs are {_language_overview()}"
        )
        raise_file_error("LNG003", f"the folder '{path}' is not a project", hint)
    if len(heads) > 1:
        names = ", ".join(f"'{head.name}'" for head, _ in heads)
        raise_file_error(
            "LNG003",
            f"the folder '{path}' contains more than one project: {names}",
            f"choose one of them, such as '{heads[0][0]}'",
        )
    return heads[0][1]


def find_programs(folder: Path) -> list[Path]:
    """Return every program in a folder and its subfolders, sorted by name. A project folder counts
    as one program.

    Links that lead out of the folder are not followed.
    """
    if not folder.exists():
        raise_missing_file(folder)
    return list(_programs_in(folder))


def _programs_in(root: Path) -> Iterator[Path]:
    """Yield the paths of the programs in the folder ``root`` and its subfolders. Each folder is
    visited once, however many links lead to it, and folders outside ``root`` are skipped."""
    real_root, visited = Path(os.path.realpath(root)), set[Path]()
    waiting = [(root, False)]
    while waiting:
        path, in_project = waiting.pop()
        real = Path(os.path.realpath(path))
        if path.is_dir() and (real in visited or not real.is_relative_to(real_root)):
            continue
        if not path.is_dir() or len(_project_main_files(path)) == 1:
            yield path
            continue
        visited.add(real)
        in_project = in_project or bool(_project_main_files(path))
        inside = [
            each
            for each in path.iterdir()
            if each.is_dir()
            or (_is_program(each) and not (in_project and _has_standalone_suffix(each)))
        ]
        waiting += [(each, in_project) for each in sorted(inside, reverse=True)]


def _is_program(path: Path) -> bool:
    """Return whether a path looks like a program: it is a file with the suffix of a registered
    language, or a folder that contains exactly one project."""
    if path.is_dir():
        return os.access(path, os.R_OK) and len(_project_main_files(path)) == 1
    return any(path.suffix == language.suffix for language in registered_languages())


def _has_standalone_suffix(path: Path) -> bool:
    """Return whether a file with the suffix of this path may be either a program of its own or part
    of a project: its language has ``standalone_file`` set, see :class:`Language`."""
    return any(
        path.suffix == language.suffix and language.standalone_file
        for language in registered_languages()
    )


def _project_main_files(folder: Path) -> list[tuple[Path, Language]]:
    """Return pairs of a project file in a folder and its language. A project file is a file whose
    suffix makes its folder a project, such as ``.mas``.

    If several project files of the folder form one program, only the first is returned.
    """
    projects = [language for language in registered_languages() if language.is_folder]
    found = [
        (entry, language)
        for entry in sorted(folder.iterdir())
        for language in projects
        if entry.suffix == language.suffix
    ]
    first = {language: entry for entry, language in reversed(found)}
    return [
        (entry, language)
        for entry, language in found
        if not language.multi_file or first[language] == entry
    ]


def _enclosing_projects(path: Path) -> list[tuple[Path, Language]]:
    """Return the projects that a file may be part of, as pairs of a project file and its language.

    These are the projects in the file's folder that mention the file by name in their project file.
    If no project file mentions it, all projects in the folder are returned.
    """
    heads, name = _project_main_files(path.parent), re.compile(rf"\b{re.escape(path.stem)}\b")
    return [each for each in heads if name.search(each[0].read_text(errors="replace"))] or heads


def _language_overview() -> str:
    """Return the names of all languages, each with the suffixes of its programs, as one text for a
    hint."""
    suffixes: dict[str, list[str]] = {}
    for each in registered_languages():
        suffixes.setdefault(each.name, []).append(
            f"{each.suffix}{' or its folder' if each.is_folder else ''}"
        )
    return ", ".join(f"{name} ({', '.join(several)})" for name, several in suffixes.items())
