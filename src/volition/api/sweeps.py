"""The functions ``sweep`` and ``closed_form``: values of properties as functions of a program's
parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from volition.analysis.sweeps import closed_forms
from volition.analysis.sweeps import sweep as sweeping
from volition.analysis.sweeps.closed_forms import ClosedForm
from volition.analysis.sweeps.result import SweepResult
from volition.analysis.sweeps.sweep import Progress
from volition.api.inputs import (
    Settings,
    Subject,
    limits_of,
    load_subject,
    require_none,
    seconds,
    whole_number,
)
from volition.api.property_input import Formulas, PropertyLike, parse_with_warnings, single_property
from volition.checking.task import CheckSettings
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.languages.protocols import Program

__all__ = ["Vary", "closed_form", "sweep"]

Values = str | float | Fraction | Sequence[float | Fraction]

Vary = str | Sequence[str] | Mapping[str, Values]
"""Parameters to vary, with their values: a text such as ``"pc=0:1:0.1"``, several such texts, or a
mapping from names to values such as ``{"pc": "0:1:0.1", "pe": [0.1, 0.2]}``."""


def sweep(
    program: Subject,
    vary: Vary,
    formulas: Formulas | None = None,
    *,
    settings: Settings | None = None,
    processes: int | None = None,
    cluster: str | None = None,
    exact: bool | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> SweepResult:
    """Compute the values of properties for many values of a program's parameters: ``volition
    sweep``.

    Combinations of parameter values (points) are computed in parallel by ``processes`` processes,
    by default one per core, or by the workers of the Dask scheduler at ``cluster``. Each
    exploration uses ``jobs`` threads, by default one. ``progress`` is called with the number of
    finished points and the total number.
    """
    swept = _swept(program, settings)
    warnings = Diagnostics()
    properties = parse_with_warnings(swept, formulas, warnings)
    found = sweeping.sweep(
        swept,
        _grid(vary),
        properties,
        processes=_workers(processes),
        cluster=cluster,
        settings=CheckSettings(
            exact=exact, limits=limits_of(max_states, max_memory, timeout, jobs or 1)
        ),
        progress=progress,
    )
    return replace(found, warnings=warnings.warnings)


def closed_form(
    program: Subject,
    vary: Vary,
    formula: PropertyLike,
    *,
    settings: Settings | None = None,
    processes: int | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> ClosedForm:
    """Return a reachability probability as functions of parameters: ``volition sweep
    --closed-form``. The functions are valid while each parameter lies between its smallest and
    largest value in ``vary``."""
    swept = _swept(program, settings)
    prop = single_property(swept, formula, Diagnostics())
    within = None if timeout is None else seconds("timeout", timeout)
    return closed_forms.closed_form(
        swept, _grid(vary), prop, processes=_workers(processes), seconds=within, progress=progress
    )


def _swept(program: Subject, settings: Settings | None) -> Program:
    given = load_subject(program, settings=settings)
    require_none(
        given.space is not None,
        "the parameters of a state space have fixed values: give the program, not a state space",
    )
    return given.program


def _workers(processes: int | None) -> int | None:
    return None if processes is None else whole_number("processes", processes, minimum=1)


def _grid(vary: Vary) -> list[str]:
    """Return each parameter with its values in the notation of the command line, such as
    ``"pc=0:1:0.1"``."""
    if isinstance(vary, str):
        return [vary]
    if isinstance(vary, Mapping):
        return [f"{name}={_values(name, values)}" for name, values in vary.items()]
    return list(vary)


def _values(name: str, values: Values) -> str:
    several = (
        [values] if isinstance(values, str) or not isinstance(values, Iterable) else list(values)
    )
    if not several:
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"no values given for '{name}'",
                    hint="give values such as [0.1, 0.2] or '0:1:0.1'",
                )
            ]
        )
    return ",".join(map(str, several))
