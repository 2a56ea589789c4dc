"""The answers of a sweep as text, data and pictures."""

from __future__ import annotations

import csv
import io
import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from volition.analysis.sweeps.grid import points, read_grid
from volition.analysis.sweeps.plots import draw_sweep, save_sweep_plot
from volition.analysis.sweeps.result import SweepResult, SweepRow, Value
from volition.diagnostics import InputError


def result_of(
    *axes: str, formulas: tuple[str, ...] = ("Pmax=? [ F a ]", "R{$}min=? [ F a ]")
) -> SweepResult:
    """A sweep whose first formula is the product of its parameters and whose second one has every
    kind of odd value."""
    grid = read_grid(axes, [axis.partition("=")[0] for axis in axes])
    odd: list[Value] = [math.inf, None, True, Fraction(1, 3)]
    rows = tuple(
        SweepRow(point, (float(math.prod(point.values())), odd[i % len(odd)])[: len(formulas)])
        for i, point in enumerate(points(grid))
    )
    return SweepResult(grid, formulas, rows, explorations=1, graph_parameters=(), seconds=0.25)


def test_arrays_have_a_dimension_for_each_parameter() -> None:
    result = result_of("a=1,2", "b=0:1:0.5")
    assert result.array(0).tolist() == [[0, 0.5, 1], [0, 1, 2]]
    assert np.array_equal(
        result.array(1), np.array([[np.inf, np.nan, 1], [1 / 3, np.inf, np.nan]]), equal_nan=True
    )


def test_csv_can_be_read_back() -> None:
    lines = list(csv.reader(io.StringIO(result_of("a=0.1,0.2", "b=0,1/3").to_csv())))
    assert lines[0] == ["a", "b", "Pmax=? [ F a ]", "R{$}min=? [ F a ]"]
    assert [float(cell) for cell in lines[2][:3]] == [0.1, 1 / 3, float(Fraction(1, 30))]
    assert [line[3] for line in lines[1:]] == ["inf", "", "true", str(1 / 3)]


def test_json_is_json() -> None:
    document = json.loads(json.dumps(result_of("a=1:4:1").to_json(), allow_nan=False))
    assert [row["values"][1] for row in document["rows"]] == ["infinity", None, True, 1 / 3]
    assert document["parameters"] == {"a": [1, 2, 3, 4]}
    assert document["explorations"] == 1


def test_tables_are_rounded_for_people() -> None:
    assert result_of("a=0.1:0.4:0.1").table().rows == [
        ["0.1", "0.1", "infinity"],
        ["0.2", "0.2", "?"],
        ["0.3", "0.3", "true"],
        ["0.4", "0.4", "0.333333"],
    ]
    table = result_of("a=1,2", "b=0.5,1").cross_table(0)
    assert table.columns == ["a \\ b", "0.5", "1"]
    assert table.rows == [["1", "0.5", "1"], ["2", "1", "2"]]
    assert [row[1] for row in result_of("a=0,1e-300,2e-7,-3e-9").table().rows] == [
        "0",
        "1e-300",
        "2e-07",
        "-3e-09",
    ]


@pytest.mark.parametrize("suffix", [".svg", ".png"])
@pytest.mark.parametrize(
    "axes",
    [("a=0:1:0.1",), ("a=0:1:0.1", "b=0:1:0.1"), ("a=0:1:0.02", "b=0:1:0.02")],
    ids=["one", "two", "many"],
)
@pytest.mark.parametrize("style", ["lines", "heatmap"])
def test_plots_become_files(axes: tuple[str, ...], style: str, suffix: str, tmp_path: Path) -> None:
    save_sweep_plot(result_of(*axes), tmp_path / f"plot{suffix}", style)  # type: ignore[arg-type]
    head = (tmp_path / f"plot{suffix}").read_bytes()[:6]
    assert head == (b"<?xml " if suffix == ".svg" else b"\x89PNG\r\n")


def test_the_picture_shows_the_values() -> None:
    """Lines: the second parameter along the axis, one line for each value of the first.  Heat map:
    the first one along x."""
    result = result_of("a=1,2", "b=0:1:0.5", formulas=("Pmax=? [ F a ]",))
    (lines,) = draw_sweep(result, "lines").axes
    assert [np.asarray(line.get_ydata()).tolist() for line in lines.get_lines()] == [
        [0, 0.5, 1],
        [0, 1, 2],
    ]
    legend = lines.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["a = 1", "a = 2"]
    heat = draw_sweep(result).axes[0]
    assert [text.get_text() for text in heat.texts] == [
        "0.00",
        "0.00",
        "0.50",
        "1.00",
        "1.00",
        "2.00",
    ]
    assert (heat.get_xlabel(), heat.get_ylabel()) == ("a", "b")


def test_no_cell_hides_a_small_difference() -> None:
    """Values are products of the parameters: none that is not 0 reads 0.00, none that is not 1
    reads 1.00."""
    heat = draw_sweep(result_of("a=0,1,0.999999", "b=0.0004,1")).axes[0]
    assert [text.get_text() for text in heat.texts] == [
        "0.00",
        "0.0004",
        "0.0004",
        "0.00",
        "1.00",
        "1-1e-06",
    ]


def test_what_cannot_be_drawn_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"CHK067.*one or two parameters, not 3"):
        save_sweep_plot(result_of("a=1", "b=1", "c=1"), tmp_path / "plot.svg")
    with pytest.raises(InputError, match="CHK066"):
        save_sweep_plot(result_of("a=1,2"), tmp_path / "plot.xyz")
