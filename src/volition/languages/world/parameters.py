"""The values of a world's parameters: what its file says, unless somebody outside says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from volition.diagnostics import Diagnostics, InputError
from volition.languages.world.conditions import Scene, evaluate
from volition.languages.world.syntax import WorldTree
from volition.languages.world.terms import Term

__all__ = ["collected", "parameter_values"]


def parameter_values(tree: WorldTree, agents: Sequence[str], given: Mapping[str, Term], diagnostics: Diagnostics) -> dict[str, Term]:
    """The value of each parameter in the order of the file; one may be computed from those before it.

    ``given`` values replace those of the file.  What has no value goes to ``diagnostics``.
    """
    values: dict[str, Term] = {}
    for each in tree.parameters:
        scene = Scene(values, agents, {}, lambda _, __: (), {})
        with collected(diagnostics):
            values[each.name] = given[each.name] if each.name in given else evaluate(each.value, scene, {}, each.span)
    return values


@contextmanager
def collected(diagnostics: Diagnostics) -> Iterator[None]:
    """Reports what goes wrong inside with everything else."""
    try:
        yield
    except InputError as error:
        diagnostics.extend(error.diagnostics)
