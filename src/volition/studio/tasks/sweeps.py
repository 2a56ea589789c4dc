"""Task of a studio worker: compute a sweep over the parameters of the open program."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import volition
from volition.analysis.sweeps.grid import read_grid
from volition.diagnostics import Diagnostic, InputError
from volition.languages.protocols import ParametricProgram
from volition.logic.numbers import number_text
from volition.studio.workbench import Workbench

__all__ = ["AxisData", "SweepData", "SweepProgress", "sweep"]

MAX_POINTS = 20_000
"""Largest number of points (combinations of parameter values) of a sweep in the studio."""


@dataclass(frozen=True, slots=True)
class AxisData:
    """Varied parameter with its values, as numbers and as text."""

    name: str
    values: tuple[float, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """Progress of a sweep: the number of points that are computed, and the total number."""

    done: int
    points: int


@dataclass(frozen=True, slots=True)
class SweepData:
    """Result of a sweep: the values of formulas over a grid of parameter values; None for missing
    and infinite values."""

    axes: tuple[AxisData, ...]
    formulas: tuple[str, ...]
    values: tuple[Mapping[tuple[int, ...], float | None], ...]
    """The values of each formula. A key has one index per varied parameter: the position of its
    value in the list of values of that parameter."""
    remark: str
    problems: tuple[str, ...]
    csv: str


def sweep(bench: Workbench, vary: Mapping[str, str], formulas: Sequence[str]) -> SweepData:
    """Compute the values of formulas for all combinations of parameter values. ``vary`` has the
    values of each parameter as text, such as ``0:1:0.1`` or ``0.1, 0.2``."""
    _raise_if_too_many_points(bench, vary)
    # One process: a worker process must not start other processes.
    found = volition.sweep(
        bench.program,
        dict(vary),
        list(formulas),
        processes=1,
        progress=lambda done, points: bench.report_progress(SweepProgress(done, points)),
    )
    axes = tuple(
        AxisData(each.name, tuple(map(float, each.values)), tuple(map(number_text, each.values)))
        for each in found.axes
    )
    indices = list(product(*(range(len(axis.values)) for axis in axes)))
    values = tuple(
        {index: _finite(row.values[number]) for index, row in zip(indices, found.rows, strict=True)}
        for number in range(len(found.formulas))
    )
    explorations = "once" if found.explorations == 1 else f"{found.explorations} times"
    remark = (
        f"{len(found.rows):,} points in {found.seconds:.1f} s; the program was explored "
        f"{explorations}"
    )
    return SweepData(axes, found.formulas, values, remark, found.problems[:5], found.to_csv())


def _raise_if_too_many_points(bench: Workbench, vary: Mapping[str, str]) -> None:
    program = bench.program
    known = program.parameters if isinstance(program, ParametricProgram) else {}
    points = math.prod(
        len(axis.values)
        for axis in read_grid([f"{name}={values}" for name, values in vary.items()], known)
    )
    if points > MAX_POINTS:
        hint = "use larger steps, or run 'volition sweep' on the command line"
        message = f"the sweep has {points:,} points; the limit is {MAX_POINTS:,}"
        raise InputError([Diagnostic("STU010", message, hint=hint)])


def _finite(value: object) -> float | None:
    number = None if value is None else float(value)  # type: ignore[arg-type]
    return None if number is None or not math.isfinite(number) else number
