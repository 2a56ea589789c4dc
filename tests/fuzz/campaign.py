"""Damaged input for as long as there is time: one process that tries, and one that sees whether it is still alive."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.fuzz.findings import shortest, unnoticed, write_finding, wrong
from tests.fuzz.mutations import blind, careful, structural
from tests.fuzz.specimens import Specimen, specimens
from tests.fuzz.trials import Trial

__all__ = ["try_mutants"]

SHARE_OF_SLIPS = 0.4
LONGEST_TRIAL = 90.0
"""Seconds after which a call is taken to hang; the limits of the calls are a tenth of it."""


def try_mutants(seed: int, seconds: float, folder: Path, *, kinds: Sequence[str] | None = None) -> Counter[str]:
    """Tries damaged input of every kind, or of some; returns how often what happened, and writes findings into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + seconds
    counts: Counter[str] = Counter()
    context = multiprocessing.get_context("spawn")
    while time.monotonic() < deadline:
        worker = context.Process(target=_work, args=(seed, deadline - time.monotonic(), str(folder), kinds), daemon=False)
        worker.start()
        _watch(worker, folder, deadline)
        counts += _counted(folder, seed)
        if worker.exitcode != 0 and (trial := _last_trial(folder)) is not None:
            ending = "the call does not end" if worker.exitcode == -signal.SIGKILL else f"the process ended with {worker.exitcode}"
            write_finding(folder, ending, trial)
            counts["findings"] += 1
        seed += 1
    return counts


def _watch(worker: multiprocessing.process.BaseProcess, folder: Path, deadline: float) -> None:
    """Waits for the worker's end, and brings it about where a call takes too long."""
    current = folder / "current.json"
    begun = time.time()
    while worker.is_alive():
        worker.join(1.0)
        with suppress(FileNotFoundError):
            begun = max(begun, current.stat().st_mtime)
        if time.time() - begun > LONGEST_TRIAL or time.monotonic() > deadline + LONGEST_TRIAL:
            with suppress(ProcessLookupError):
                os.killpg(worker.pid or 0, signal.SIGKILL)
            worker.join()


def _work(seed: int, seconds: float, folder: str, kinds: Sequence[str] | None) -> None:
    """Tries one mutant after the other; a process group of its own takes the engines with it."""
    os.setpgid(0, 0)
    chance = random.Random(seed)
    place = Path(folder)
    deadline = time.monotonic() + seconds
    counts: Counter[str] = Counter()
    known: set[str] = {(each / "finding.txt").read_text(encoding="utf-8").partition("\n")[0] for each in place.glob("*-*/")}
    by_kind: dict[str, list[Specimen]] = {}
    chosen = [each for each in specimens() if kinds is None or each.kind in kinds]
    for each in chosen:
        by_kind.setdefault(each.kind, []).append(each)
    shown = [each for each in chosen if each.trial.arguments[0] == "show" and isinstance(each.target, str)]
    while time.monotonic() < deadline:
        if shown and chance.random() < SHARE_OF_SLIPS:
            _try_a_slip(chance, chance.choice(shown), place, counts, known)
        else:
            specimen = chance.choice(by_kind[chance.choice(sorted(by_kind))])
            _try_an_accident(chance, specimen, [each.text for each in by_kind[specimen.kind]], place, counts, known)
        (place / f"counts-{seed}.json").write_text(json.dumps(counts), encoding="utf-8")
    (place / "current.json").unlink(missing_ok=True)


def _try_a_slip(chance: random.Random, specimen: Specimen, folder: Path, counts: Counter[str], known: set[str]) -> None:
    slip = careful(chance, specimen.text, specimen.kind)
    if slip is None:
        return
    what, text = slip
    counts[f"{specimen.kind}: careful"] += 1
    said = _tried(specimen.damaged(text), folder)
    if said is not None:
        _keep(folder, said, specimen.damaged(text), counts, known)
    elif unnoticed(specimen, text):
        # A slip is short already, and what it is a slip of must stay readable.
        _keep(folder, f"read without a word: {Path(str(specimen.target)).name} {what}", specimen.damaged(text), counts, known)


def _try_an_accident(
    chance: random.Random, specimen: Specimen, others: list[str], folder: Path, counts: Counter[str], known: set[str]
) -> None:
    whole = specimen.kind == "trace" and chance.random() < 0.6
    text = structural(chance, specimen.text) if whole else blind(chance, specimen.text, others)
    counts[f"{specimen.kind}: blind"] += 1
    said = _tried(specimen.damaged(text), folder)
    if said is not None and said not in known:
        _keep(folder, said, specimen.damaged(shortest(specimen, text, said)), counts, known)


def _tried(trial: Trial, folder: Path) -> str | None:
    """What is wrong with the answer to a call; the call is written down before, in case that it is the last one."""
    (folder / "current.json").write_text(json.dumps([dict(trial.files), trial.arguments]), encoding="utf-8")
    return wrong(trial)


def _keep(folder: Path, said: str, trial: Trial, counts: Counter[str], known: set[str]) -> None:
    if said not in known:
        known.add(said)
        counts["findings"] += 1
        write_finding(folder, said, trial)


def _last_trial(folder: Path) -> Trial | None:
    try:
        files, arguments = json.loads((folder / "current.json").read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return Trial(files, tuple(arguments))


def _counted(folder: Path, seed: int) -> Counter[str]:
    path = folder / f"counts-{seed}.json"
    if not path.exists():
        return Counter()
    counts = Counter(json.loads(path.read_text(encoding="utf-8")))
    path.unlink()
    return counts
