"""What formulas can ask of a program, and what is wrong with one that asks something else, as
calls."""

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
    """What a formula can ask of a program, as it is written there, by its kind: beliefs, goals,
    actions, labels, numbers.

    ``_`` stands for an argument that may be anything.  Empty for a language that does not say.
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
    """What is wrong with formulas about a program, and what looks doubtful in them, without
    answering them; nothing if all is well."""
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
