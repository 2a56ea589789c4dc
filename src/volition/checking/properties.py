"""Properties: formulas with the results that their authors expect (see
:mod:`volition.logic.parsing.expected_results`)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from volition.checking.graph.propositions import formula_diagnostics
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, Diagnostics, InputError, Span
from volition.languages.protocols import Program
from volition.logic import UnparsedProperty, expand_agents, formula_text, parse
from volition.logic.parsing.expected_results import ExpectedResult, read_result
from volition.logic.syntax import Formula

__all__ = [
    "Expectation",
    "Property",
    "PropertyLike",
    "formula_warnings",
    "parse_properties",
    "read_expectation",
]


@dataclass(frozen=True, slots=True)
class Expectation(ExpectedResult):
    """Expected result of a property, with the comparison to a verdict."""

    def is_met_by(self, verdict: Verdict) -> bool | None:
        """Return whether the verdict is as expected; None if the verdict is unknown."""
        if verdict.unknown is not None:
            return None
        if self.truth is not None:
            return verdict.holds is self.truth
        if self.number is None or verdict.value is None:
            return False
        if not math.isfinite(verdict.value) or self.number == math.inf:
            return verdict.value == self.number
        return abs(Fraction(verdict.value) - Fraction(self.number)) <= self.tolerance


def read_expectation(text: str, span: Span | None = None) -> Expectation:
    """Return the expected result that a text states. Raise :class:`InputError` at ``span`` if the
    text is not an expected result."""
    result = read_result(text, span)
    return Expectation(result.truth, result.number, result.tolerance)


@dataclass(frozen=True, slots=True)
class Property:
    """Property to check: a formula with its text, name and expected result.

    ``text`` and ``expected`` are as written in the file; ``expectation`` is the parsed
    ``expected``.
    """

    formula: Formula
    text: str
    name: str | None = None
    expected: str | None = None
    expectation: Expectation | None = None


PropertyLike = str | Formula | UnparsedProperty | Property
"""Anything that :func:`parse_properties` accepts: a formula as text, a property as found in a file
with its expected result, or one that is parsed already."""


def parse_properties(
    formulas: Iterable[PropertyLike], warnings: Diagnostics, errors: Diagnostics | None = None
) -> list[Property]:
    """Return the properties with formulas and expected results parsed. Warnings about formulas are
    added to ``warnings``.

    Errors are added to ``errors``, or raised as one :class:`InputError` if ``errors`` is None.
    """
    found = Diagnostics()
    properties = []
    for each in formulas:
        try:
            properties.append(_parse_property(each, warnings))
        except InputError as error:
            found.extend(error.diagnostics)
    if errors is None:
        found.raise_errors()
    else:
        errors.extend(found)
    return properties


def formula_warnings(program: Program, formulas: Iterable[Formula]) -> list[Diagnostic]:
    """Return the warnings of the program's language about formulas."""
    model = program.model()
    diagnostics = [
        each
        for formula in formulas
        for each in formula_diagnostics(model, expand_agents(formula, model.agents))
    ]
    return [each for each in diagnostics if each.severity == "warning"]


def _parse_property(given: PropertyLike, warnings: Diagnostics) -> Property:
    if isinstance(given, Property):
        return given
    if isinstance(given, str):
        return Property(parse(given, diagnostics=warnings), given)
    if not isinstance(given, UnparsedProperty):
        return Property(given, formula_text(given))
    if given.meaning is None and given.text == given.span.text:
        formula = parse(
            source=given.span.source,
            start=given.span.start,
            end=given.span.end,
            diagnostics=warnings,
        )
    else:
        # The file states the property in another notation, such as a sentence. Its language has
        # translated it to a formula.
        formula = parse(given.meaning or given.text, diagnostics=warnings)
    expectation = None if given.expected is None else read_expectation(given.expected, given.span)
    return Property(formula, given.text, given.name, given.expected, expectation)
