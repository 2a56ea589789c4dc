"""The properties that a program carries, wherever its language puts them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from volition.diagnostics import Diagnostics, Source
from volition.logic.reading.property_file import StatedProperty, read_properties, refuse_results

__all__ = ["Wording", "as_formulas", "stated_properties"]

Wording = Callable[[StatedProperty, Diagnostics], StatedProperty | None]
"""How a language reads its sentences: see :meth:`volition.languages.model.WordedProgram.as_formula`."""


def stated_properties(
    source: Source, places: Iterable[tuple[int, int]], diagnostics: Diagnostics, *, indented: bool = False, wording: Wording | None = None
) -> tuple[StatedProperty, ...]:
    """The properties in some places of a program, from the first one on; an expected result anywhere else is refused.

    With ``indented``, a line that begins with a space goes on with the property above it.  ``wording`` is for a language that has
    sentences for properties.
    """
    properties: list[StatedProperty] = []
    last = 0
    for start, end in places:
        refuse_results(source, diagnostics, start=last, end=start)
        properties += read_properties(source, start=start, end=end, indented=indented, diagnostics=diagnostics)
        last = end
    refuse_results(source, diagnostics, start=last)
    return as_formulas(properties, wording, diagnostics)


def as_formulas(stated: Iterable[StatedProperty], wording: Wording | None, diagnostics: Diagnostics) -> tuple[StatedProperty, ...]:
    """The properties with formulas in the place of sentences; sentences that are not known go to ``diagnostics``."""
    if wording is None:
        return tuple(stated)
    return tuple(formula for each in stated if (formula := wording(each, diagnostics)) is not None)
