"""Simulated runs against computed values."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.test_missions import RISKY
from tests.checking.random_mdps import SmallMdp, small_mdps
from volition.analysis.simulation import simulate
from volition.checking.quantitative import check_quantitative
from volition.diagnostics import InputError
from volition.logic import parse

COIN = SmallMdp(((({1: Fraction(1, 4), 2: Fraction(3, 4)}, 2),), (), ()), (frozenset(), frozenset("a"), frozenset("b")), (1, 0, 0))


@settings(max_examples=40, deadline=None)
@given(small_mdps(), st.sampled_from(["Pmax=? [ a U b ]", "Pmin=? [ F b ]", "Pmax=? [ G a ]", "Rmin=? [ F b ]", "Rmax=? [ F b ]"]))
def test_simulation_agrees_with_the_value(mdp: SmallMdp, text: str) -> None:
    """With a confidence of 1 - 10⁻⁹ a disagreement would be a mistake, not bad luck."""
    space, formula = mdp.explored(), parse(text)
    verdict = check_quantitative(mdp, space, formula)
    estimate = simulate(mdp, space, formula, verdict.strategy, runs=2000, confidence=1 - 1e-9)
    assert verdict.value is not None
    assert estimate.undecided == 0
    assert estimate.lower - 1e-9 <= float(verdict.value) <= estimate.upper + 1e-9


def test_a_seed_gives_the_same_runs() -> None:
    space, formula = COIN.explored(), parse("P=? [ F b ]")
    one, two, other = (simulate(COIN, space, formula, runs=500, seed=seed) for seed in (7, 7, 8))
    assert one.value == two.value != other.value


def test_the_interval_is_that_of_clopper_and_pearson() -> None:
    """372 of 500 at 95 %: the bounds are those at which a binomial tail is 2.5 %."""
    from scipy.stats import binom

    estimate = simulate(COIN, COIN.explored(), parse("P=? [ F b ]"), runs=500, confidence=0.95)
    hits = round(estimate.value * 500)
    assert binom.sf(hits - 1, 500, estimate.lower) == pytest.approx(0.025, abs=1e-9)
    assert binom.cdf(hits, 500, estimate.upper) == pytest.approx(0.025, abs=1e-9)
    assert estimate.agrees_with(0.75)
    assert not estimate.agrees_with(0.9)


def test_state_and_choice_rewards_count() -> None:
    estimate = simulate(COIN, COIN.explored(), parse("R=? [ F (a | b) ]"), runs=10)
    assert (estimate.value, estimate.lower, estimate.upper) == (3, 3, 3)


def test_a_goal_that_may_be_missed_costs_infinitely_much() -> None:
    assert simulate(COIN, COIN.explored(), parse("R=? [ F b ]"), runs=100).value == float("inf")


def test_too_many_steps_are_said() -> None:
    space, formula = RISKY.explored(), parse("Pmax=? [ F b ]")
    repeating = check_quantitative(RISKY, space, parse('R{"gain"}min=? [ F b ]')).strategy
    estimate = simulate(RISKY, space, formula, repeating, runs=1000, most_steps=3)
    assert 60 < estimate.undecided < 200  # an eighth
    assert not estimate.agrees_with(1)


def test_choices_need_a_strategy() -> None:
    with pytest.raises(InputError, match="leaves choices open"):
        simulate(RISKY, RISKY.explored(), parse("Pmax=? [ F b ]"))


@pytest.mark.parametrize("text", ["P=? [ F<=3 b ]", "P=? [ G F b ]", "R=? [ C<=3 ]", "S=? [ b ]"])
def test_what_cannot_be_played(text: str) -> None:
    with pytest.raises(InputError, match="cannot be simulated"):
        simulate(COIN, COIN.explored(), parse(text))
