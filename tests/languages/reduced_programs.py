"""Random systems, and random programs of each language, explored as a whole and reduced: nothing
that can be asked may differ.

Each is explored by one thread and by several, and then reduced twice: for random formulas of LTL or
CTL*, and for probabilities; by ``static`` or by ``lookahead``, as its dice fall.

``python -m tests.languages.reduced_programs CAN systems --programs 20000`` compares so many of
each, from a random seed on, and says now and then how many there were and how large the reduced
spaces are, on average, as a part of the whole ones.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random, randrange
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.checking.random_systems import loose_system
from tests.checking.reduced_checks import (
    MAX_STATES,
    ModelWithAtoms,
    compare_probabilities,
    compare_runs,
)
from tests.kernel.same_arrays import same
from tests.languages.random_programs import LOOSE_PROGRAMS
from volition.diagnostics import InputError
from volition.kernel import Limits, exploration, explore

__all__ = ["SUBJECTS", "Compared", "compared"]

Drawn = Callable[[Random, Path], ModelWithAtoms]


def _program_of(language: str) -> Drawn:
    return lambda dice, folder: LOOSE_PROGRAMS[language](dice).model(folder)


SUBJECTS: Mapping[str, Drawn] = {
    **{each: _program_of(each) for each in LOOSE_PROGRAMS},
    "systems": lambda dice, _: loose_system(dice),
}

BEFORE_JOBS = 4
"""States that one thread explores before the others join it: here they are small."""


@dataclass(frozen=True)
class Compared:
    """How many were compared, how many of them were not because they are too large, and the mean
    size of the reduced spaces."""

    programs: int
    left_out: int
    size: float


def compared(subject: str, first: int) -> Iterator[Compared]:
    """What was compared so far, after each program that was, from a seed on."""
    sizes = 0.0
    programs = 0
    with (
        TemporaryDirectory() as folder,
        patch.object(exploration, "PARALLEL_THRESHOLD", BEFORE_JOBS),
    ):
        for seed in count(first):
            size = _compare(SUBJECTS[subject], Random(seed), Path(folder))
            if size is not None:
                programs += 1
                sizes += size
                yield Compared(programs, seed + 1 - first - programs, sizes / programs)


def _compare(draw: Drawn, dice: Random, folder: Path) -> float | None:
    """The size of the reduced spaces as a part of the whole one; None for a program that is too
    large, or exceeds its bounds."""
    try:
        model = draw(dice, folder)
        whole, together = (
            explore(model.system, limits=Limits(states=MAX_STATES, jobs=jobs)) for jobs in (1, 3)
        )
    except InputError:
        return None
    assert same(whole, together)
    if not whole.complete:
        return None
    branching, futures, futures_too = (dice.random() < 0.5 for _ in range(3))
    runs = compare_runs(model, dice, branching=branching, futures=futures, whole=whole)
    return (runs + compare_probabilities(model, dice, futures=futures_too, whole=whole)) / 2


def main() -> None:
    """Compare, and say now and then how far it is."""
    parser = argparse.ArgumentParser()
    parser.add_argument("subjects", nargs="*", default=list(SUBJECTS))
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=randrange(10**9), help="the first seed")
    given = parser.parse_args()
    for subject in given.subjects:
        start = time.process_time()
        for seen in compared(subject, given.first):
            if seen.programs % 500 == 0 or seen.programs >= given.programs:
                counts = (
                    f"{seen.programs:,} compared, {seen.left_out:,} too large, reduced to "
                    f"{seen.size:.1%}"
                )
                print(
                    f"{subject} from seed {given.first}, {time.process_time() - start:.0f} s: "
                    f"{counts}",
                    flush=True,
                )
            if seen.programs >= given.programs:
                break


if __name__ == "__main__":
    main()
