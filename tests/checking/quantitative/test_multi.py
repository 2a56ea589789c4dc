"""Several objectives: the front against all strategies with memory, enumerated."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checking.properties import by_numbers, traded
from tests.checking.random_mdps import Row, SmallMdp, small_mdps, until, until_reward
from volition.checking.quantitative.pareto.front import Bound
from volition.checking.verdict import Verdict
from volition.diagnostics import InputError
from volition.kernel import Limits, explore
from volition.logic import parse
from volition.logic.syntax import Multi

EXAMPLES = settings(max_examples=25, deadline=None)
A, B = "Pmax=? [ F a ]", "Pmax=? [ F b ]"
Weight = Fraction
weights = st.lists(st.integers(0, 5), min_size=2, max_size=2).filter(any)


def remembering_chains(mdp: SmallMdp) -> Iterator[tuple[list[Row], list[frozenset[str]]]]:
    """Every strategy that remembers which labels it has seen, as a chain over pairs of state and
    memory.

    Only pairs that can be reached matter; the first pair is the initial one.
    """
    start = (0, mdp.labels[0])
    pairs, waiting = [start], [start]
    while waiting:
        state, seen = waiting.pop()
        for row, _ in mdp.rows[state]:
            for target in row:
                pair = (target, seen | mdp.labels[target])
                if pair not in pairs:
                    pairs.append(pair)
                    waiting.append(pair)
    number = {pair: i for i, pair in enumerate(pairs)}
    options = [
        [
            ({number[target, seen | mdp.labels[target]]: p for target, p in row.items()}, gain)
            for row, gain in mdp.rows[state]
        ]
        or [({number[state, seen]: Fraction(1)}, 0)]
        for state, seen in pairs
    ]
    for chain in itertools.islice(itertools.product(*options), 2000):
        yield list(chain), [seen for _, seen in pairs]


def seen_first(chain: list[Row], seen: list[frozenset[str]], name: str) -> Fraction:
    everywhere = set(range(len(chain)))
    return until(chain, everywhere, {i for i in everywhere if name in seen[i]})[0]


def small_enough(mdp: SmallMdp) -> bool:
    return len(list(remembering_chains(mdp))) < 2000


@EXAMPLES
@given(small_mdps(states=3).filter(small_enough), weights)
def test_the_front_is_the_hull_of_all_strategies(mdp: SmallMdp, chosen: list[int]) -> None:
    points = [
        (seen_first(chain, seen, "a"), seen_first(chain, seen, "b"))
        for chain, seen in remembering_chains(mdp)
    ]
    found = traded(mdp, mdp.explored(), [parse(A), parse(B)], exact=True)
    attained = [corner.values for corner in found.front.corners]
    assert set(attained) <= set(points), "each corner is the value of a strategy"
    directions = [(1, 0), (0, 1), (1, 1), (chosen[0], chosen[1])]
    for x, y in directions:
        assert max(x * a + y * b for a, b in attained) == max(x * a + y * b for a, b in points)
    for corner in attained:
        better = [p for p in points if p != corner and p[0] >= corner[0] and p[1] >= corner[1]]
        assert not better, "no strategy is better than a corner"


@EXAMPLES
@given(small_mdps(states=3).filter(small_enough))
def test_each_corner_is_attained_by_its_choices(mdp: SmallMdp) -> None:
    found = traded(mdp, mdp.explored(), [parse(A), parse(B)], exact=True)
    for corner in found.front.corners:
        assert found.objectives.evaluate(corner.choices).values == corner.values


@EXAMPLES
@given(
    small_mdps(states=3).filter(small_enough),
    st.fractions(0, 1, max_denominator=4),
    st.fractions(0, 1, max_denominator=4),
)
def test_bounds(mdp: SmallMdp, first: Fraction, second: Fraction) -> None:
    """A mixture of two strategies meets two bounds if any mixture does (the points lie in the
    plane)."""
    points = {
        (seen_first(chain, seen, "a"), seen_first(chain, seen, "b"))
        for chain, seen in remembering_chains(mdp)
    }

    def meets(p: tuple[Fraction, Fraction], q: tuple[Fraction, Fraction]) -> bool:
        # Shares of p that give enough of a, and enough of b: do the intervals meet?
        low, high = Fraction(0), Fraction(1)
        for i, bound in enumerate((first, second)):
            slope, rest = p[i] - q[i], bound - q[i]
            if slope == 0:
                if rest > 0:
                    return False
            elif slope > 0:
                low = max(low, rest / slope)
            else:
                high = min(high, rest / slope)
        return low <= high

    possible = any(meets(p, q) for p in points for q in points)
    found = traded(mdp, mdp.explored(), [parse(A), parse(B)], exact=True)
    bounds = [Bound(first), Bound(second)]
    assert found.front.attains(bounds) is possible
    shares = found.front.mixture([first, second])
    assert (shares is not None) == possible
    if shares is not None:
        for i, bound in enumerate((first, second)):
            reached = sum(
                share * corner.values[i]
                for share, corner in zip(shares, found.front.corners, strict=True)
            )
            assert float(reached) >= float(bound) - 1e-9


@EXAMPLES
@given(small_mdps(states=3))
def test_one_objective_is_a_query(mdp: SmallMdp) -> None:
    space = mdp.explored()
    found = traded(mdp, space, [parse(A)], exact=True)
    assert [corner.values for corner in found.front.corners] == [
        (max(until(c, set(range(mdp.size)), _states(mdp, "a"))[0] for c in mdp.chains()),)
    ]


def _states(mdp: SmallMdp, name: str) -> set[int]:
    return {state for state, labels in enumerate(mdp.labels) if name in labels}


def test_rewards_and_probabilities() -> None:
    """A safe way to a costs 3, a risky one costs 1 and fails half of the time: two corners."""
    mdp = SmallMdp(
        rows=((({1: Fraction(1)}, 3), ({1: Fraction(1, 2), 2: Fraction(1, 2)}, 1)), (), ()),
        labels=(frozenset(), frozenset("a"), frozenset("b")),
        earned_in=(0, 0, 0),
    )
    safe, risky = [until_reward(chain, mdp.earned_in, {1, 2}) for chain in mdp.chains()]
    found = traded(mdp, mdp.explored(), [parse(A), parse("Rmin=? [ F a ]")], exact=True)
    assert [corner.values for corner in found.front.corners] == [(1, safe), (Fraction(1, 2), risky)]
    # Half of each.
    verdict = ask(mdp, "multi(Pmax=? [ F a ], R<=2 [ F a ])")
    assert verdict.value == Fraction(3, 4)
    assert "with probability 0.5" in verdict.notes[0]
    assert ask(mdp, "multi(P>=0.75 [ F a ], R<=2 [ F a ])").holds is True
    assert ask(mdp, "multi(P>0.75 [ F a ], R<=2 [ F a ])").holds is False
    assert ask(mdp, "multi(P>=0.75 [ G !b ], R<2 [ F a ])").holds is False
    assert ask(mdp, "multi(Rmin=? [ F a ], P>=0.75 [ G !b ])").value == 2
    assert ask(mdp, "multi(Pmax=? [ F a ], R<=0.5 [ F a ])").unknown is not None


def ask(mdp: SmallMdp, formula: str, exact: bool = True) -> Verdict:
    return by_numbers(mdp, mdp.explored(), parse(formula), exact=exact)


COIN = SmallMdp(
    rows=((({1: Fraction(1)}, 1), ({2: Fraction(1)}, 0)), (), ()),
    labels=(frozenset(), frozenset("a"), frozenset("b")),
    earned_in=(0, 0, 0),
)


def test_three_objectives() -> None:
    found = traded(COIN, COIN.explored(), [parse(A), parse(B), parse("Rmin=? [ C ]")], exact=True)
    assert [corner.values for corner in found.front.corners] == [(1, 0, 1), (0, 1, 0)]
    assert found.front.best(2, [Bound(Fraction(1, 4)), None, None]) == (
        Fraction(1, 4),
        Fraction(1, 4),
    )


def test_rounded_values_do_not_decide_at_the_front() -> None:
    assert ask(COIN, "multi(P>=0.5 [ F a ], P>=0.5 [ F b ])").holds is True
    assert ask(COIN, "multi(P>=0.5 [ F a ], P>0.5 [ F b ])").holds is False
    rounded = ask(COIN, "multi(P>=0.5 [ F a ], P>0.5 [ F b ])", exact=False)
    assert rounded.holds is None
    assert rounded.unknown is not None


@pytest.mark.parametrize(
    ("objectives", "codes"),
    [
        ([A, "Pmax=? [ F<=3 b ]", "Pmax=? [ G F b ]"], ["CHK030", "CHK030"]),
        ([A, "P=? [ F b ]"], ["CHK031"]),
        ([A, "A [ F b ]"], ["CHK030"]),
        ([A, 'R{"gain"}min=? [ I=3 ]'], ["CHK030"]),
        ([A, 'R{"gold"}min=? [ C ]'], ["CHK017"]),
    ],
)
def test_what_is_no_objective(objectives: list[str], codes: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        traded(COIN, COIN.explored(), [parse(each) for each in objectives])
    assert [each.code for each in caught.value.diagnostics] == codes


def test_several_open_objectives_have_no_single_answer() -> None:
    with pytest.raises(InputError, match="compute the Pareto front"):
        by_numbers(COIN, COIN.explored(), Multi((parse(A), parse(B))))


def test_partial_spaces_have_no_front() -> None:
    space = explore(COIN.system, limits=Limits(states=1))
    verdict = by_numbers(COIN, space, parse("multi(P>=0.5 [ F a ], P>=0.5 [ F b ])"))
    assert verdict.holds is None
    assert verdict.unknown is not None
