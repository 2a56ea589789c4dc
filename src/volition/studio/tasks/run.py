"""Tasks of a studio worker: run the open program, and render records of runs as HTML pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import volition
from volition.atomic_files import write_atomically
from volition.diagnostics import Diagnostics, InputError
from volition.runtime.record import read_record
from volition.runtime.view import Scheme, render_page
from volition.studio.view_data import TRUST_CODE
from volition.studio.workbench import Workbench

__all__ = ["RunRequest", "RunResultData", "folder_text", "recorded_page", "run"]


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Options of a run, as the user chose them; None means the value from the run file."""

    record: Path
    seed: int = 1
    cycles: int | None = None
    select: str | None = None
    objective: str | None = None
    world: str | None = None
    real_time: bool = False
    trust: bool = False


@dataclass(frozen=True, slots=True)
class RunResultData:
    """Result of a run. ``needs_trust`` means that the run did not start, because the user has not
    allowed the program's own code to run."""

    sentence: str
    warnings: tuple[str, ...] = ()
    needs_trust: bool = False


def run(bench: Workbench, requested: RunRequest) -> RunResultData:
    """Run the open program and write its record to a file, line by line."""
    warnings = Diagnostics()
    try:
        result = volition.run(
            bench.program,
            seed=requested.seed,
            cycles=requested.cycles,
            selector=requested.select,
            objective=requested.objective,
            world=requested.world,
            record=requested.record,
            overwrite=True,
            real_time=requested.real_time,
            trust=requested.trust,
            warnings=warnings,
        )
    except InputError as error:
        if any(each.code == TRUST_CODE for each in error.diagnostics):
            return RunResultData("", needs_trust=True)
        raise
    # Remove the path of the temporary folder from the record. The file is replaced as a whole, so
    # that a page that follows the run can finish reading the old file.
    text = requested.record.read_text(encoding="utf-8").replace(folder_text(bench.folder), "")
    write_atomically({requested.record: text.encode()})
    return RunResultData(result.sentence(), tuple(each.message for each in warnings.warnings))


def folder_text(folder: Path) -> str:
    """Return the path of the program's temporary folder, with a final slash, as it is written
    inside a JSON string."""
    return json.dumps(f"{folder}/", ensure_ascii=False)[1:-1]


def recorded_page(bench: Workbench, records: Sequence[Path], scheme: Scheme) -> str:
    """Return an HTML page that shows one recorded run, or two side by side."""
    del bench  # a record knows its program
    return render_page([read_record(each) for each in records], scheme=scheme)
