"""Robust probabilities: Storm's interval MDPs against value iteration written down naively."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from volition.checking.mdp.mdp import Mdp
from volition.checking.quantitative.robust import Between, robust_reachability
from volition.checking.storm.client import EngineError
from volition.kernel import Choice, Component, System, explore

STATES = 5

Row = list[tuple[int, Between]]


@st.composite
def rows(draw: st.DrawFn) -> Row:
    """The targets of a choice, with intervals around probabilities that sum to 1."""
    targets = draw(st.lists(st.integers(0, STATES), min_size=1, max_size=3, unique=True))
    shares = [draw(st.integers(1, 5)) for _ in targets]
    width = draw(st.sampled_from([0.0, 0.1, 0.3]))
    chances = [share / sum(shares) for share in shares]
    if len(targets) == 1:
        return [(targets[0], (1.0, 1.0))]
    return [
        (target, (max(0.01, chance - width), min(0.99, chance + width)))
        for target, chance in zip(targets, chances, strict=True)
    ]


def naive(process: list[list[Row]], *, choices: str, nature: str) -> float:
    """Value iteration from below; nature gives to the best target as much as it may, then to the
    next.

    Processes that hardly ever leave where they are take too many rounds: nothing is said about
    them.
    """
    pick = max if choices == "max" else min
    values = np.zeros(STATES + 1)
    values[STATES] = 1.0
    rounds = 0
    while True:
        assume((rounds := rounds + 1) <= 5_000)
        new = values.copy()
        for state in range(STATES):
            new[state] = pick(_picked(row, values, nature) for row in process[state])
        if np.max(np.abs(new - values)) < 1e-13:
            return float(values[0])
        values = new


def _picked(row: Row, values: Any, nature: str) -> float:
    left = 1 - sum(low for _, (low, _) in row)
    total = sum(low * values[target] for target, (low, _) in row)
    for target, (low, high) in sorted(
        row, key=lambda each: values[each[0]], reverse=nature == "max"
    ):
        more = min(left, high - low)
        total += more * values[target]
        left -= more
    return float(total)


def explored(process: list[list[Row]]) -> tuple[Mdp, list[Between], Any]:
    """The process as a space: each interval is a weight of its own, known again by its number."""
    known: dict[Fraction, Between] = {Fraction(1): (1.0, 1.0)}

    def step(state: Any) -> list[Choice]:
        here = state["s"]
        if here == STATES:
            return []
        return [
            Choice((here, number), _outcomes(row, known))
            for number, row in enumerate(process[here])
        ]

    space = explore(System({"s": 0}, [Component("walker", step)]))
    goal = np.array([space.value(state, "s") == STATES for state in range(space.num_states)])
    return Mdp.from_space(space), [known[Fraction(weight)] for weight in space.weights], goal


def _outcomes(row: Row, known: dict[Fraction, Between]) -> list[tuple[Fraction, dict[str, int]]]:
    if len(row) == 1:
        return [(Fraction(1), {"s": row[0][0]})]
    # Different powers of two have different sums, so that no weight stands for two intervals.
    weights = [Fraction(1, 2 ** (3 + len(known) + number)) for number in range(len(row) - 1)]
    weights.append(1 - sum(weights, Fraction(0)))
    for weight, (_, between) in zip(weights, row, strict=True):
        known[weight] = between
    return [(weight, {"s": target}) for weight, (target, _) in zip(weights, row, strict=True)]


@given(st.lists(st.lists(rows(), min_size=1, max_size=2), min_size=STATES, max_size=STATES))
@settings(max_examples=12, deadline=None)
def test_storm_agrees_with_naive_value_iteration(process: list[list[Row]]) -> None:
    mdp, between, goal = explored(process)
    for choices, nature in itertools.product(("max", "min"), ("max", "min")):
        found = robust_reachability(
            mdp,
            between,
            goal,
            np.zeros_like(goal),
            choices=choices,  # type: ignore[arg-type]
            nature=nature,  # type: ignore[arg-type]
        )
        assert found == pytest.approx(naive(process, choices=choices, nature=nature), abs=1e-6)


def test_an_interval_with_0_in_it_has_an_answer_within_steps_only() -> None:
    process: list[list[Row]] = [
        [[(0, (0.5, 1.0)), (STATES, (0.0, 0.5))]],
        *([[[(n, (1.0, 1.0))]] for n in range(1, STATES)]),
    ]
    mdp, between, goal = explored(process)
    nowhere = np.zeros_like(goal)
    with pytest.raises(EngineError, match="includes 0"):
        robust_reachability(mdp, between, goal, nowhere, choices="max", nature="max")
    assert robust_reachability(
        mdp, between, goal, nowhere, choices="max", nature="max", steps=2
    ) == pytest.approx(0.75)
    assert robust_reachability(
        mdp, between, goal, nowhere, choices="max", nature="min", steps=2
    ) == pytest.approx(0.0)
