"""Slices of random programs of any language against the programs themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import volition
from tests.slicing.bisimulation import LabelledProcess, bisimilar, process_of
from tests.slicing.traces import LabelledGraph, difference
from volition.languages.common.dependencies import SliceableProgram
from volition.languages.jason import JasonProgram
from volition.languages.protocols import Program
from volition.slicing.text_slice import TextSlice, slice_program_text


@dataclass(frozen=True)
class Compared:
    """``same`` is None where the program does more than the limit; ``left_out`` whether the slice
    is smaller as a text."""

    left_out: bool
    same: bool | None
    fewer_states: bool = False


def compare(
    program: Program, atoms: Sequence[str], *, limit: int, rewards: Sequence[str] = ()
) -> Compared:
    """A program with its slice for some atoms: by all that the atoms can see, step by step where
    nothing was left out as a whole.

    Where ``rewards`` are asked for as well, what is earned counts, too.
    """
    earned = [f'R{{"{each}"}}max=? [ F ({atoms[0]}) ]' for each in rewards]
    sliced = sliced_for(program, [*(f"A [ G ({each}) ]" for each in atoms), *earned])
    if not any(sliced.cone.left_out):
        return Compared(False, None)
    formulas = [volition.parse(each) for each in atoms]
    whole = process_of(program, formulas, rewards, limit=limit)
    if whole is None:
        return Compared(True, None)
    part = process_of(sliced.program, formulas, rewards, limit=limit)
    fails = "on_failure = event" in "".join(each.text for each in program.sources)
    assert fails or (part is not None and len(part.labels) <= len(whole.labels)), (
        "a slice has more states"
    )
    if part is None:
        return Compared(True, None)
    return Compared(True, _same(sliced, whole, part), len(part.labels) < len(whole.labels))


def sliced_for(program: Program, formulas: Sequence[str]) -> TextSlice:
    assert isinstance(program, SliceableProgram)
    return slice_program_text(program, [volition.parse(each) for each in formulas])


def _same(sliced: TextSlice, whole: LabelledProcess, part: LabelledProcess) -> bool:
    """Whether both do the same, step by step but where a slice may have fewer steps.

    That is one without an event of CAN or an agent of AgentSpeak(F), one for what never changes,
    and one of Jason where the plans decide where a cycle is cut.
    """
    without_roots = bool(sliced.cone.left_out[0]) and sliced.unsliced.language in (
        "CAN",
        "AgentSpeak(F)",
    )
    is_cut = isinstance(sliced.unsliced, JasonProgram) and any(
        each.cycle == "exact" for each in sliced.unsliced.settings.values()
    )
    if without_roots or sliced.cone.atoms_are_constant or is_cut:
        return difference(_runs(whole), _runs(part)) is None
    return bisimilar(whole, part)


def _runs(process: LabelledProcess) -> LabelledGraph:
    return LabelledGraph(
        process.labels,
        [[then for _, leads in choices for then in leads] for choices in process.choices],
    )
