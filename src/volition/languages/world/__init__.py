"""Worlds: the environments in which agents act, in one small declarative language for all agent languages.

``docs/world.md`` shows the language; :class:`~volition.languages.world.interface.World` is what agents' languages see of a world,
and what a world written in Python derives from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from volition.diagnostics import Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.world.checks import check_world
from volition.languages.world.conditions import Scene, evaluate
from volition.languages.world.grammar import read_world
from volition.languages.world.interface import Move, NoWorld, UnknownWorld, World
from volition.languages.world.python_world import PythonWorld
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.terms import Term

__all__ = ["DeclaredWorld", "Move", "NoWorld", "PythonWorld", "UnknownWorld", "World", "load_world"]


def load_world(
    source: Source,
    agents: Sequence[str],
    settings: Mapping[str, tuple[Term, Span | None]],
    diagnostics: Diagnostics,
    *,
    options: Sequence[str] = (),
) -> DeclaredWorld:
    """The world in a file; ``settings`` replace values of its parameters, each with its place.  Mistakes go to ``diagnostics``.

    ``options`` are what else can be set, of which whoever misspells a parameter should know.
    """
    tree = read_world(source, diagnostics)
    declared = [each.name for each in tree.parameters]
    for name, (_, place) in settings.items():
        if name not in declared:
            known = [*declared, *options]
            hint = did_you_mean(name, known) or f"there are {', '.join(known)}"
            diagnostics.error("WLD003", f"the world has no parameter '{name}'", place, hint=hint)
    parameters: dict[str, Term] = {}
    for each in tree.parameters:
        scene = Scene(parameters, agents, {}, lambda _, __: (), {})
        with _collected(diagnostics):
            parameters[each.name] = settings[each.name][0] if each.name in settings else evaluate(each.value, scene, {}, each.span)
    check_world(tree, agents, parameters, diagnostics)
    world = DeclaredWorld(tree, agents, parameters)
    if not diagnostics.errors:
        with _collected(diagnostics):
            world.slots  # noqa: B018, what is wrong with the initial values is told here, too
    return world


@contextmanager
def _collected(diagnostics: Diagnostics) -> Iterator[None]:
    """Reports what goes wrong inside with everything else."""
    try:
        yield
    except InputError as error:
        diagnostics.extend(error.diagnostics)
