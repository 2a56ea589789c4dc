"""The registry of export formats, and formats of other packages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import volition
from volition.exporters import formats
from volition.exporters.formats import BUILT_IN, ExportFormat, ExportRequest, ExportResult

PROGRAM = Path(__file__).parents[2] / "examples" / "can" / "breakfast.can"


def export_to_edges(request: ExportRequest) -> ExportResult:
    """A format of another package: one line per state."""
    space = volition.explore(request.program)
    return ExportResult("edges", f"{space.num_states}\n")


EDGES = ExportFormat("edges", ("one line per state",), f"{__name__}:export_to_edges")
IMPOSTOR = ExportFormat("dot", ("another dot",), f"{__name__}:export_to_edges")


@pytest.fixture
def other_packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    found = [
        EntryPoint(each, f"{__name__}:{each}", formats.ENTRY_POINTS)
        for each in ("EDGES", "IMPOSTOR")
    ]
    monkeypatch.setattr(formats, "entry_points", lambda *, group: found if group else [])
    formats.export_formats.cache_clear()
    yield
    formats.export_formats.cache_clear()


@pytest.mark.usefixtures("other_packages")
def test_a_format_of_another_package_is_found() -> None:
    assert list(formats.export_formats()) == [*(each.name for each in BUILT_IN), "edges"]
    assert volition.export(PROGRAM, "edges").model == f"{volition.explore(PROGRAM).num_states}\n"


@pytest.mark.usefixtures("other_packages")
def test_a_built_in_format_is_not_replaced() -> None:
    assert str(volition.export(PROGRAM, "dot")).startswith("digraph")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(volition.InputError, match="API007"):
        volition.export(PROGRAM, "promelo")
