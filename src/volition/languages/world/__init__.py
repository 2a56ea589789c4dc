"""Worlds: environments of agents, described in one small declarative language for all agent
languages.

``docs/reference/world.md`` describes the language.
:class:`~volition.languages.world.interface.World` is the interface to the agent languages, and the
base class of worlds written in Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from volition.diagnostics import Diagnostics, Source, Span
from volition.languages.common.settings import report_unknown
from volition.languages.world.grammar import read_world
from volition.languages.world.interface import (
    EmptyWorld,
    PlaceholderWorld,
    World,
    WorldTransition,
    failed_outcome,
)
from volition.languages.world.names import check_names, words_in
from volition.languages.world.python_world import PythonWorld
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.terms import Term

__all__ = [
    "DeclaredWorld",
    "EmptyWorld",
    "PlaceholderWorld",
    "PythonWorld",
    "World",
    "WorldTransition",
    "failed_outcome",
    "load_world",
]


def load_world(
    source: Source,
    agents: Sequence[str],
    settings: Mapping[str, tuple[Term, Span | None]],
    diagnostics: Diagnostics,
    *,
    options: Sequence[str] = (),
    beside: Iterable[Source] | None = None,
) -> DeclaredWorld:
    """Return the world declared in a world file. Errors are added to ``diagnostics``.

    ``settings`` override parameter values; each has its value and its span. ``options`` are the
    names of settings that are not parameters of the world, used in the hint for a misspelt
    parameter. ``beside`` are the texts of the agents and the project. Only if they are given, the
    world is checked for unused and misspelt names.
    """
    tree = read_world(source, diagnostics)
    declared = [each.name for each in tree.parameters]
    for name, (_, span) in settings.items():
        if name not in declared:
            report_unknown(
                "WLD003",
                f"unknown parameter '{name}'",
                name,
                [*declared, *options],
                diagnostics,
                span,
            )
    world = DeclaredWorld.from_tree(
        tree, agents, {name: value for name, (value, _) in settings.items()}, diagnostics
    )
    if beside is not None and not diagnostics.errors:
        check_names(tree, agents, world.parameters.values(), words_in(beside), diagnostics)
    return world
