"""Loading of worlds from files: declared worlds, and worlds in Python, which need the user's
consent."""

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
    """Return the world in a file, either a world file or a Python file, and the sources read for
    it. If the world has errors that prevent its use, return a placeholder.

    - A Python world is an instance of ``class_name``; its errors have the code ``code``.
    - ``options`` are the names of settings that are not parameters of the world, used in the hint
      for a misspelt parameter.
    - ``beside`` are the texts of the agents and the project. Only if they are given, the world is
      checked for unused and misspelt names.
    - If ``plain_for`` is the name of a language, failing actions and strong negation are reported
      as
      errors, because that language does not have them.
    """
    if path.suffix == ".py":
        values = {name: value for name, (value, _) in parameters.items()}
        world = _python_world(code, path, class_name, agents, values, diagnostics, span)
        return world if plain_for is None else world.restricted_for(plain_for, diagnostics), ()
    source = read_source(path)
    declared = load_world(source, agents, parameters, diagnostics, options=options, beside=beside)
    world = declared if plain_for is None else declared.restricted_for(plain_for, diagnostics)
    has_syntax_errors = any(each.code == "WLD001" for each in diagnostics)
    return PlaceholderWorld(agents, {}) if has_syntax_errors else world, (source,)


def _python_world(
    code: str,
    path: Path,
    class_name: str | None,
    agents: Sequence[str],
    parameters: Mapping[str, Term],
    diagnostics: Diagnostics,
    span: Span | None,
) -> World:
    """Return an instance of the named world class in a Python file."""
    hint = (
        f"write world = {path.name}:ClassName, where ClassName derives from "
        "volition.languages.world.World"
    )
    try:
        require_trust(path, span)
        user_code = UserCode(read_source(path))
        with user_code.guard(code, f"'{path.name}'", hint=hint):
            found = runpy.run_path(str(path)).get(class_name or "")
        if isinstance(found, type) and issubclass(found, World):
            with user_code.guard(code, f"{class_name}.__init__", hint=hint):
                world = found(agents, parameters)
            return _guarded(world, user_code, diagnostics)
        diagnostics.error(
            code, f"'{path.name}' has no world class '{class_name or ''}'", span, hint=hint
        )
    except InputError as error:
        diagnostics.extend(error.diagnostics)
    return PlaceholderWorld(agents, {})


def _guarded(world: World, code: UserCode, diagnostics: Diagnostics) -> World:
    guarded = PythonWorld(world, code)
    try:
        guarded.slots  # noqa: B018
    except InputError as error:
        diagnostics.extend(error.diagnostics)
    return guarded
