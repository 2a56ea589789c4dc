"""Archibald et al., Sect. 4.4: Fig. 6, the rover's cheapest certain mission, and a front of three
objectives."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from volition.analysis.tradeoffs.missions import (
    build_mission,
    min_cost_at_max_probability,
    min_cost_given_success,
    within_budget,
)
from volition.analysis.tradeoffs.pareto import ParetoResult, pareto
from volition.checking.check import check
from volition.languages.can import load
from volition.reporting.strategies.strategy_table import tabulate_strategy

EXAMPLES = Path(__file__).parents[2] / "examples" / "can"
MANUFACTURING = load(EXAMPLES / "smart_manufacturing.can", {})
ROVER = load(EXAMPLES / "rover.can", {})
BOTH, CHEAP = "Pmax=? [ F (PS1 & PS2) ]", "Pmax=? [ F (Pch1 | Pch2) ]"


@pytest.fixture(scope="module")
def figure_6() -> ParetoResult:
    return pareto(MANUFACTURING, [BOTH, CHEAP])


def test_the_vertices_of_figure_6(figure_6: ParetoResult) -> None:
    """The red and the blue point, exactly."""
    assert figure_6.exact
    assert [corner.values for corner in figure_6.corners] == [
        (Fraction("0.6561"), 0),
        (Fraction("0.3969"), 1),
    ]


def test_the_vertices_have_deterministic_strategies_without_memory(figure_6: ParetoResult) -> None:
    for corner in figure_6.corners:
        assert corner.strategy.memoryless_if_possible.memory is None
    wrapped = [
        [
            each.action
            for each in tabulate_strategy(figure_6.model, corner.strategy).decision_points
            if each.action.startswith("act wrap")
        ]
        for corner in figure_6.corners
    ]
    assert wrapped == [
        ["act wrap_premium1", "act wrap_premium2"],
        ["act wrap_standard1", "act wrap_premium2"],
    ]


def test_the_black_point_of_figure_6_is_a_coin_tossed_at_the_start(figure_6: ParetoResult) -> None:
    middle = figure_6.mixture([Fraction("0.5265"), Fraction("0.5")])
    assert middle is not None
    assert (
        middle.sentence()
        == "with probability 0.5 play strategy 1, else strategy 2, chosen once at the start"
    )
    assert figure_6.mixture([Fraction("0.5266"), Fraction("0.5")]) is None


def test_three_objectives() -> None:
    """Store both products, a cheap bag for product 1, a cheap bag for product 2.

    A cheap bag for product 2 needs its wrapping before its deadline falls below 3, which is too
    early to save product 1 as well.
    """
    result = pareto(MANUFACTURING, [BOTH, "Pmax=? [ F Pch1 ]", "Pmax=? [ F Pch2 ]"])
    stored_with_second_cheap = "Pmax=? [ F (PS1 & PS2 & Pch2) ]"
    assert check(MANUFACTURING, [stored_with_second_cheap]).answers[0].verdict.value == 0
    assert (Fraction("0.6561"), 0, 0) in [corner.values for corner in result.corners]
    assert (Fraction("0.3969"), 1, 0) in [corner.values for corner in result.corners]
    # Whoever uses a cheap bag for product 2 for certain stores both with probability 0.
    certain = [corner.values for corner in result.corners if corner.values[2] == 1]
    assert certain
    assert all(values[0] == 0 for values in certain)


def test_the_rovers_cheapest_certain_mission() -> None:
    """Sect. 4.3: success is certain for a careful rover, at a distance of 12 (3 + 5 + 4), or of 3
    moves."""
    for reward, expected in (("distance", 12), ("moves", 3)):
        mission = build_mission(ROVER, "Pmax=? [ F (SS1 & SS2) ]", reward)
        best, success = min_cost_at_max_probability(mission), min_cost_given_success(mission)
        assert (best.probability, best.cost) == (1, expected)
        assert (success.probability, success.cost) == (1, expected)
        assert within_budget(mission, Fraction(expected)).probability == 1
        assert within_budget(mission, Fraction(expected) - 1).probability == 0
