"""Values over parameters."""

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

__all__ = ["AxisShown", "SweepProgress", "SweepShown", "sweep"]

MAX_POINTS = 20_000
"""Of a sweep that somebody waits for at a page."""


@dataclass(frozen=True, slots=True)
class AxisShown:
    """A parameter and its values, as numbers and as they are written."""

    name: str
    values: tuple[float, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """How many points are done."""

    done: int
    points: int


@dataclass(frozen=True, slots=True)
class SweepShown:
    """The values of formulas over a grid; those that are missing, or infinite, are None."""

    axes: tuple[AxisShown, ...]
    formulas: tuple[str, ...]
    values: tuple[Mapping[tuple[int, ...], float | None], ...]
    """For each formula its value at each point, which is told by the places of its parameters on
    their axes."""
    remark: str
    problems: tuple[str, ...]
    csv: str


def sweep(bench: Workbench, vary: Mapping[str, str], formulas: Sequence[str]) -> SweepShown:
    """The values of formulas for all values of parameters, written as ``0:1:0.1`` or ``0.1,
    0.2``."""
    _refuse_too_many(bench, vary)
    # One process, which is this one: it may not have children.
    found = volition.sweep(
        bench.program,
        dict(vary),
        list(formulas),
        processes=1,
        progress=lambda done, points: bench.report_progress(SweepProgress(done, points)),
    )
    axes = tuple(
        AxisShown(each.name, tuple(map(float, each.values)), tuple(map(number_text, each.values)))
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
    return SweepShown(axes, found.formulas, values, remark, found.problems[:5], found.to_csv())


def _refuse_too_many(bench: Workbench, vary: Mapping[str, str]) -> None:
    program = bench.program
    known = program.parameters if isinstance(program, ParametricProgram) else {}
    points = math.prod(
        len(axis.values)
        for axis in read_grid([f"{name}={values}" for name, values in vary.items()], known)
    )
    if points > MAX_POINTS:
        hint = "take larger steps, or sweep on the command line"
        raise InputError(
            [Diagnostic("STU010", f"{points:,} points are too many to wait for", hint=hint)]
        )


def _finite(value: object) -> float | None:
    number = None if value is None else float(value)  # type: ignore[arg-type]
    return None if number is None or not math.isfinite(number) else number
