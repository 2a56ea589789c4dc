"""Properties that watch different actions share one model, and are answered as if each had been
asked alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from volition import check, load
from volition.checking.verdict import Verdict

ROVER = Path(__file__).parents[2] / "examples" / "can" / "rover.can"

WATCHING = [
    "A [ F Does(do_nothing) ]",
    "E [ F Does(move_site1_to_site2) ]",
    "A [ G (Does(perform_experiment_site1) -> Bel(done_1)) ]",
    "A [ G (Does(perform_experiment_site2) -> Bel(done_1)) ]",
    "E [ F (Does(move_base_to_site1) & F Does(move_site2_to_site1)) ]",
    "Pmax=? [ !Does(move_base_to_site1) U Does(perform_experiment_site1) ]",
    "Pmin=? [ F Does(move_base_to_site2) ]",
    "A [ F empty ]",
]


def answer(verdict: Verdict) -> object:
    return verdict.value if verdict.holds is None else verdict.holds


@pytest.mark.parametrize(
    "together",
    [WATCHING[:2], WATCHING[2:4], WATCHING[4:6], WATCHING, WATCHING[::-1]],
    ids=["F", "G", "mixed", "all", "reversed"],
)
def test_together_as_alone(together: list[str]) -> None:
    program = load(ROVER)
    alone = [answer(check(program, [formula]).answers[0].verdict) for formula in together]
    assert None not in alone
    assert [answer(each.verdict) for each in check(program, together).answers] == alone


def test_what_the_rover_does() -> None:
    """Archibald et al., Listing 1.3: an experiment leaves its own site done, and nothing says that
    the other was done before."""
    first, second = (each.verdict for each in check(load(ROVER), WATCHING[2:4]).answers)
    assert first.holds is True
    assert second.holds is False
    assert second.run is not None
