"""Whether slices answer as their programs do: the methods of the paper do not, the sound one
does."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import volition
from tests.languages.gwendolen.generator import SYSTEMS, RandomSystem, write
from tests.slicing.counterexamples import COUNTEREXAMPLES, SUBTLE, Counterexample
from tests.slicing.generator import ATOMS, random_program
from tests.slicing.traces import difference, labelled
from volition.languages.gwendolen.program import GwendolenProgram
from volition.slicing.gwendolen.slice import Method, slice_program


def holds(program: GwendolenProgram, formula: str) -> bool | None:
    return volition.check(program, formula)[0].verdict.holds


@pytest.mark.parametrize(
    "example", COUNTEREXAMPLES, ids=lambda each: f"{each.name} {each.plans[:30]}"
)
def test_the_paper_changes_the_verdict(example: Counterexample, tmp_path: Path) -> None:
    """And says by which pattern; the sound method does not change it."""
    program, formula = example.load(tmp_path), volition.parse(example.formula)
    assert holds(program, example.formula) is example.holds
    sliced = slice_program(program, [formula], example.method)
    assert holds(sliced.program, example.formula) is not example.holds
    assert any(f"({example.name}):" in each.message for each in sliced.warnings)
    sound = slice_program(program, [formula], "sound")
    assert holds(sound.program, example.formula) is example.holds
    assert not sound.warnings


@pytest.mark.parametrize("example", SUBTLE, ids=lambda each: each.name)
def test_what_must_not_become_a_no_op(example: Counterexample, tmp_path: Path) -> None:
    """A belief that nobody reads whose event takes a turn; a belief that only decides how long
    something else takes."""
    program, formula = example.load(tmp_path), volition.parse(example.formula)
    assert holds(program, example.formula) is example.holds
    without = Counterexample(**{**vars(example), "plans": example.plans.replace("+b", "-skip", 1)})
    assert holds(without.load(tmp_path), example.formula) is not example.holds
    assert (
        holds(slice_program(program, [formula], "sound").program, example.formula) is example.holds
    )


def compared(seed: int, folder: Path, method: Method, *, limit: int) -> bool | None:
    """Whether the slice of a random program for random atoms does the same; None where there is
    nothing to compare."""
    random = Random(seed)
    program = random_program(random).load(folder)
    return same_runs(program, random.sample(ATOMS, random.choice([1, 2, 3])), method, limit=limit)


def same_runs(
    program: GwendolenProgram, atoms: list[str], method: Method, *, limit: int
) -> bool | None:
    """Whether the slice for some atoms does the same as the program; None where nothing is left
    out, or where they do too much."""
    try:
        sliced = slice_program(program, [volition.parse(each) for each in atoms], method).program
        whole = None if sliced.agents == program.agents else labelled(program, atoms, limit=limit)
    except volition.InputError:
        return None  # a name that this program does not know
    part = None if whole is None else labelled(sliced, atoms, limit=limit)
    return None if whole is None or part is None else difference(whole, part) is None


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_sound_slices_of_random_programs(seed: int) -> None:
    """Not only the same verdicts: the same runs, as far as the atoms see them."""
    with TemporaryDirectory() as folder:
        assert compared(seed, Path(folder), "sound", limit=300) is not False


SEEN = [
    ("Bel", "p"),
    ("Bel", "q"),
    ("Bel", "s"),
    ("Bel", "n(1)"),
    ("Bel", "d"),
    ("Does", "push"),
    ("Does", "turn"),
    ("Des", "h"),
    ("Int", "g"),
]


@settings(max_examples=60)
@given(
    system=SYSTEMS,
    seen=st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(SEEN)),
        min_size=1,
        max_size=3,
        unique=True,
    ),
)
def test_sound_slices_of_random_systems(
    system: RandomSystem, seen: list[tuple[str, tuple[str, str]]]
) -> None:
    """Several agents that talk to each other, and worlds that their actions change."""
    names = {each.name for each in system.programs}
    atoms = [f"{modality}({agent}, {what})" for agent, (modality, what) in seen if agent in names]
    with TemporaryDirectory() as folder:
        program = volition.load(write(system, Path(folder)))
        assert isinstance(program, GwendolenProgram)
        assert same_runs(program, atoms, "sound", limit=300) is not False


def test_most_random_programs_can_be_compared(tmp_path: Path) -> None:
    assert sum(compared(seed, tmp_path, "sound", limit=300) is True for seed in range(40)) > 8


@pytest.mark.parametrize("method", ["bordini", "winikoff"])
def test_the_comparison_can_fail(method: Method, tmp_path: Path) -> None:
    """The same programs tell the methods of the paper from a sound one."""
    assert any(compared(seed, tmp_path, method, limit=300) is False for seed in range(40))
