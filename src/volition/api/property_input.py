"""Properties as users pass them to functions: one text or several, parsed like ``-p`` options and
property files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from volition.checking.generic_properties import generic_properties
from volition.checking.properties import Property, PropertyLike, formula_warnings, parse_properties
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.languages.common.properties import read_property_file, read_property_texts
from volition.languages.protocols import Program

__all__ = [
    "Formulas",
    "PropertyLike",
    "parse_with_warnings",
    "properties_to_check",
    "single_property",
]

Formulas = PropertyLike | Iterable[PropertyLike]


def properties_to_check(
    program: Program,
    formulas: Formulas | None,
    warnings: Diagnostics,
    *,
    props: str | os.PathLike[str] | None = None,
    generic: bool = False,
    per_event: bool = False,
) -> list[PropertyLike]:
    """Return the properties that ``check`` should answer: ``formulas`` and those of the property
    file ``props``, or, if there are none, those of the program; plus the generic properties of the
    language if ``generic`` or ``per_event`` is set.

    Warnings are added to ``warnings``. Raise :class:`InputError` with all errors, and if there is
    no property.
    """
    properties = _read(program, formulas, warnings)
    if props is not None:
        properties += read_property_file(Path(props), program, warnings)
    if not properties:
        properties += program.properties
    if generic or per_event:
        properties += generic_properties(program, per_event=per_event)
    if not properties:
        position = f" in '{program.sources[0].name}'" if program.sources else ""
        raise InputError(
            [
                Diagnostic(
                    "CLI002",
                    f"no properties to check{position}",
                    hint="give one, or a file of them",
                )
            ]
        )
    return properties


def parse_with_warnings(
    program: Program, formulas: Formulas | None, warnings: Diagnostics
) -> list[Property]:
    """Parse formulas, or the properties of the program if there are none, and add the warnings of
    its language to ``warnings``. Properties that are already parsed get no second warning.

    Raise :class:`InputError` with all errors.
    """
    properties = _read(program, formulas, warnings) or list[PropertyLike](program.properties)
    queries = parse_properties(properties, warnings)
    anew = [
        each.formula
        for each, given in zip(queries, properties, strict=True)
        if not isinstance(given, Property)
    ]
    if anew:
        warnings.extend(formula_warnings(program, anew))
    return queries


def single_property(program: Program, formula: PropertyLike, warnings: Diagnostics) -> PropertyLike:
    """Return the parsed property if ``formula`` contains exactly one; otherwise return ``formula``
    itself, so that the caller's parser reports the error."""
    properties = parse_with_warnings(program, [formula] if formula is None else formula, warnings)
    return properties[0] if len(properties) == 1 else formula


def _read(program: Program, formulas: Formulas | None, warnings: Diagnostics) -> list[PropertyLike]:
    if formulas is None:
        return []
    several: Iterable[PropertyLike] = (
        [formulas]
        if isinstance(formulas, str | bytes) or not isinstance(formulas, Iterable)
        else formulas
    )
    errors = Diagnostics()
    properties: list[PropertyLike] = []
    for each in several:
        try:
            properties += (
                read_property_texts([each], program, warnings)
                if isinstance(each, str)
                else [_require_formula(each)]
            )
        except InputError as error:
            errors.extend(error.diagnostics)
    errors.raise_errors()
    return properties


def _require_formula(given: PropertyLike) -> PropertyLike:
    """Return ``given`` if it is a formula, a text or a property; otherwise raise
    :class:`InputError`."""
    if not isinstance(given, PropertyLike):
        raise InputError(
            [
                Diagnostic(
                    "API010",
                    f"{given!r} is not a formula",
                    hint="give a text, such as 'A [ F done ]'",
                )
            ]
        )
    return given
