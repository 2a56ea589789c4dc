"""Worlds in files: declared ones, and those in Python, which somebody must have allowed to run."""

from __future__ import annotations

import runpy
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from volition.diagnostics import Diagnostics, InputError, Source, Span
from volition.languages import read_source
from volition.languages.common.trust import require_trust
from volition.languages.common.user_code import UserCode
from volition.languages.world import PlaceholderWorld, PythonWorld, World, load_world
from volition.languages.world.terms import Term

__all__ = ["load_world_file"]


def load_world_file(
    code: str,
    path: Path,
    class_name: str | None,
    agents: Sequence[str],
    parameters: Mapping[str, tuple[Term, Span | None]],
    diagnostics: Diagnostics,
    span: Span | None,
    *,
    options: Sequence[str] = (),
    beside: Iterable[Source] | None = None,
    plain_for: str | None = None,
) -> tuple[World, Sequence[Source]]:
    """The world in a file, with what was read for it; in the place of one with mistakes, which go
    to ``diagnostics``, an unknown one.

    ``code`` is that of mistakes in a world in Python, whose class is ``class_name``.  ``options``
    are what else can be set, ``beside`` the texts that may mention names of the world.
    ``plain_for`` names a language that knows neither failing actions nor strong negation.
    """
    if path.suffix == ".py":
        values = {name: value for name, (value, _) in parameters.items()}
        made = _python_world(code, path, class_name, agents, values, diagnostics, span)
        return made if plain_for is None else made.restricted_for(plain_for, diagnostics), ()
    source = read_source(path)
    declared = load_world(source, agents, parameters, diagnostics, options=options, beside=beside)
    world = declared if plain_for is None else declared.restricted_for(plain_for, diagnostics)
    not_all_read = any(each.code == "WLD001" for each in diagnostics)
    return PlaceholderWorld(agents, {}) if not_all_read else world, (source,)


def _python_world(
    code: str,
    path: Path,
    class_name: str | None,
    agents: Sequence[str],
    parameters: Mapping[str, Term],
    diagnostics: Diagnostics,
    span: Span | None,
) -> World:
    """A world written in Python: the class that was named, from that file."""
    hint = (
        f"write world = {path.name}:ClassName, where ClassName derives from "
        "volition.languages.world.World"
    )
    try:
        require_trust(path, span)
        foreign = UserCode(read_source(path))
        with foreign.guard(code, f"'{path.name}'", hint=hint):
            found = runpy.run_path(str(path)).get(class_name or "")
        if isinstance(found, type) and issubclass(found, World):
            with foreign.guard(code, f"{class_name}.__init__", hint=hint):
                made = found(agents, parameters)
            return _guarded(made, foreign, diagnostics)
        diagnostics.error(
            code, f"'{path.name}' has no world class '{class_name or ''}'", span, hint=hint
        )
    except InputError as error:
        diagnostics.extend(error.diagnostics)
    return PlaceholderWorld(agents, {})


def _guarded(world: World, code: UserCode, diagnostics: Diagnostics) -> World:
    watched = PythonWorld(world, code)
    try:
        watched.slots  # noqa: B018
    except InputError as error:
        diagnostics.extend(error.diagnostics)
    return watched
