"""Simulated runs against computed values."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.test_missions import RISKY
from tests.checking.random_mdps import SmallMdp, small_mdps
from volition.analysis.simulation import simulate, wilson_interval
from volition.checking.quantitative import check_quantitative
from volition.diagnostics import InputError
from volition.logic import parse

COIN = SmallMdp(((({1: Fraction(1, 4), 2: Fraction(3, 4)}, 2),), (), ()), (frozenset(), frozenset("a"), frozenset("b")), (1, 0, 0))


@settings(max_examples=40, deadline=None)
@given(small_mdps(), st.sampled_from(["Pmax=? [ a U b ]", "Pmin=? [ F b ]", "Pmax=? [ G a ]", "Rmin=? [ F b ]"]))
def test_simulation_agrees_with_the_value(mdp: SmallMdp, text: str) -> None:
    """With a confidence of 1 - 10⁻⁹ a disagreement would be a mistake, not bad luck."""
    space, formula = mdp.explored(), parse(text)
    verdict = check_quantitative(mdp, space, formula)
    estimate = simulate(mdp, space, formula, strategy=verdict.strategy, runs=2000, seed=0, confidence=1 - 1e-9, most_steps=300)
    assert verdict.value is not None
    assert estimate.lower - 1e-9 <= float(verdict.value) <= estimate.upper + 1e-9


def test_a_seed_gives_the_same_runs() -> None:
    space, formula = COIN.explored(), parse("P=? [ F b ]")
    one, two, other = (simulate(COIN, space, formula, strategy=None, runs=500, seed=seed) for seed in (7, 7, 8))
    assert one.estimate == two.estimate != other.estimate


def test_the_interval_of_wilson() -> None:
    """Its ends are the probabilities p at which the share lies z standard deviations away: |share - p| = z sqrt(p (1 - p) / n)."""
    z = 1.959963984540054
    for hits in (0, 3, 250, 500):
        for p in wilson_interval(hits, 500, 0.95):
            assert abs(hits / 500 - p) == pytest.approx(z * (p * (1 - p) / 500) ** 0.5, abs=1e-9)


def test_state_and_choice_rewards_count() -> None:
    estimate = simulate(COIN, COIN.explored(), parse("R=? [ F (a | b) ]"), strategy=None, runs=10, seed=0)
    assert (estimate.estimate, estimate.lower, estimate.upper) == (3, 3, 3)


def test_a_goal_that_may_be_missed_costs_infinitely_much() -> None:
    assert simulate(COIN, COIN.explored(), parse("R=? [ F b ]"), strategy=None, runs=100, seed=0).estimate == float("inf")


def test_too_many_steps_are_said() -> None:
    space, formula = RISKY.explored(), parse("Pmax=? [ F b ]")
    repeating = check_quantitative(RISKY, space, parse('R{"gain"}min=? [ F b ]')).strategy
    estimate = simulate(RISKY, space, formula, strategy=repeating, runs=1000, seed=0, most_steps=3)
    assert 60 < estimate.undecided < 200  # an eighth
    assert estimate.upper == 1


@pytest.mark.parametrize("text", ["P=? [ G F b ]", "R=? [ C<=3 ]", "S=? [ b ]"])
def test_what_cannot_be_played(text: str) -> None:
    with pytest.raises(InputError, match="cannot be simulated"):
        simulate(COIN, COIN.explored(), parse(text), strategy=None, runs=10, seed=0)
