"""Slices of random programs of any language against the programs themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import volition
from tests.slicing.bisimulation import LabelledProcess, bisimilar, process_of
from tests.slicing.traces import LabelledGraph, difference
from volition.checking.verdict import Verdict
from volition.languages.kit.dependencies import SliceableProgram
from volition.languages.model import Program
from volition.slicing.text_slice import TextSlice, slice_text

SHAPES = (
    "A [ G ({0}) ]", "A [ F ({0}) ]", "A [ G F ({0}) ]", "A [ F G ({0}) ]", "A [ G (({0}) -> F ({1})) ]", "E [ F (({0}) & E [ G ({1}) ]) ]",
    "A [ ({0}) W ({1}) ]", "E [ !({0}) U ({1}) ]", "A [ G (({0}) & !({1})) ]", "A [ G ({0}) ] & E [ F ({1}) ]",
)  # fmt: skip
COUNTING = ("A [ X ({0}) ]", "A [ F<=5 ({0}) ]", "E [ X X ({0}) ]", "A [ G (({0}) -> X ({1})) ]")
CHANCES = ("Pmax=? [ F ({0}) ]", "Pmin=? [ G ({0}) ]", "Pmax=? [ ({0}) U ({1}) ]", "Pmin=? [ F<=4 ({0}) ]", "P>=1 [ X ({0}) ]")


@dataclass(frozen=True)
class Compared:
    """``same`` is None where the program does more than the limit; ``left_out`` whether the slice is smaller as a text."""

    left_out: bool
    same: bool | None
    fewer_states: bool = False


def compare(program: Program, atoms: Sequence[str], *, limit: int, rewards: Sequence[str] = ()) -> Compared:
    """A program with its slice for some atoms: by all that the atoms can see, step by step where nothing was left out as a whole.

    Where ``rewards`` are asked for as well, what is earned counts, too.
    """
    earned = [f'R{{"{each}"}}max=? [ F ({atoms[0]}) ]' for each in rewards]
    sliced = sliced_for(program, [*(f"A [ G ({each}) ]" for each in atoms), *earned])
    if not any(sliced.cone.left_out):
        return Compared(False, None)
    asked = [volition.parse(each) for each in atoms]
    whole = process_of(program, asked, rewards, limit=limit)
    if whole is None:
        return Compared(True, None)
    part = process_of(sliced.program, asked, rewards, limit=limit)
    assert part is not None, "a slice has more states"
    assert len(part.labels) <= len(whole.labels), "a slice has more states"
    return Compared(True, _same(sliced, whole, part), len(part.labels) < len(whole.labels))


def sliced_for(program: Program, formulas: Sequence[str]) -> TextSlice:
    assert isinstance(program, SliceableProgram)
    return slice_text(program, [volition.parse(each) for each in formulas])


def _same(sliced: TextSlice, whole: LabelledProcess, part: LabelledProcess) -> bool:
    """A slice without an event of CAN or an agent of AgentSpeak(F) has fewer steps; every other has the same."""
    if sliced.cone.left_out[0] and sliced.whole.language in ("CAN", "AgentSpeak(F)"):
        return difference(_runs(whole), _runs(part)) is None
    return bisimilar(whole, part)


def _runs(process: LabelledProcess) -> LabelledGraph:
    return LabelledGraph(process.labels, [[then for _, leads in choices for then in leads] for choices in process.choices])


def random_formulas(random: Random, atoms: Sequence[str], number: int, *, shapes: Sequence[str] = (*SHAPES, *COUNTING)) -> list[str]:
    return [random.choice(shapes).format(random.choice(atoms), random.choice(atoms)) for _ in range(number)]


def changed_verdicts(program: Program, formulas: Sequence[str], *, limit: int) -> tuple[int, list[str]]:
    """How many verdicts were compared of a program with and without ``--slice``, and the formulas whose verdicts differ."""
    try:
        whole = volition.check(program, formulas, max_states=limit)
        known = [each for each in whole if each.verdict.unknown is None]
        sliced = volition.check(program, [each.question.text for each in known], slice=True, max_states=limit) if known else ()
    except volition.InputError as error:
        if {each.code for each in error.diagnostics} <= {"ASP050", "ASP051"}:
            return 0, []  # a system that needs more room than it has
        raise
    # A number too near to a threshold is unknown, of a slice as of a program.
    pairs = [(one, other) for one, other in zip(known, sliced, strict=True) if other.verdict.unknown is None]
    return len(pairs), [one.question.text for one, other in pairs if not _agree(one.verdict, other.verdict)]


def _agree(one: Verdict, other: Verdict) -> bool:
    if one.value is None or other.value is None:
        return one.holds is other.holds and one.value is other.value
    return math.isclose(one.value, other.value, abs_tol=1e-6)
