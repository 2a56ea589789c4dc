"""Supported combinations of a program's language and a target language for ``volition export``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from volition.diagnostics import Diagnostic, InputError
from volition.exporters.deadlock import refuse_deadlock
from volition.exporters.formats import ExportRequest, ExportResult
from volition.exporters.prism.language import PrismFiles
from volition.languages.protocols import Program, UnparsedProperty
from volition.logic import parse
from volition.logic.syntax import Formula

__all__ = [
    "Target",
    "Translation",
    "export_to_prism",
    "export_to_promela",
    "translate",
    "translate_with_properties",
]

Target = Literal["prism", "promela"]


@dataclass(frozen=True, slots=True)
class Translation:
    """Text of a program translated for another tool; ``properties`` is the text of the property
    file, or None if the model text contains the properties."""

    model: str
    properties: str | None = None


def export_to_prism(request: ExportRequest) -> ExportResult:
    """Return a program in the language of PRISM, with its formulas in a separate text."""
    return _exported(request, "prism")


def export_to_promela(request: ExportRequest) -> ExportResult:
    """Return a program in Promela, the language of Spin, with its formulas."""
    return _exported(request, "promela")


def _exported(request: ExportRequest, target: Target) -> ExportResult:
    """Translate the program with the formulas of the request or, without any, with the properties
    in its files."""
    translation, left_out = (
        (translate(request.program, target, request.formulas), [])
        if request.formulas
        else translate_with_properties(request.program, target)
    )
    return ExportResult(target, translation.model, translation.properties, warnings=tuple(left_out))


def translate(program: Program, target: Target, formulas: Mapping[str, Formula]) -> Translation:
    """Translate a program and named formulas to the language of another tool.

    Raise :class:`InputError` if the program or a formula is not supported.
    """
    translators = _TRANSLATORS[target]
    if program.language not in translators:
        hint = (
            f"'{target}' supports {' and '.join(translators)} programs; 'dot' works for any program"
        )
        raise InputError(
            [
                Diagnostic(
                    "EXP010",
                    f"{program.language} programs cannot be exported to {target}",
                    hint=hint,
                )
            ]
        )
    return translators[program.language](program, formulas)


def translate_with_properties(
    program: Program, target: Target
) -> tuple[Translation, Sequence[Diagnostic]]:
    """Translate a program together with the properties in its files. Properties that the target
    tool does not support are left out, with a warning for each."""
    translate(program, target, {})
    kept: dict[str, Formula] = {}
    reasons: list[Diagnostic] = []
    for number, stated in enumerate(program.properties, start=1):
        name, formula = stated.name or f"p{number}", parse(stated.meaning or stated.text)
        try:
            translate(program, target, {name: formula})
        except InputError as error:
            reasons += [_left_out(stated, each) for each in error.diagnostics]
        else:
            kept[name] = formula
    return translate(program, target, kept), reasons


def _left_out(stated: UnparsedProperty, reason: Diagnostic) -> Diagnostic:
    return replace(
        reason, message=f"property left out: {reason.message}", span=stated.span, severity="warning"
    )


# The parameter ``program`` of the following functions has type Any, because the name of the
# program's language determines its type. Each function imports the modules of its language when it
# is called.


def _lisa_to_prism(program: Any, formulas: Mapping[str, Formula]) -> Translation:
    from volition.exporters.prism.lisa import lisa_to_prism

    return _prism(lisa_to_prism(program.agents, _for_prism(program, formulas)), formulas)


def _dribble_to_prism(program: Any, formulas: Mapping[str, Formula]) -> Translation:
    from volition.exporters.prism.dribble import dribble_to_prism

    return _prism(dribble_to_prism(program.agent, _for_prism(program, formulas)), formulas)


def _for_prism(program: Program, formulas: Mapping[str, Formula]) -> list[Formula]:
    """Return the formulas as a list; raise :class:`InputError` if one contains ``"deadlock"``."""
    for formula in formulas.values():
        refuse_deadlock(program.model(), formula, "PRISM")
    return list(formulas.values())


def _prism(files: PrismFiles, names: Iterable[str]) -> Translation:
    return Translation(
        files.model,
        "".join(f"// {name}\n{text}\n" for name, text in zip(names, files.properties, strict=True)),
    )


def _agentspeak_to_promela(program: Any, formulas: Mapping[str, Formula]) -> Translation:
    from volition.exporters.promela import to_promela

    return Translation(to_promela(program, formulas))


_TRANSLATORS: dict[Target, dict[str, Callable[[Any, Mapping[str, Formula]], Translation]]] = {
    "prism": {"LISA": _lisa_to_prism, "Dribble": _dribble_to_prism},
    "promela": {"AgentSpeak(F)": _agentspeak_to_promela},
}
