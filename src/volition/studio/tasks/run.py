"""Running the program, and looking at what was recorded."""

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

__all__ = ["RanShown", "RunRequest", "folder_text", "recorded_page", "run"]


@dataclass(frozen=True, slots=True)
class RunRequest:
    """How a program is to be run; None leaves it to the run file of the program."""

    record: Path
    seed: int = 1
    cycles: int | None = None
    select: str | None = None
    objective: str | None = None
    world: str | None = None
    real_time: bool = False
    trust: bool = False


@dataclass(frozen=True, slots=True)
class RanShown:
    """How a run ended; ``needs_trust`` says that it did not begin, because it brings code of its
    own."""

    sentence: str
    warnings: tuple[str, ...] = ()
    needs_trust: bool = False


def run(bench: Workbench, requested: RunRequest) -> RanShown:
    """Run the program, and record it line by line."""
    warnings = Diagnostics()
    try:
        ran = volition.run(
            bench.program,
            seed=requested.seed,
            cycles=requested.cycles,
            select=requested.select,
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
            return RanShown("", needs_trust=True)
        raise
    # Whoever follows the record goes on reading the file that was there.
    text = requested.record.read_text(encoding="utf-8").replace(folder_text(bench.folder), "")
    write_atomically({requested.record: text.encode()})
    return RanShown(ran.sentence(), tuple(each.message for each in warnings.warnings))


def folder_text(folder: Path) -> str:
    """The folder that the program is read from, as JSON writes it before the name of a file."""
    return json.dumps(f"{folder}/", ensure_ascii=False)[1:-1]


def recorded_page(bench: Workbench, records: Sequence[Path], scheme: Scheme) -> str:
    """One recorded run, or two side by side, as a page."""
    del bench  # a record knows its program
    return render_page([read_record(each) for each in records], scheme=scheme)
