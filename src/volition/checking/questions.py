"""Formulas to be asked, with what their authors expect of the answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from volition.checking.expectations import Expectation, read_expectation
from volition.diagnostics import Diagnostics, InputError
from volition.logic import StatedProperty, parse, show
from volition.logic.syntax import Formula

__all__ = ["Question", "read_questions"]


@dataclass(frozen=True, slots=True)
class Question:
    """A formula with what its author says about it; ``expected`` is as written."""

    formula: Formula
    text: str
    name: str | None = None
    expected: str | None = None
    expectation: Expectation | None = None


def read_questions(formulas: Iterable[str | Formula | StatedProperty], warnings: Diagnostics) -> list[Question]:
    """Formulas parsed, with their expectations; raises one :class:`InputError` for all mistakes."""
    mistakes = Diagnostics()
    questions = []
    for each in formulas:
        try:
            questions.append(_question(each, warnings))
        except InputError as error:
            mistakes.extend(error.diagnostics)
    mistakes.raise_errors()
    return questions


def _question(given: str | Formula | StatedProperty, warnings: Diagnostics) -> Question:
    if isinstance(given, str):
        return Question(parse(given, diagnostics=warnings), given)
    if not isinstance(given, StatedProperty):
        return Question(given, show(given))
    if given.text == given.span.text:
        formula = parse(source=given.span.source, start=given.span.start, end=given.span.end, diagnostics=warnings)
    else:
        # The file says it in other words, such as a sentence, and its language made a formula of them.
        formula = parse(given.text, diagnostics=warnings)
    expectation = None if given.expected is None else read_expectation(given.expected, given.span)
    return Question(formula, given.text, given.name, given.expected, expectation)
