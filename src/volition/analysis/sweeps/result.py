"""Result of a parameter sweep: a row of values for each point of the grid, as CSV, JSON, table and
arrays."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from volition.analysis.sweeps.grid import Axis, Point
from volition.diagnostics import Diagnostic, plural
from volition.display import HtmlDisplay, data_frame
from volition.languages.protocols import Table
from volition.logic.numbers import number_text

__all__ = ["SweepResult", "SweepRow", "Value"]

Value = float | Fraction | bool | None
"""Value of a formula at a point: a number, a truth value for a formula with a threshold, or None if
the engine gave no answer."""


@dataclass(frozen=True, slots=True)
class SweepRow:
    """Point of the grid and the value of each formula at that point."""

    point: Point
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, repr=False)
class SweepResult(HtmlDisplay):
    """Values of all formulas at all points of the grid of a parameter sweep.

    ``rows`` are in the order of the grid; the last parameter changes fastest. ``explorations`` is
    the number of times the program was explored. ``graph_parameters`` are the parameters whose
    values change which transitions exist; the program had to be explored again for each of their
    values. ``problems`` are the reasons for missing values.
    """

    axes: tuple[Axis, ...]
    formulas: tuple[str, ...]
    rows: tuple[SweepRow, ...]
    explorations: int
    graph_parameters: tuple[str, ...]
    seconds: float
    problems: tuple[str, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[SweepRow]:
        return iter(self.rows)

    def __getitem__(self, index: int) -> SweepRow:
        return self.rows[index]

    def __repr__(self) -> str:
        names = " and ".join(axis.name for axis in self.axes)
        return (
            f"<Sweep of {', '.join(self.formulas)} over {names}: {len(self.rows):,} "
            f"{plural(len(self.rows), 'point')}>"
        )

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one row for each point of the grid, and a column for each
        parameter and each formula."""
        columns = [*(axis.name for axis in self.axes), *self.formulas]
        values = [
            [*map(float, row.point.values()), *map(_in_frame, row.values)] for row in self.rows
        ]
        return data_frame(columns, values)

    def array(self, formula: int) -> npt.NDArray[np.float64]:
        """Return the values of the formula with this index, in an array with one dimension for each
        parameter. Truth values are 0 and 1, missing values nan."""
        numbers = [
            math.nan if (value := row.values[formula]) is None else float(value)
            for row in self.rows
        ]
        return np.array(numbers).reshape([len(axis.values) for axis in self.axes])

    def to_csv(self) -> str:
        """Return the result as CSV text: a header line, then one line for each point, with all
        digits."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([*(axis.name for axis in self.axes), *self.formulas])
        for row in self.rows:
            writer.writerow(
                [
                    *(float(value) for value in row.point.values()),
                    *(_in_csv(value) for value in row.values),
                ]
            )
        return text.getvalue()

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON data. An infinite value is the string ``infinity``, because
        JSON has no such number."""
        return {
            "parameters": {
                axis.name: [float(value) for value in axis.values] for axis in self.axes
            },
            "formulas": list(self.formulas),
            "rows": [
                {
                    "parameters": {name: float(value) for name, value in row.point.items()},
                    "values": [_in_json(value) for value in row.values],
                }
                for row in self.rows
            ],
            "explorations": self.explorations,
            "graph_parameters": list(self.graph_parameters),
            "seconds": self.seconds,
            "problems": list(self.problems),
        }

    def table(self, digits: int = 6) -> Table:
        """Return a table with one row for each point and values rounded to ``digits`` decimals."""
        rows = [
            [
                *(number_text(value) for value in row.point.values()),
                *(_for_people(value, digits) for value in row.values),
            ]
            for row in self.rows
        ]
        return Table("Sweep", [*(axis.name for axis in self.axes), *self.formulas], rows)

    def cross_table(self, formula: int, digits: int = 4) -> Table:
        """Return a table of the values of one formula over two parameters: the first parameter in
        the rows, the second in the columns."""
        down, across = self.axes
        values = self.array(formula)
        rows: Sequence[Sequence[str]] = [
            [number_text(name), *(_for_people(float(value), digits) for value in line)]
            for name, line in zip(down.values, values, strict=True)
        ]
        return Table(
            self.formulas[formula],
            [f"{down.name} \\ {across.name}", *(number_text(value) for value in across.values)],
            rows,
        )


def _in_frame(value: Value) -> float | bool | None:
    return value if value is None or isinstance(value, bool) else float(value)


def _in_csv(value: Value) -> str | float:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else float(value)


def _in_json(value: Value) -> str | float | bool | None:
    if value is None or isinstance(value, bool):
        return value
    return "infinity" if math.isinf(value) else float(value)


def _for_people(value: Value, digits: int) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "?"
    if isinstance(value, bool):
        return str(value).lower()
    if math.isinf(value):
        return "infinity"
    rounded = f"{float(value):.{digits}f}".rstrip("0").rstrip(".")
    return (
        f"{float(value):.{digits}g}" if value and not float(rounded) else rounded
    )  # a small value must not be shown as 0
