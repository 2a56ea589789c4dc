"""Guided answers are those of the whole program, in every language; and runs that only an over-approximation has are found out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import volition
from tests.slicing.guided_programs import LANGUAGES, random_formulas
from volition.checking.check import check
from volition.checking.verdict import Verdict
from volition.kernel import Limits
from volition.languages.kit.steps import BoundExceeded
from volition.languages.model import Program
from volition.slicing.guided.check import Patience, check_guided

AT_ONCE = Patience(whole=0, states=200)
"""Nothing but the initial state is explored before the abstraction."""
MOST_STATES = 200


def guided(program: Program, formula: str, patience: Patience = AT_ONCE) -> Verdict:
    return check_guided(check, program, [formula], limits=Limits(states=MOST_STATES), patience=patience)[0].verdict


def way(verdict: Verdict) -> str:
    """Which of the ways answered."""
    note = verdict.said[-1]
    return "proved" if note.startswith("proved on an over") else "confirmed" if "confirmed on the whole" in note else "whole"


def compared(language: str, *, examples: int, formulas: int, start: int) -> Counter[str]:
    """How many verdicts of random programs were compared with guided ones, by the way that answered; none may differ."""
    seen: Counter[str] = Counter()

    @seed(start)
    @settings(max_examples=examples, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(st.data(), st.randoms(use_true_random=False))
    def compare(data: st.DataObject, random: Random) -> None:
        with TemporaryDirectory() as folder:
            program, atoms = LANGUAGES[language](data.draw, Path(folder))
        for formula in random_formulas(random, atoms, formulas):
            try:
                plain = volition.check(program, formula, max_states=MOST_STATES)[0].verdict
            except (volition.InputError, BoundExceeded):
                continue  # a name that this program does not know, or a program that needs larger bounds
            if plain.holds is None:
                continue
            answer = guided(program, formula)
            assert answer.holds is plain.holds, formula
            assert answer.run is None or answer.holds is False or "E [" in formula
            seen[way(answer)] += 1

    compare()
    return seen


@pytest.mark.parametrize("language", LANGUAGES)
def test_verdicts(language: str) -> None:
    seen = compared(language, examples=25, formulas=6, start=1)
    assert seen["proved"] > 3
    assert seen["confirmed"] > 3


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
def test_many_verdicts(language: str) -> None:
    seen = compared(language, examples=1_000, formulas=20, start=0)
    print(language, dict(seen))
    assert seen.total() >= 10_000
