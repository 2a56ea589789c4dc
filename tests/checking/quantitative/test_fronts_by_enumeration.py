"""Fronts of random processes against all strategies, enumerated: values, bounds, infinite costs,
and the strategies that are told.

The naive side knows nothing of weighted sums: it remembers what was seen, goes through every choice
function on pairs of state and memory, and solves linear equations with fractions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.checking.properties import by_numbers, traded
from tests.checking.random_mdps import (
    INFINITY,
    Row,
    SmallMdp,
    reachable,
    recurrent,
    small_mdps,
    solve,
    until,
)
from volition.checking.quantitative.pareto.multi import MultiObjectiveResult
from volition.checking.storm.client import EngineError
from volition.logic import parse

EXAMPLES = settings(max_examples=30, deadline=None)
MAX_STRATEGIES = 200
Seen = frozenset[str]
"""The labels seen so far, and "late" once neither a nor b held before b did."""


@dataclass(frozen=True)
class Naive:
    """An objective: its text without direction, whether it is a probability, and its value in a
    chain over pairs."""

    text: str
    kind: str
    value: Callable[[SmallMdp, list[Row], Sequence[tuple[int, Seen]]], Any]


def _probability(
    goal: Callable[[Seen], bool], *, opposite: bool = False
) -> Callable[..., Fraction]:
    def value(_: SmallMdp, chain: list[Row], pairs: Sequence[tuple[int, Seen]]) -> Fraction:
        reached = until(
            chain, set(range(len(chain))), {i for i, (_, seen) in enumerate(pairs) if goal(seen)}
        )[0]
        return 1 - reached if opposite else reached

    return value


def _reward(goal: str | None) -> Callable[..., Any]:
    def value(mdp: SmallMdp, chain: list[Row], pairs: Sequence[tuple[int, Seen]]) -> Any:
        def earned(pair: int) -> Fraction:
            state, seen = pairs[pair]
            over = goal is not None and (
                goal in seen or not any(goal in mdp.labels[each] for each in _ahead(mdp, state))
            )
            return Fraction(0 if over else mdp.earned_in[state] + chain[pair][1])

        met = reachable(chain, 0)
        for_ever = {pair for part in recurrent(chain) for pair in part}
        if any(earned(pair) for pair in met & for_ever):
            return INFINITY
        return solve(chain, met - for_ever, earned)[0]

    return value


def _ahead(mdp: SmallMdp, state: int) -> set[int]:
    found, waiting = {state}, [state]
    while waiting:
        for row, _ in mdp.rows[waiting.pop()]:
            new = set(row) - found
            found |= new
            waiting += new
    return found


PROBABILITIES = [
    Naive("[ F a ]", "P", _probability(lambda seen: "a" in seen)),
    Naive("[ F b ]", "P", _probability(lambda seen: "b" in seen)),
    Naive("[ G !a ]", "P", _probability(lambda seen: "a" in seen, opposite=True)),
    Naive("[ a U b ]", "P", _probability(lambda seen: "b" in seen and "late" not in seen)),
]
REWARDS = [Naive("[ F b ]", "R", _reward("b")), Naive("[ C ]", "R", _reward(None))]
objectives = st.tuples(
    st.tuples(st.sampled_from(PROBABILITIES), st.sampled_from(["max", "min"])),
    st.tuples(st.sampled_from(PROBABILITIES + REWARDS), st.sampled_from(["max", "min"])),
)
Asked = Sequence[tuple[Naive, str]]


def _next(mdp: SmallMdp, seen: Seen, target: int) -> Seen:
    labels = mdp.labels[target]
    late = {"late"} if "b" not in seen | labels and not labels else set()
    return seen | labels | late


def _choices(mdp: SmallMdp, state: int) -> Sequence[Row]:
    return mdp.rows[state] or (({state: Fraction(1)}, 0),)


def strategies(mdp: SmallMdp) -> Iterator[tuple[list[Row], list[tuple[int, Seen]]]]:
    """The chain of every strategy that remembers what was seen, over the pairs that some strategy
    meets."""
    start = (0, _next(mdp, frozenset(), 0))
    pairs, waiting = [start], [start]
    while waiting:
        state, seen = waiting.pop()
        for pair in (
            (target, _next(mdp, seen, target)) for row, _ in _choices(mdp, state) for target in row
        ):
            if pair not in pairs:
                pairs.append(pair)
                waiting.append(pair)
    number = {pair: i for i, pair in enumerate(pairs)}
    options = [
        [
            ({number[target, _next(mdp, seen, target)]: p for target, p in row.items()}, gain)
            for row, gain in _choices(mdp, state)
        ]
        for state, seen in pairs
    ]
    assume(math.prod(map(len, options)) <= MAX_STRATEGIES)
    for chain in itertools.product(*options):
        yield list(chain), pairs


def points_of(mdp: SmallMdp, query: Asked) -> set[tuple[Any, ...]]:
    return {
        tuple(each.value(mdp, chain, pairs) for each, _ in query)
        for chain, pairs in strategies(mdp)
    }


def oriented(point: Sequence[Any], query: Asked) -> tuple[Any, ...]:
    return tuple(
        x if direction == "max" else -x for x, (_, direction) in zip(point, query, strict=True)
    )


def texts(query: Asked) -> list[str]:
    return [f"{each.kind}{direction}=? {each.text}" for each, direction in query]


def asked_for(mdp: SmallMdp, query: Asked, *, exact: bool) -> MultiObjectiveResult:
    return traded(
        mdp, mdp.explored(), [parse(text) for text in texts(query)], exact=exact, seconds=20
    )


def told_value(mdp: SmallMdp, found: MultiObjectiveResult, choices: Any, each: Naive) -> Any:
    """The value of a strategy as it is told: the process is followed with the labels of its
    choices."""
    space, unfolding = mdp.explored(), found.objectives.unfolding
    rows: dict[Hashable, Row] = {}
    start = (0, _next(mdp, frozenset(), 0), 0)
    met, waiting = [start], [start]
    while waiting:
        here = waiting.pop()
        state, seen, pair = here
        choice = int(choices[pair])
        original = int(unfolding.mdp.original_choices[choice])
        row, gain = _choices(mdp, state)[
            int(str(space.label(original)).split()[-1]) if original >= 0 and mdp.rows[state] else 0
        ]
        begin, end = unfolding.mdp.first_transition[choice : choice + 2].tolist()
        after = {
            space.value(int(unfolding.states[t]), "at"): t
            for t in unfolding.mdp.targets[begin:end].tolist()
        }
        targets = {(t, _next(mdp, seen, t), after.get(t, pair)): p for t, p in row.items()}
        rows[here] = (targets, gain)  # type: ignore[assignment]
        for target in targets:
            if target not in met:
                met.append(target)
                waiting.append(target)
    number = {node: i for i, node in enumerate(met)}
    chain: list[Row] = [
        ({number[t]: p for t, p in rows[node][0].items()}, rows[node][1])  # type: ignore[index]
        for node in met
    ]
    return each.value(mdp, chain, [(state, seen) for state, seen, _ in met])


processes = small_mdps(states=6, choices=3, deciding=3)


@EXAMPLES
@given(processes, objectives, st.lists(st.integers(0, 5), min_size=2, max_size=2).filter(any))
def test_fronts(mdp: SmallMdp, query: Asked, direction: list[int]) -> None:
    points = {oriented(point, query) for point in points_of(mdp, query)}
    if any(INFINITY in point for point in points):
        with pytest.raises(EngineError, match="infinitely often"):
            asked_for(mdp, query, exact=True)
        return
    found = asked_for(mdp, query, exact=True)
    corners = found.corners()
    attained = [oriented(corner.values, query) for corner in corners]
    assert set(attained) <= points, "each corner is the value of a strategy"
    for corner in corners:
        for (each, _), value in zip(query, corner.values, strict=True):
            assert told_value(mdp, found, corner.choices, each) == value
    finite = [point for point in points if -INFINITY not in point]
    finite_corners = [point for point in attained if -INFINITY not in point]
    assert bool(finite) == bool(finite_corners)
    for x, y in [(1, 0), (0, 1), (1, 1), (direction[0], direction[1])]:
        if finite:
            assert max(x * a + y * b for a, b in finite_corners) == max(
                x * a + y * b for a, b in finite
            )
    # Whatever the price in the other objective: the best value of each one alone.
    for position in (0, 1):
        if any(point[position] != -INFINITY for point in points):
            assert max(point[position] for point in attained) == max(
                point[position] for point in points
            )
    for corner_point in attained:
        assert not any(
            p != corner_point and all(x >= y for x, y in zip(p, corner_point, strict=True))
            for p in points
        )


@EXAMPLES
@given(processes, objectives)
def test_rounded_fronts(mdp: SmallMdp, query: Asked) -> None:
    """Floating point finds the same corners, each with the value that its strategy has."""
    points = {oriented(point, query) for point in points_of(mdp, query)}
    assume(not any(INFINITY in point for point in points))
    exact = asked_for(mdp, query, exact=True).corners()
    rounded = asked_for(mdp, query, exact=False)
    corners = rounded.corners()
    assert [c.values for c in corners] == [
        pytest.approx([float(x) for x in c.values], rel=1e-8, abs=1e-8) for c in exact
    ]
    for corner in corners:
        for (each, _), value in zip(query, corner.values, strict=True):
            reported = told_value(mdp, rounded, corner.choices, each)
            assert reported == value or abs(reported - Fraction(value)) <= Fraction(corner.error)


@EXAMPLES
@given(processes, objectives, st.fractions(0, 1, max_denominator=6))
def test_the_best_value_within_a_bound(mdp: SmallMdp, query: Asked, share: Fraction) -> None:
    """The best of the first objective among mixtures of two strategies (of one, at infinity) that
    meet a bound on the second."""
    points = {oriented(point, query) for point in points_of(mdp, query)}
    assume(not any(INFINITY in point for point in points))
    seconds = sorted({point[1] for point in points if point[1] != -INFINITY})
    assume(seconds)
    bound = seconds[0] + share * (seconds[-1] - seconds[0])
    useful = [point for point in points if point[1] != -INFINITY]
    above, below = ([p for p in useful if p[1] >= bound], [p for p in useful if p[1] < bound])
    best: Any = max(p[0] for p in above)
    for p, q in itertools.product(above, below):
        mixed = (bound - q[1]) / (p[1] - q[1])
        best = max(best, mixed * p[0] + (1 - mixed) * q[0])
    (first, how), (second, other) = query
    relation, threshold = (">=", bound) if other == "max" else ("<=", -bound)
    formula = (
        f"multi({first.kind}{how}=? {first.text}, {second.kind}{relation}{threshold} {second.text})"
    )
    expected = best if how == "max" else -best
    verdict = by_numbers(mdp, mdp.explored(), parse(formula), exact=True)
    assert verdict.value == expected
    rounded = by_numbers(mdp, mdp.explored(), parse(formula), exact=False, seconds=20)
    if rounded.unknown is None:
        assert rounded.value is not None
        low = rounded.value if rounded.lower is None else rounded.lower
        high = rounded.value if rounded.upper is None else rounded.upper
        assert low - 1e-15 <= expected <= high + 1e-15
    else:
        assert "use exact arithmetic" in rounded.unknown


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
@pytest.mark.parametrize("exact", [True, False])
def test_states_may_have_any_numbers(order: tuple[int, int], exact: bool) -> None:
    """Home or a decision, and the decision that never crashes is the third: one strategy has both
    objectives for certain."""
    half, home, crash = Fraction(1, 2), 1, 3
    decide = (
        ({home: Fraction(9, 10), crash: Fraction(1, 10)}, 0),
        ({home: Fraction(1, 3), crash: Fraction(2, 3)}, 0),
        ({home: Fraction(1)}, 0),
    )
    mdp = SmallMdp(
        (((dict.fromkeys(order, half), 0),), (), decide, ()),
        (frozenset(), frozenset("b"), frozenset(), frozenset("a")),
        (0, 0, 0, 0),
    )
    queried = [(PROBABILITIES[2], "max"), (PROBABILITIES[1], "max")]
    found = asked_for(mdp, queried, exact=exact)
    (corner,) = found.corners()
    assert corner.values == (1, 1)
    assert [told_value(mdp, found, corner.choices, each) for each, _ in queried] == [1, 1]
