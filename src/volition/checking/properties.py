"""Formulas to be asked, with what their authors expect of the answers (see
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
    """An expected result that answers are compared with."""

    def is_met_by(self, verdict: Verdict) -> bool | None:
        """Whether the answer is as expected; None if there is no answer."""
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
    """The expectation in words; raises :class:`InputError` with the given place if it is none."""
    result = read_result(text, span)
    return Expectation(result.truth, result.number, result.tolerance)


@dataclass(frozen=True, slots=True)
class Property:
    """A formula with what its author says about it; ``expected`` is as written."""

    formula: Formula
    text: str
    name: str | None = None
    expected: str | None = None
    expectation: Expectation | None = None


PropertyLike = str | Formula | UnparsedProperty | Property
"""One property: a text, with its expected result if it states one; or what such a text was read as,
which is not read again."""


def parse_properties(
    formulas: Iterable[PropertyLike], warnings: Diagnostics, errors: Diagnostics | None = None
) -> list[Property]:
    """Formulas parsed, with their expectations.

    What is wrong with the others goes to ``mistakes``, or is raised as one :class:`InputError`.
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
    """Warnings of the program's language about formulas."""
    model = program.model()
    said = [
        each
        for formula in formulas
        for each in formula_diagnostics(model, expand_agents(formula, model.agents))
    ]
    return [each for each in said if each.severity == "warning"]


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
        # The file says it in other words, such as a sentence, and its language made a formula of
        # them.
        formula = parse(given.meaning or given.text, diagnostics=warnings)
    expectation = None if given.expected is None else read_expectation(given.expected, given.span)
    return Property(formula, given.text, given.name, given.expected, expectation)
