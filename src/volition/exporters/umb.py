"""Export of a state space as an archive in the UMB format, which Storm reads."""

from __future__ import annotations

from volition.checking.explored_model import explore_for
from volition.checking.storm.archive import umb_archive
from volition.exporters.formats import ExportRequest, ExportResult

__all__ = ["export_to_umb"]


def export_to_umb(request: ExportRequest) -> ExportResult:
    """Return the state space as an archive. The states that satisfy a formula get its name as a
    label."""
    exploration, sets = explore_for(
        request.program,
        request.formulas.values(),
        space=request.space,
        limits=request.limits,
        progress=request.progress,
    )
    space = exploration.space
    archive = umb_archive(exploration.model, space, dict(zip(request.formulas, sets, strict=True)))
    return ExportResult("umb", archive, states=space.num_states, stopped=space.stopped)
