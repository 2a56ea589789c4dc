"""Values of the parameters of a world: those in its file, unless settings override them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction

from volition.diagnostics import Diagnostics, InputError
from volition.languages.world.conditions import EvaluationScope, evaluate
from volition.languages.world.interface import World
from volition.languages.world.property_terms import term_of
from volition.languages.world.syntax import WorldTree
from volition.languages.world.terms import Term, is_ground, number
from volition.logic.numbers import exact_number
from volition.logic.parsing.term_parser import arguments_in

__all__ = [
    "collect_errors",
    "given_value",
    "numeric_parameters",
    "parameter_values",
    "with_numeric_parameters",
]


def numeric_parameters(world: World) -> Mapping[str, Fraction]:
    """Return the values of a world's numeric parameters, which a parameter sweep can vary, by
    name."""
    return {
        name: Fraction(value)
        for name, value in world.parameters.items()
        if isinstance(value, int | Fraction)
    }


def with_numeric_parameters(world: World, values: Mapping[str, Fraction]) -> World:
    """Return the world with the given values for some of its numeric parameters.

    Raise :class:`InputError` if a value is not allowed.
    """
    return world.with_parameters({name: number(value) for name, value in values.items()})


def parameter_values(
    tree: WorldTree, agents: Sequence[str], given: Mapping[str, Term], diagnostics: Diagnostics
) -> dict[str, Term]:
    """Return the value of each parameter of a world, in the order of the file. A parameter may
    depend on those before it.

    ``given`` values override those of the file. Errors are added to ``diagnostics``.
    """
    values: dict[str, Term] = {}
    for each in tree.parameters:
        scope = EvaluationScope(values, agents, {}, lambda _, __: (), {})
        with collect_errors(diagnostics):
            values[each.name] = (
                given[each.name]
                if each.name in given
                else evaluate(each.value, scope, {}, each.span)
            )
    return values


def given_value(text: str) -> Term | None:
    """Return the value that the text of a setting gives a parameter: a number such as ``0.5`` or
    ``1/3``, or a ground term. Return None if the text is neither."""
    exact = exact_number(text)
    if exact is not None:
        return number(exact)
    written = arguments_in(text)
    try:
        term = term_of(written[0]) if len(written) == 1 else None
    except InputError:
        return None
    return term if term is not None and is_ground(term) else None


@contextmanager
def collect_errors(diagnostics: Diagnostics) -> Iterator[None]:
    """Add errors raised inside the ``with`` block to ``diagnostics``."""
    try:
        yield
    except InputError as error:
        diagnostics.extend(error.diagnostics)
