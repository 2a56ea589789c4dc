"""Estimators against naive formulas, and intervals that contain the truth as often as they say."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volition.runtime.learning.feedbacks import fit_weights, fit_window, window_likelihood
from volition.runtime.learning.percepts import EVERY_CYCLE, TimingShape, fit_percept, fit_shape
from volition.runtime.learning.samples import CallSamples, WaitingSamples
from volition.runtime.learning.waiting_times import waiting_for_feedback, waiting_for_flip

WAITS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(1, 12), st.booleans()), min_size=1, max_size=12
)
CALLS = st.lists(
    st.tuples(st.integers(1, 7), st.sampled_from(["a", "b", None])), min_size=1, max_size=12
)


def naive_trials(waits: WaitingSamples, shape: TimingShape) -> list[tuple[float, bool]]:
    """Cycle by cycle, as Sect. 3.4.1 counts: the weight w of each try, and whether the percept
    flipped in it."""
    trials = []
    for start, length, flipped in waits.waits:
        counter = start
        for cycle in range(length):
            distance = abs(counter - shape.mu)
            weight = (
                1.0
                if shape.every_cycle
                else max(0.0, 1 - distance / (shape.sigma + 1))
                if distance <= shape.sigma
                else 0.0
            )
            trials.append((weight, flipped and cycle == length - 1))
            counter = 0 if counter == shape.mu + shape.sigma else counter + 1
    return trials


def naive_likelihood(waits: WaitingSamples, shape: TimingShape, p: float) -> float:
    total = 0.0
    for weight, flipped in naive_trials(waits, shape):
        chance = p * weight if flipped else 1 - p * weight
        if chance <= 0:
            return -math.inf
        total += math.log(chance)
    return total


@given(WAITS, st.integers(1, 5), st.integers(0, 3))
@settings(max_examples=80, deadline=None)
def test_p_is_where_the_likelihood_is_largest(
    several: list[tuple[int, int, bool]], mu: int, sigma: int
) -> None:
    waits, shape = WaitingSamples(several), TimingShape(mu, min(sigma, mu))
    fitted = fit_percept(waits, shape)
    grid = [naive_likelihood(waits, shape, p) for p in np.linspace(0, 1, 401)]
    if fitted.p is None:
        assert max(grid) == -math.inf or fitted.trials == 0
        return
    assert naive_likelihood(waits, shape, fitted.p) == pytest.approx(
        fitted.log_likelihood, abs=1e-9
    )
    assert fitted.log_likelihood >= max(grid) - 1e-7
    assert fitted.lower <= fitted.p + 1e-9
    assert fitted.p <= fitted.upper + 1e-9
    if shape.sigma == 0 and fitted.trials:
        tried = [flipped for weight, flipped in naive_trials(waits, shape) if weight]
        assert fitted.p == pytest.approx(sum(tried) / len(tried))


@given(WAITS)
@settings(max_examples=10, deadline=None)
def test_the_shape_is_the_likeliest_of_all(several: list[tuple[int, int, bool]]) -> None:
    waits = WaitingSamples(several)
    fitted = fit_shape(waits)
    if not waits.flips:
        assert fitted.shape == EVERY_CYCLE
        return
    longest = max(start + length - 1 for start, length, flipped in several if flipped)
    shapes = [
        TimingShape(mu, sigma)
        for mu in range(1, 2 * longest + 2)
        for sigma in range(mu + 1)
        if mu + sigma + 1 <= 2 * longest + 2
    ]
    best = max((fit_percept(waits, shape).log_likelihood for shape in shapes), default=-math.inf)
    every = fit_percept(waits, EVERY_CYCLE).log_likelihood
    expected = every if every + 2 >= best - 1e-9 else best
    assert fitted.log_likelihood == pytest.approx(expected, abs=1e-6)


def naive_window(calls: CallSamples, mu: int, sigma: int) -> float:
    total = 0.0
    for cycles, feedback in calls.calls:
        for cycle in range(1, cycles + 1):
            came = feedback is not None and cycle == cycles
            h = min(1.0, max(0.0, (cycle - mu + sigma + 1) / (2 * sigma + 1)))
            chance = h if came else 1 - h
            if chance <= 0:
                return -math.inf
            total += math.log(chance)
    return total


@given(CALLS)
@settings(max_examples=60, deadline=None)
def test_the_window_is_the_likeliest_of_all(several: list[tuple[int, str | None]]) -> None:
    calls = CallSamples(several)
    fitted = fit_window(calls)
    if fitted is None:
        assert all(feedback is None for _, feedback in several)
        return
    longest = max(cycles for cycles, _ in several)
    naive = {
        (mu, sigma): naive_window(calls, mu, sigma)
        for mu in range(1, 2 * longest + 2)
        for sigma in range(mu)
    }
    assert fitted.log_likelihood == pytest.approx(max(naive.values()))
    assert naive[fitted.mu, fitted.sigma] == pytest.approx(fitted.log_likelihood)
    assert window_likelihood(calls, fitted.mu, fitted.sigma) == pytest.approx(fitted.log_likelihood)


def test_windows_of_the_observed_delays() -> None:
    """Izzo, Eq. 3.7, for delays of 1; 1 or 2; and 3 to 6 cycles, where the shares are those of such
    windows."""
    assert _window([1] * 74) == (1, 0)
    assert _window([1] * 30 + [2] * 50) == (2, 1)
    assert _window([3] * 20 + [4] * 15 + [5] * 6 + [6] * 2) == (4, 2)


def _window(delays: list[int]) -> tuple[int, int]:
    fitted = fit_window(CallSamples([(each, "came") for each in delays]))
    assert fitted is not None
    return fitted.mu, fitted.sigma


# --- how often intervals are right ----------------------------------------------------------------


def drawn_waits(chance: Random, shape: TimingShape, p: float, cycles: int) -> WaitingSamples:
    """A percept that begins and ends at once again, cut off after so many cycles."""
    waits, start, length = WaitingSamples(), 1, 0
    counter = start
    for _ in range(cycles):
        distance = abs(counter - shape.mu)
        weight = (
            1.0
            if shape.every_cycle
            else 1 - distance / (shape.sigma + 1)
            if distance <= shape.sigma
            else 0.0
        )
        length += 1
        if chance.random() < p * weight:
            waits.waits.append((start, length, True))
            start = counter = length = 0
        else:
            counter = 0 if counter == shape.mu + shape.sigma else counter + 1
    if length:
        waits.waits.append((start, length, False))
    return waits


@pytest.mark.parametrize(
    ("shape", "p"), [(EVERY_CYCLE, 0.05), (TimingShape(4, 0), 0.6), (TimingShape(6, 2), 0.3)]
)
def test_95_of_100_intervals_contain_the_true_probability(shape: TimingShape, p: float) -> None:
    chance = Random(7)
    fitted = [fit_percept(drawn_waits(chance, shape, p, 300), shape) for _ in range(200)]
    right = sum(each.lower <= p <= each.upper for each in fitted)
    assert 180 <= right <= 200  # 190 expected; the chance of fewer than 180 is below 0.1 %
    assert np.mean([each.p for each in fitted if each.p is not None]) == pytest.approx(p, rel=0.15)


def test_95_of_100_intervals_contain_the_true_weight() -> None:
    chance = Random(3)
    right = 0
    for _ in range(200):
        calls = CallSamples([(1, "go on" if chance.random() < 0.6 else "stop") for _ in range(40)])
        first, second = fit_weights(calls, {"go on": 0, "stop": 0})
        assert first.count + second.count == first.total == 40
        right += first.lower <= 0.6 <= first.upper
    assert 180 <= right <= 200


def test_expected_and_observed_waits_sum_to_the_same() -> None:
    """At the largest likelihood of a chance in every cycle, as many flips are expected as were
    observed."""
    waits = drawn_waits(Random(1), EVERY_CYCLE, 0.1, 500)
    rows = waiting_for_flip(waits, fit_percept(waits, EVERY_CYCLE))
    assert (
        sum(row.expected for row in rows)
        == pytest.approx(sum(row.observed for row in rows))
        == waits.flips
    )
    assert [row.minimum for row in rows[1:]] == [row.maximum + 1 for row in rows[:-1]]


def test_a_rate_that_is_right_in_the_mean_and_wrong_in_shape_is_seen() -> None:
    """A percept that comes in the first cycle or never."""
    waits = WaitingSamples([(1, 1, True)] * 27 + [(1, 30, False)] * 25)
    rows = waiting_for_flip(waits, fit_percept(waits, EVERY_CYCLE))
    assert rows[0].observed == 27
    assert rows[0].expected < 10


def test_feedbacks_in_their_window_are_expected_there() -> None:
    calls = CallSamples([(5, "came")] * 60)
    fitted = fit_window(calls)
    assert fitted is not None
    assert [
        (row.minimum, row.maximum, row.observed, row.expected)
        for row in waiting_for_feedback(calls, fitted)
    ] == [
        (1, 4, 0, 0.0),
        (5, 5, 60, 60.0),
    ]
