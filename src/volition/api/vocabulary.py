"""The functions ``vocabulary`` and ``lint_formulas``: return the atoms that formulas about a
program can use, and find errors in formulas without checking them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from volition.api.custom_systems import Label
from volition.api.inputs import Settings, Subject, as_program
from volition.api.property_input import Formulas, parse_with_warnings
from volition.checking.explored_model import explore_for
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel import Limits
from volition.languages.protocols import HasVocabulary

__all__ = ["lint_formulas", "vocabulary"]


def vocabulary(
    program: Subject, *, settings: Settings | None = None, labels: Mapping[str, Label] | None = None
) -> Mapping[str, Sequence[str]]:
    """Return the atoms that formulas about a program can use, by kind: beliefs, goals, actions,
    labels, numeric variables.

    ``_`` stands for an arbitrary argument. The result is empty if the language does not provide a
    vocabulary.
    """
    model = as_program(program, settings=settings, labels=labels).model()
    return model.vocabulary() if isinstance(model, HasVocabulary) else {}


def lint_formulas(
    program: Subject,
    formulas: Formulas,
    *,
    settings: Settings | None = None,
    labels: Mapping[str, Label] | None = None,
) -> tuple[Diagnostic, ...]:
    """Return errors and warnings about formulas of a program, without checking them; empty if there
    are none."""
    loaded = as_program(program, settings=settings, labels=labels)
    warnings = Diagnostics()
    try:
        explore_for(
            loaded,
            [each.formula for each in parse_with_warnings(loaded, formulas, warnings)],
            limits=Limits(states=1),
        )
    except InputError as error:
        return error.diagnostics
    return tuple(warnings)
