"""Slices of programs that are sliced as texts: the same behaviour, never more states, and often
fewer."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import volition
from tests.slicing.comparing import compare
from tests.slicing.random_languages import LANGUAGES
from tests.slicing.random_program import RandomProgram
from volition.api.slicing import require_known_names
from volition.languages.common.state_buffer import BoundExceeded
from volition.languages.protocols import Program
from volition.logic.traversal import modal_atoms

LIMIT = 400
UNSHRUNK = [Phase.reuse, Phase.generate]
"""To make such programs smaller takes minutes."""
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def compared_behaviour(language: str, *, examples: int) -> Counter[str]:
    """How many random programs were compared with their slices, none of which differs, and how many
    of the slices have fewer states."""
    seen: Counter[str] = Counter()

    @settings(max_examples=examples, suppress_health_check=SLOW, deadline=None, phases=UNSHRUNK)
    @given(random=LANGUAGES[language], draw=st.integers(0, 2**32).map(Random))
    def compared(random: RandomProgram, draw: Random) -> None:
        with TemporaryDirectory() as folder:
            atoms = draw.sample(list(random.atoms), draw.choice([1, 1, 2]))
            rewards = (
                draw.sample(list(random.rewards), 1)
                if random.rewards and draw.random() < 0.3
                else []
            )
            program = random.load(Path(folder))
            if not mentions(program, *atoms):
                return
            try:
                found = compare(program, atoms, limit=LIMIT, rewards=rewards)
            except BoundExceeded:
                return
        assert found.same is not False
        seen["compared"] += found.same is True
        seen["fewer states"] += found.fewer_states

    compared()
    return seen


@pytest.mark.parametrize("language", LANGUAGES)
def test_behaviour(language: str) -> None:
    """All that some atoms, and rewards, can see is the same, step by step where the slice takes the
    same steps."""
    assert compared_behaviour(language, examples=25)["compared"] > 2


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
def test_behaviour_of_many(language: str) -> None:
    """And slices often have fewer states."""
    seen = compared_behaviour(language, examples=600)
    assert seen["compared"] > 300
    assert seen["fewer states"] > 15


@pytest.mark.parametrize("language", LANGUAGES)
def test_slices_are_programs(language: str) -> None:
    """What is written can be read again by itself, and is the program that was checked."""

    @settings(max_examples=6, suppress_health_check=SLOW, deadline=None, phases=UNSHRUNK)
    @given(random=LANGUAGES[language], draw=st.integers(0, 2**32).map(Random))
    def written(random: RandomProgram, draw: Random) -> None:
        with TemporaryDirectory() as folder, TemporaryDirectory() as other:
            program = random.load(Path(folder))
            formula = f"A [ G ({draw.choice(list(random.atoms))}) ]"
            if not mentions(program, formula):
                return
            sliced = volition.slice(program, formula)
            for name, text in sliced.texts.items():
                (Path(other) / name).parent.mkdir(exist_ok=True)
                (Path(other) / name).write_text(text)
            again = volition.load(
                Path(other) / (next(iter(sliced.texts)) if len(sliced.texts) == 1 else "")
            )
            assert [each.text for each in again.properties] == [formula] or len(
                again.properties
            ) == 1
            # A slice may lose the only mention of an atom; by itself it does not know the atom.
            if mentions(again, formula):
                assert explored(again, formula) == explored(sliced.program, formula)

    written()


def mentions(program: Program, *formulas: str) -> bool:
    """Return whether a program mentions all names of some formulas; a random program need not
    mention all that can be asked."""
    try:
        require_known_names(program, [volition.parse(each) for each in formulas])
    except volition.InputError:
        return False
    return True


def explored(program: Program, formula: str) -> tuple[int, int] | None:
    """How many states and transitions there are, as far as they are explored."""
    model = program.model(modal_atoms(volition.parse(formula)))
    try:
        space = volition.explore(model.system, max_states=LIMIT)
    except BoundExceeded:
        return None
    return space.num_states, space.num_transitions
