"""Success and cost of missions that may fail, against strategies that are enumerated or computed by
the definition."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.small_programs import SmallProgram
from tests.checking.random_mdps import Row, SmallMdp, reachable, small_mdps, solve, until
from volition.analysis.tradeoffs.missions import (
    MissionProblem,
    build_mission,
    min_cost_at_max_probability,
    min_cost_given_success,
    within_budget,
)
from volition.checking.task import CheckSettings
from volition.diagnostics import InputError
from volition.reporting.strategies.strategy_table import tabulate_strategy

EXAMPLES = settings(max_examples=30, deadline=None)
GOAL = "Pmax=? [ F b ]"


def mission(mdp: SmallMdp, *, exact: bool = True) -> MissionProblem:
    return build_mission(SmallProgram(mdp), GOAL, settings=CheckSettings(exact=exact))


def goal_of(mdp: SmallMdp) -> set[int]:
    return {state for state, labels in enumerate(mdp.labels) if "b" in labels}


def best_values(mdp: SmallMdp) -> list[Fraction]:
    everywhere = set(range(mdp.size))
    chains = [until(chain, everywhere, goal_of(mdp)) for chain in mdp.chains()]
    return [max(values[state] for values in chains) for state in range(mdp.size)]


def best_chains(mdp: SmallMdp) -> list[list[Row]]:
    everywhere = set(range(mdp.size))
    best = best_values(mdp)
    return [chain for chain in mdp.chains() if until(chain, everywhere, goal_of(mdp))[0] == best[0]]


def settled(mdp: SmallMdp) -> set[int]:
    best = best_values(mdp)
    return goal_of(mdp) | {state for state in range(mdp.size) if best[state] == 0}


def cost_until_settled(mdp: SmallMdp, chain: list[Row]) -> Fraction | None:
    """The expected cost until success or hopelessness; None if the matter may stay open for
    ever."""
    ends = settled(mdp)
    cut = [row if s not in ends else ({s: Fraction(1)}, 0) for s, row in enumerate(chain)]
    if until(cut, set(range(mdp.size)), ends)[0] < 1:
        return None
    way = reachable(cut, 0) - ends
    return solve(cut, way, lambda s: Fraction(mdp.earned_in[s] + chain[s][1]))[0]


@EXAMPLES
@given(small_mdps(states=4))
def test_the_cheapest_of_the_best(mdp: SmallMdp) -> None:
    plan = min_cost_at_max_probability(mission(mdp))
    costs = [
        cost for chain in best_chains(mdp) if (cost := cost_until_settled(mdp, chain)) is not None
    ]
    assert plan.probability == best_values(mdp)[0]
    assert plan.cost == min(costs)
    rounded = min_cost_at_max_probability(mission(mdp, exact=False))
    assert rounded.probability == pytest.approx(float(plan.probability), abs=1e-9)
    assert rounded.cost == pytest.approx(float(plan.cost), rel=1e-9, abs=1e-9)


@EXAMPLES
@given(small_mdps(states=4))
def test_the_strategy_is_as_good_as_it_says(mdp: SmallMdp) -> None:
    plan = min_cost_at_max_probability(mission(mdp))
    space = plan.strategy.space
    taken = {space.value(s, "at"): int(c) - int(space.first_choice[s]) for s, _, c in plan.strategy}
    chain = [(mdp.rows[s] or (({s: Fraction(1)}, 0),))[taken.get(s, 0)] for s in range(mdp.size)]
    assert until(chain, set(range(mdp.size)), goal_of(mdp))[0] == plan.probability
    assert cost_until_settled(mdp, chain) == plan.cost


@EXAMPLES
@given(small_mdps(states=4))
def test_what_a_success_costs(mdp: SmallMdp) -> None:
    """E[cost | success] of a chain, by conditioning each transition on success."""
    goal, everywhere = goal_of(mdp), set(range(mdp.size))

    def cost_of_success(chain: list[Row]) -> Fraction:
        chance = until(chain, everywhere, goal)
        conditioned = [
            ({t: p * chance[t] / chance[s] for t, p in row.items() if chance[t]}, gain)
            if chance[s] and s not in goal
            else ({s: Fraction(1)}, 0)
            for s, (row, gain) in enumerate(chain)
        ]
        way = reachable(conditioned, 0) - goal
        return solve(conditioned, way, lambda s: Fraction(mdp.earned_in[s] + chain[s][1]))[0]

    plan = min_cost_given_success(mission(mdp))
    assert plan.probability == best_values(mdp)[0]
    if plan.probability == 0:
        assert plan.cost is None
    else:
        assert plan.cost == min(map(cost_of_success, best_chains(mdp)))


@EXAMPLES
@given(small_mdps(states=4), st.integers(0, 7))
def test_success_within_a_budget(mdp: SmallMdp, budget: int) -> None:
    """By the definition; every choice costs something, so that the recursion ends."""
    dear = replace(
        mdp, rows=tuple(tuple((row, gain + 1) for row, gain in rows) for rows in mdp.rows)
    )
    goal = goal_of(dear)

    @cache
    def chance(state: int, left: int) -> Fraction:
        if state in goal:
            return Fraction(1)
        costs = [(row, left - gain - dear.earned_in[state]) for row, gain in dear.rows[state]]
        return max(
            (
                sum((p * chance(target, rest) for target, p in row.items()), Fraction(0))
                for row, rest in costs
                if rest >= 0
            ),
            default=Fraction(0),
        )

    answer = within_budget(mission(dear), Fraction(budget))
    assert answer.probability == chance(0, budget)
    for left in range(budget + 1):
        assert max(value for funds, value in answer.curve if funds <= left) == chance(0, left)


RISKY = SmallMdp(
    # A safe but dear way, a cheap gamble that can be repeated, and a cheaper one that cannot.
    rows=(
        (
            ({1: Fraction(1)}, 9),
            ({1: Fraction(1, 2), 0: Fraction(1, 2)}, 3),
            ({1: Fraction(1, 2), 2: Fraction(1, 2)}, 1),
        ),
        (),
        (),
    ),
    labels=(frozenset(), frozenset("b"), frozenset()),
    earned_in=(0, 0, 0),
)


def test_the_three_readings_differ() -> None:
    best, success = (
        min_cost_at_max_probability(mission(RISKY)),
        min_cost_given_success(mission(RISKY)),
    )
    assert (best.probability, best.cost) == (1, 6)  # 3 + 3/2 + 3/4 + ...
    assert (success.probability, success.cost) == (1, 6)
    curve = within_budget(mission(RISKY), Fraction(10)).curve
    # 1: the last gamble. 4: a try for 3, then the last gamble. 7: two tries and the last gamble. 9:
    # the safe way.
    assert dict(curve) == {0: 0, 1: Fraction(1, 2), 4: Fraction(3, 4), 7: Fraction(7, 8), 9: 1}


def test_a_budget_is_remembered() -> None:
    answer = within_budget(mission(RISKY), Fraction(4))
    assert answer.strategy.memoryless_if_possible.memory is not None
    (table,) = tabulate_strategy(RISKY, answer.strategy).tables()
    assert [row[:3] for row in table.rows] == [
        ["with at least 4 gain left", "choice 1", "choice 0; choice 2"],
        ["otherwise", "choice 2", "choice 0; choice 1"],
    ]


def test_fractions_of_a_budget() -> None:
    assert within_budget(mission(RISKY), Fraction(9, 2)).probability == Fraction(3, 4)


@pytest.mark.parametrize(
    "formula",
    [
        "Pmin=? [ F b ]",
        "Pmax=? [ G a ]",
        "Pmax=? [ F<=3 b ]",
        "P>=0.5 [ F b ]",
        "A [ F b ]",
        "Rmin=? [ F b ]",
    ],
)
def test_what_is_no_mission(formula: str) -> None:
    with pytest.raises(InputError, match="is not a reachability objective"):
        build_mission(SmallProgram(RISKY), formula)


def test_budgets_without_sense() -> None:
    with pytest.raises(InputError, match="not be negative"):
        within_budget(mission(RISKY), Fraction(-1))
    with pytest.raises(InputError, match="too many to track"):
        within_budget(mission(RISKY), Fraction(10**9))
