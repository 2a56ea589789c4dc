"""The function ``export``: programs and state spaces as input for other tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from volition.api.custom_systems import Label
from volition.api.inputs import Settings, Subject, limits_of, load_subject
from volition.api.property_input import PropertyLike
from volition.checking.properties import parse_properties
from volition.diagnostics import Diagnostics
from volition.exporters.formats import ExportRequest, ExportResult, export_format
from volition.kernel import Progress
from volition.logic.syntax import Formula

__all__ = ["ExportResult", "export"]


def export(
    program: Subject,
    to: str,
    formulas: PropertyLike
    | Mapping[str, PropertyLike]
    | list[PropertyLike]
    | tuple[PropertyLike, ...] = (),
    *,
    settings: Settings | None = None,
    labels: Mapping[str, Label] | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> ExportResult:
    """Return a program as input for another tool: ``volition export``.

    ``to`` is the format (:mod:`volition.exporters.formats`). ``prism`` and ``promela`` translate
    the program, together with ``formulas`` or, by default, its own properties. ``dot`` and ``umb``
    write its state space; for ``umb``, formulas name sets of states. ``hoa`` writes the automata of
    the formulas. The keys of a mapping name its formulas; otherwise they are named ``p1``, ``p2``,
    ...
    """
    given = load_subject(program, settings=settings, labels=labels)
    warnings = Diagnostics()
    named = {name: _formula(each, warnings) for name, each in _named(formulas).items()}
    limits = limits_of(max_states, max_memory, timeout, jobs)
    found = export_format(to).export(
        ExportRequest(given.program, given.space, named, limits, progress)
    )
    return replace(found, warnings=(*warnings.warnings, *found.warnings))


def _named(
    formulas: PropertyLike
    | Mapping[str, PropertyLike]
    | list[PropertyLike]
    | tuple[PropertyLike, ...],
) -> Mapping[str, PropertyLike]:
    if isinstance(formulas, Mapping):
        return formulas
    several = list(formulas) if isinstance(formulas, list | tuple) else [formulas]
    return {f"p{number}": each for number, each in enumerate(several, start=1)}


def _formula(given: PropertyLike, warnings: Diagnostics) -> Formula:
    (prop,) = parse_properties([given], warnings)
    return prop.formula
