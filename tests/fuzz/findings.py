"""Findings as files: the input made as short as possible, the call, and the fault."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.minimising import minimal
from tests.fuzz.specimens import Specimen
from tests.fuzz.trials import Trial, complaint, run

__all__ = ["shortest", "write_finding", "wrong"]

SECONDS_TO_SHORTEN = 30.0


def wrong(trial: Trial) -> str | None:
    """The fault of a call, if it has one."""
    with TemporaryDirectory() as folder:
        return complaint(trial, run(trial, Path(folder)))


def shortest(specimen: Specimen, text: str, said: str) -> str:
    """The shortest changed text whose call has the same fault."""
    return minimal(
        text, lambda each: wrong(specimen.changed(each)) == said, seconds=SECONDS_TO_SHORTEN
    )


def write_finding(folder: Path, said: str, trial: Trial) -> Path:
    """Write a finding into a folder of its own; return that folder."""
    slug = re.sub(r"\W+", "-", said.lower()).strip("-")[:60]
    number = 1 + sum(1 for _ in folder.glob("*/finding.txt"))
    position = folder / f"{number:03}-{slug}"
    position.mkdir(parents=True)
    trial.write(position)
    call = shlex.join(("volition", *trial.arguments))
    (position / "finding.txt").write_text(
        f"{said}\n\n{call}\n", encoding="utf-8", errors="backslashreplace"
    )
    (position / "arguments.json").write_text(json.dumps(trial.arguments), encoding="utf-8")
    return position
