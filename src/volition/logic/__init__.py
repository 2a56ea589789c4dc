"""Formulas: one property language for all programs (see ``docs/reference/formulas.md``)."""

from volition.logic.printing import show
from volition.logic.reading.parser import parse
from volition.logic.reading.property_file import StatedProperty, read_properties
from volition.logic.syntax import MODALITIES
from volition.logic.tree import atoms, expand_agents, leaves

__all__ = [
    "MODALITIES",
    "StatedProperty",
    "atoms",
    "expand_agents",
    "leaves",
    "parse",
    "read_properties",
    "show",
]
