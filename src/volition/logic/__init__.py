"""Formulas: one property language for all programs (see ``docs/logic.md``)."""

from volition.logic.parser import MODALITIES, parse
from volition.logic.printing import show
from volition.logic.propertyfile import StatedProperty, read_properties
from volition.logic.tree import atoms, expand_agents, leaves, text_place

__all__ = [
    "MODALITIES",
    "StatedProperty",
    "atoms",
    "expand_agents",
    "leaves",
    "parse",
    "read_properties",
    "show",
    "text_place",
]
