"""The properties that a program carries, wherever its language puts them."""

from __future__ import annotations

from collections.abc import Iterable

from volition.diagnostics import Diagnostics, Source
from volition.logic.reading.property_file import StatedProperty, read_properties, refuse_results

__all__ = ["stated_properties"]


def stated_properties(
    source: Source, places: Iterable[tuple[int, int]], diagnostics: Diagnostics, *, indented: bool = False
) -> tuple[StatedProperty, ...]:
    """The properties in some places of a program, from the first one on; an expected result anywhere else is refused.

    With ``indented``, a line that begins with a space goes on with the property above it.
    """
    properties: list[StatedProperty] = []
    last = 0
    for start, end in places:
        refuse_results(source, diagnostics, start=last, end=start)
        properties += read_properties(source, start=start, end=end, indented=indented, diagnostics=diagnostics)
        last = end
    refuse_results(source, diagnostics, start=last)
    return tuple(properties)
