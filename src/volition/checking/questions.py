"""Formulas to be asked, with what their authors expect of the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from volition.checking.expectations import Expectation, read_expectation
from volition.checking.graph.propositions import remarks
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.languages.model import Program
from volition.logic import StatedProperty, expand_agents, parse, show
from volition.logic.syntax import Formula

__all__ = ["Question", "doubts_about", "read_questions"]


@dataclass(frozen=True, slots=True)
class Question:
    """A formula with what its author says about it; ``expected`` is as written."""

    formula: Formula
    text: str
    name: str | None = None
    expected: str | None = None
    expectation: Expectation | None = None


def read_questions(
    formulas: Iterable[str | Formula | StatedProperty], warnings: Diagnostics, mistakes: Diagnostics | None = None
) -> list[Question]:
    """Formulas parsed, with their expectations.

    What is wrong with the others goes to ``mistakes``, or is raised as one :class:`InputError`.
    """
    found = Diagnostics()
    questions = []
    for each in formulas:
        try:
            questions.append(_question(each, warnings))
        except InputError as error:
            found.extend(error.diagnostics)
    if mistakes is None:
        found.raise_errors()
    else:
        mistakes.extend(found)
    return questions


def doubts_about(program: Program, formulas: Iterable[Formula]) -> Iterator[Diagnostic]:
    """Warnings of the program's language about formulas."""
    model = program.model()
    for formula in formulas:
        yield from (each for each in remarks(model, expand_agents(formula, model.agents)) if each.severity == "warning")


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
