"""What was found, as files: the input made as short as it can be, the call, and what was wrong with the answer."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.minimising import minimal
from tests.fuzz.specimens import Specimen
from tests.fuzz.trials import Trial, complaint, run, understood

__all__ = ["shortest", "unnoticed", "write_finding", "wrong"]

SECONDS_TO_SHORTEN = 30.0


def wrong(trial: Trial) -> str | None:
    """What must not have happened in a call, if it did."""
    with TemporaryDirectory() as folder:
        return complaint(trial, run(trial, Path(folder)))


def unnoticed(specimen: Specimen, text: str) -> bool:
    """Whether a program is shown just as before its text was changed."""
    with TemporaryDirectory() as before, TemporaryDirectory() as after:
        changed = run(specimen.damaged(text), Path(after))
        return changed.exit_code == 0 and understood(changed) == understood(run(specimen.trial, Path(before)))


def shortest(specimen: Specimen, text: str, said: str) -> str:
    """The shortest damaged text about which the same is to be said."""
    return minimal(text, lambda each: wrong(specimen.damaged(each)) == said, seconds=SECONDS_TO_SHORTEN)


def write_finding(folder: Path, said: str, trial: Trial) -> Path:
    """Writes a finding into a folder of its own; returns that folder."""
    slug = re.sub(r"\W+", "-", said.lower()).strip("-")[:60]
    number = 1 + sum(1 for _ in folder.glob("*/finding.txt"))
    place = folder / f"{number:03}-{slug}"
    place.mkdir(parents=True)
    trial.write(place)
    call = shlex.join(("volition", *trial.arguments))
    (place / "finding.txt").write_text(f"{said}\n\n{call}\n", encoding="utf-8", errors="backslashreplace")
    return place
