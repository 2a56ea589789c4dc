"""Changed input for as long as there is time: one process that tries, and one that ends it where a
call does not end."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.agreement import disagreement
from tests.fuzz.findings import shortest, write_finding
from tests.fuzz.meaning import unnoticed
from tests.fuzz.mutations import blind, careful, other_bytes
from tests.fuzz.plausible import other_record, other_value, plausible
from tests.fuzz.saved_spaces import content_in, mutant
from tests.fuzz.specimens import Specimen, kinds, program_specimens, texts_of_kind
from tests.fuzz.trials import Content, Outcome, Trial, complaint, run

__all__ = ["try_mutants"]

SHARE_OF_SLIPS = 0.15
SHARE_OF_SECOND_OPINIONS = 0.4
LONGEST_TRIAL = 90.0
"""Seconds of processor time after which a call is taken to hang; the limits of the calls are a
tenth of it."""
LONGEST_WAIT = 600.0
"""Seconds after which a call is taken to wait for something that never comes; a machine may be
busy."""
MAX_MEMORY = 8 * 2**30
"""Bytes of address space of the process that tries, and of each that it starts."""


def try_mutants(
    seed: int, seconds: float, folder: Path, *, kinds: Sequence[str] | None = None
) -> Counter[str]:
    """Try changed input of every kind, or of some; return how often what happened, and write
    findings into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + seconds
    counts: Counter[str] = Counter()
    context = multiprocessing.get_context("spawn")
    while time.monotonic() < deadline:
        worker = context.Process(
            target=_work, args=(seed, deadline - time.monotonic(), str(folder), kinds), daemon=False
        )
        worker.start()
        _watch(worker, folder, deadline)
        counts += _counted(folder, seed)
        if worker.exitcode != 0 and (trial := _last_trial(folder)) is not None:
            hangs = worker.exitcode in (-signal.SIGKILL, -signal.SIGVTALRM)
            ending = (
                "the call does not end" if hangs else f"the process ended with {worker.exitcode}"
            )
            write_finding(folder, f"{trial.command}: {ending}", trial)
            counts["findings"] += 1
        seed += 1
    return counts


def _watch(worker: multiprocessing.process.BaseProcess, folder: Path, deadline: float) -> None:
    """Wait for the worker's end, and bring it about where a call waits too long."""
    current = folder / "current.pickle"
    begun = time.time()
    while worker.is_alive():
        worker.join(1.0)
        with suppress(FileNotFoundError):
            begun = max(begun, current.stat().st_mtime)
        if time.time() - begun > LONGEST_WAIT or time.monotonic() > deadline + LONGEST_WAIT:
            with suppress(ProcessLookupError):
                os.killpg(worker.pid or 0, signal.SIGKILL)
            worker.join()


def _work(seed: int, seconds: float, folder: str, chosen: Sequence[str] | None) -> None:
    """Try one change after the other; a process group of its own takes the engines with it."""
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    desk = _Desk(random.Random(seed), Path(folder))
    deadline = time.monotonic() + seconds
    possible = sorted(each for each in kinds() if chosen is None or each in chosen)
    slips = [each for each in program_specimens() if each.kind in possible]
    while time.monotonic() < deadline:
        if slips and desk.chance.random() < SHARE_OF_SLIPS:
            desk.try_a_slip(desk.chance.choice(slips))
        else:
            desk.try_a_change(kinds()[desk.chance.choice(possible)](desk.chance))
        (desk.folder / f"counts-{seed}.json").write_text(json.dumps(desk.counts), encoding="utf-8")
    (desk.folder / "current.pickle").unlink(missing_ok=True)


@dataclass
class _Desk:
    """Where changes are tried: the source of chance, the folder for findings, and the counts."""

    chance: random.Random
    folder: Path
    counts: Counter[str] = field(default_factory=Counter)
    known: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.known |= {
            each.read_text(encoding="utf-8").partition("\n")[0]
            for each in self.folder.glob("*/finding.txt")
        }

    def try_a_slip(self, specimen: Specimen) -> None:
        """Make the slip of a person; the file must be refused, or say something else than before,
        or be warned of."""
        slip = careful(self.chance, specimen.text, specimen.kind)
        if slip is None:
            return
        what, text = slip
        if self._tried(specimen, text) is not None and unnoticed(specimen, text):
            # A slip is short already, and what it is a slip of must stay readable.
            self._keep(
                f"read without a word: {Path(str(specimen.target)).name} {what}",
                specimen.changed(text),
            )

    def try_a_change(self, specimen: Specimen) -> None:
        """Make any change; the answer must be in order, and agree with other answers to the same
        question."""
        accepted = self._tried(specimen, _changed(self.chance, specimen))
        if accepted is None or self.chance.random() > SHARE_OF_SECOND_OPINIONS:
            return
        trial, outcome = accepted
        found = disagreement(self.chance, trial, outcome)
        if found is not None:
            self._keep(*found)

    def _tried(self, specimen: Specimen, content: Content) -> tuple[Trial, Outcome] | None:
        """Make a call and count how it ends; the call is written down before, in case that it is
        the last one."""
        trial = specimen.changed(content)
        signal.setitimer(
            signal.ITIMER_VIRTUAL, LONGEST_TRIAL
        )  # its signal ends this process, and no other one
        (self.folder / "current.pickle").write_bytes(pickle.dumps(trial))
        with TemporaryDirectory() as folder:
            outcome = run(trial, Path(folder))
        self.counts[f"{specimen.kind}: {'accepted' if outcome.accepted else 'refused'}"] += 1
        said = complaint(trial, outcome)
        if said is None:
            return (trial, outcome) if outcome.accepted else None
        if said not in self.known:
            short = shortest(specimen, content, said) if isinstance(content, str) else content
            self._keep(said, specimen.changed(short))
        return None

    def _keep(self, said: str, trial: Trial) -> None:
        if said not in self.known:
            self.known.add(said)
            self.counts["findings"] += 1
            write_finding(self.folder, said, trial)


def _changed(chance: random.Random, specimen: Specimen) -> Content:
    """The content of a specimen as it is, with a change that leaves it well formed, or with any
    change at all."""
    content, shape = specimen.content, chance.random()
    if isinstance(content, bytes):
        return _changed_space(chance, content, shape)
    if specimen.kind == "options" or shape < 0.1:
        return content
    if shape < 0.65:
        match specimen.kind:
            case "record":
                return other_record(chance, content)
            case "trace" | "trusted":
                return other_value(chance, content)
            case _:
                return plausible(chance, content, texts_of_kind(specimen.kind))
    return blind(chance, content, texts_of_kind(specimen.kind) or (content,))


def _changed_space(chance: random.Random, content: bytes, shape: float) -> bytes:
    """A saved space as it is, with another content under valid checksums, or with other bytes."""
    if shape < 0.1:
        return content
    return (
        mutant(content_in(content), chance.getrandbits(64)).file
        if shape < 0.8
        else other_bytes(chance, content)
    )


def _last_trial(folder: Path) -> Trial | None:
    try:
        trial = pickle.loads((folder / "current.pickle").read_bytes())
    except (FileNotFoundError, EOFError, pickle.UnpicklingError):
        return None
    return trial if isinstance(trial, Trial) else None


def _counted(folder: Path, seed: int) -> Counter[str]:
    path = folder / f"counts-{seed}.json"
    if not path.exists():
        return Counter()
    counts = Counter(json.loads(path.read_text(encoding="utf-8")))
    path.unlink()
    return counts
