"""Reader of ontologies (``.ont``): classes ``>``, subclasses ``>>``, attributes ``@`` (Machine
Ontology Language, Izzo, Fig. 2.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from volition.diagnostics import Diagnostics, Source, did_you_mean
from volition.languages.lisa.grammar import StatementReader
from volition.languages.lisa.syntax import Sentence

__all__ = ["BASIC_TYPES", "Ontology", "OntologyClass", "read_ontology"]

BASIC_TYPES = (
    "boolean",
    "integer",
    "matrix",
    "number",
    "object",
    "real",
    "scalar",
    "string",
    "text",
    "vector",
)

_LINE = re.compile(r"[^\n]+")
# Possessive quantifiers prevent backtracking, which would take time polynomial in the length of a
# line.
_CLASS_NAME = r"((?:[^@:>\s]++(?:\s++(?=[^@:>\s]))?+)++)"
_NAME = r"((?:[^@:\s]++(?:\s++(?=[^@:\s]))?+)++)"
_CLASS = re.compile(rf"\s*+(>++)\s*+{_CLASS_NAME}\s*+")
_ATTRIBUTE = re.compile(rf"\s*+@\s*+{_NAME}\s*+:\s*+{_NAME}\s*+")


@dataclass(frozen=True, slots=True)
class OntologyClass:
    sentence: Sentence
    parent: str | None
    attributes: dict[str, Sentence] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ontology:
    """Classes of a project's ontology, by name."""

    classes: dict[str, OntologyClass] = field(default_factory=dict)

    def knows(self, class_name: str) -> bool:
        return class_name in self.classes or class_name in BASIC_TYPES

    def names(self) -> list[str]:
        """Return the names of all classes and basic types as written in the ontology file."""
        return [each.sentence.text for each in self.classes.values()] + list(BASIC_TYPES)

    def is_a(self, class_name: str, ancestor: str) -> bool:
        """Return whether the class ``class_name`` is ``ancestor`` or a subclass of it."""
        current: str | None = class_name
        while current is not None and current != ancestor:
            current = self.classes[current].parent if current in self.classes else None
        return current == ancestor


def read_ontology(source: Source, diagnostics: Diagnostics) -> Ontology:
    """Return the classes that an ontology file declares; errors go to ``diagnostics``."""
    ontology = Ontology()
    statements = StatementReader(source, diagnostics)
    path: list[str] = []
    """The class of the current line and its ancestors, outermost first."""
    for line in _LINE.finditer(statements.text):
        if not line[0].strip():
            continue
        if match := _CLASS.fullmatch(statements.text, *line.span()):
            _declare(
                ontology, path, len(match[1]), statements.sentence(*match.span(2)), diagnostics
            )
        elif (match := _ATTRIBUTE.fullmatch(statements.text, *line.span())) and path:
            attributes = ontology.classes[path[-1]].attributes
            if match[1] in attributes:
                message = (
                    f"the class '{ontology.classes[path[-1]].sentence.text}' already has the "
                    f"attribute '{match[1]}'"
                )
                diagnostics.error(
                    "LIS034", message, source.span(*match.span(1)), hint="remove one of them"
                )
            attributes[match[1]] = statements.sentence(*match.span(2))
        else:
            hint = (
                "write an attribute below its class"
                if match
                else "write '>class', '>>subclass' or '@attribute: type'"
            )
            diagnostics.error(
                "LIS030", "expected a class or an attribute", source.span(*line.span()), hint=hint
            )
    for each in ontology.classes.values():
        for attribute, type_name in each.attributes.items():
            if not ontology.knows(type_name.name):
                message = (
                    f"the attribute '{attribute}' of '{each.sentence.text}' has an unknown "
                    f"type '{type_name.text}'"
                )
                diagnostics.error(
                    "LIS033",
                    message,
                    type_name.span,
                    hint=did_you_mean(type_name.text, ontology.names()),
                )
    return ontology


def _declare(
    ontology: Ontology, path: list[str], depth: int, sentence: Sentence, diagnostics: Diagnostics
) -> None:
    if depth > len(path) + 1:
        diagnostics.error(
            "LIS031", f"'{'>' * depth}' needs a class '{'>' * (depth - 1)}' above it", sentence.span
        )
    del path[depth - 1 :]
    if sentence.name in ontology.classes:
        diagnostics.error("LIS032", f"the class '{sentence.text}' is declared twice", sentence.span)
    else:
        ontology.classes[sentence.name] = OntologyClass(sentence, path[-1] if path else None)
    path.append(sentence.name)
