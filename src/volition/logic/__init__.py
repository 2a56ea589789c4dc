"""Property language for all agent programming languages: syntax, parsing, printing and automata
(see ``docs/reference/formulas.md``)."""

from volition.logic.parsing.parser import parse
from volition.logic.parsing.property_file import UnparsedProperty, read_properties
from volition.logic.printing import formula_text
from volition.logic.syntax import MODALITIES
from volition.logic.traversal import atomic_formulas, expand_agents, modal_atoms

__all__ = [
    "MODALITIES",
    "UnparsedProperty",
    "atomic_formulas",
    "expand_agents",
    "formula_text",
    "modal_atoms",
    "parse",
    "read_properties",
]
