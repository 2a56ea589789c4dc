"""Intervals and tests keep their promises, on coins whose probability is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from volition.analysis.smc.intervals import (
    Counts,
    LookSchedule,
    RunningMean,
    SequentialTest,
    clopper_pearson,
    confidence_sequence,
)

COINS = [0.0, 0.003, 0.2, 0.5, 0.97, 1.0]


def test_clopper_and_pearson_in_textbook_cases() -> None:
    """No hit in n runs: nothing below, and above the p with (1 - p)^n = 0.025."""
    assert clopper_pearson(Counts(20, 0), 0.05) == pytest.approx((0, 1 - 0.025 ** (1 / 20)))
    assert clopper_pearson(Counts(20, 20), 0.05) == pytest.approx((0.025 ** (1 / 20), 1))
    assert clopper_pearson(Counts(10, 3), 0.05) == pytest.approx(
        (0.0667395, 0.6524529), abs=1e-6
    )  # tables of the binomial
    assert clopper_pearson(Counts(20, 0, undecided=20), 0.05) == (0, 1)


@pytest.mark.parametrize("coin", COINS)
def test_clopper_and_pearson_cover(coin: float) -> None:
    """Summed over every number of hits, not sampled: the coverage is exact."""
    runs, wrong = 200, 0.02
    intervals = [clopper_pearson(Counts(runs, hits), wrong) for hits in range(runs + 1)]
    missed = sum(
        binom.pmf(hits, runs, coin)
        for hits, (lower, upper) in enumerate(intervals)
        if not lower <= coin <= upper
    )
    assert missed <= wrong


@pytest.mark.parametrize("coin", COINS)
def test_an_answer_with_planned_looks_is_as_sure_and_as_close_as_asked_for(coin: float) -> None:
    """Of 500 answers with confidence 0.9 at most 50 may be wrong on average; the looks share the
    chance, so that there are fewer."""
    plan = LookSchedule.for_error(0.9, 0.05)
    chance = np.random.default_rng(1)
    wrong = 0
    for _ in range(500):
        counts = Counts()
        for look in plan.sample_sizes:
            more = look - counts.runs
            counts = counts.plus(more, int(chance.binomial(more, coin)), 0)
            if plan.is_precise(counts, 0.05):
                break
        lower, upper = plan.interval(counts)
        assert upper - lower <= 0.1
        wrong += not lower <= coin <= upper
    assert wrong <= 50


def test_few_runs_are_enough_for_what_is_almost_certain() -> None:
    plan = LookSchedule.for_error(0.99, 0.005)
    assert plan.is_precise(Counts(plan.sample_sizes[0], 0), 0.005)
    assert not plan.is_precise(Counts(plan.sample_sizes[0], plan.sample_sizes[0] // 2), 0.005)
    assert all(
        plan.is_precise(Counts(plan.sample_sizes[-1], hits), 0.005)
        for hits in range(0, plan.sample_sizes[-1], 997)
    )
    # Hoeffding's inequality alone (Okamoto 1958) needs as many for every probability.
    assert plan.sample_sizes[-1] < 1.2 * math.log(2 / 0.01) / (2 * 0.005**2)
    assert plan.sample_sizes[0] < plan.sample_sizes[-1] / 50


@pytest.mark.parametrize("coin", COINS)
def test_the_mixture_holds_wherever_one_stops(coin: float) -> None:
    """An interval that misses anywhere between 1 and 2,000 runs counts as wrong; of 100 with
    confidence 0.9 that may be 10."""
    chance = np.random.default_rng(2)
    wrong = 0
    for _ in range(100):
        hits = np.cumsum(chance.random(2000) < coin)
        stops = np.unique(np.geomspace(1, 2000, 40).astype(int))
        intervals = [
            confidence_sequence(Counts(int(stop), int(hits[stop - 1])), 0.1) for stop in stops
        ]
        wrong += any(not lower <= coin <= upper for lower, upper in intervals)
    assert wrong <= 10


def test_the_mixture_becomes_narrow() -> None:
    lower, upper = confidence_sequence(Counts(100_000, 50_000), 0.01)
    assert 0 < upper - lower < 0.02
    assert confidence_sequence(Counts(), 0.01) == (0, 1)
    assert confidence_sequence(Counts(100, 0, undecided=100), 0.01) == (0, 1)


@pytest.mark.parametrize(
    ("coin", "above"), [(0.35, True), (0.25, False), (0.9, True), (0.0, False), (1.0, True)]
)
def test_a_sequential_test_is_seldom_wrong(coin: float, above: bool) -> None:
    """Outside of 0.3 ± 0.05 each wrong answer has a chance of at most 0.05: of 400, more than 40
    would be a wonder."""
    chance = np.random.default_rng(3)
    wrong = 0
    for _ in range(400):
        test = SequentialTest.around(0.3, 0.05, 0.05)
        while test.answer is None:
            hits = chance.random(100) < coin
            test = test.plus(hits.tolist(), (~hits).tolist())
            assert test.runs <= test.max_runs
        wrong += test.answer is not above
    assert wrong <= 40


def test_a_sequential_test_needs_few_runs_far_from_its_threshold() -> None:
    far, near = (
        SequentialTest.around(0.5, 0.01, 0.01).plus([hit] * 100_000, [not hit] * 100_000)
        for hit in (True, False)
    )
    assert far.answer is True
    assert near.answer is False
    assert far.runs < 300


def test_a_test_at_the_ends() -> None:
    """One miss refutes P>=1, one hit refutes P<=0."""
    assert SequentialTest.around(1.0, 0.01, 0.01).plus([True, False], [False, True]).answer is False
    assert SequentialTest.around(0.0, 0.01, 0.01).plus([False, True], [True, False]).answer is True


def test_runs_that_stay_open_count_against_both_answers() -> None:
    test = SequentialTest.around(0.5, 0.05, 0.01).plus([False] * 10_000, [False] * 10_000)
    assert test.answer is None


def test_means_are_added_up() -> None:
    numbers = np.random.default_rng(4).exponential(3.0, size=5_000)
    mean = RunningMean()
    for part in np.array_split(numbers, 7):
        mean = mean.add(part)
    assert mean.mean == pytest.approx(numbers.mean())
    assert mean.radius(0.95) == pytest.approx(
        1.959964 * numbers.std(ddof=1) / math.sqrt(5_000), rel=1e-6
    )
    assert mean.add(np.array([math.inf])).infinite == 1
