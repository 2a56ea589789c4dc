"""Probabilities and rewards against an oracle that enumerates strategies, and what the answers say
about themselves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checking.properties import by_numbers
from tests.checking.random_mdps import (
    INFINITY,
    Number,
    Row,
    SmallMdp,
    expected,
    long_run,
    reachable,
    recurrent,
    small_mdps,
    until,
    until_reward,
)
from volition.checking.mdp.mdp import Mdp
from volition.checking.verdict import Verdict
from volition.diagnostics import InputError
from volition.kernel import Component, Limits, System, explore
from volition.logic import parse
from volition.logic.syntax import Probability

EXAMPLES = settings(max_examples=12, deadline=None)
OPTIMA: dict[str, Callable[..., Any]] = {"min": min, "max": max}
optima = st.sampled_from(["min", "max"])


def ask(mdp: SmallMdp, formula: str, **options: Any) -> Verdict:
    verdict = by_numbers(mdp, mdp.explored(), parse(formula), **options)
    assert verdict.unknown is None
    return verdict


def value(mdp: SmallMdp, formula: str) -> Number:
    """The value of a query, which must be the same in both kinds of arithmetic."""
    if Mdp.from_space(mdp.explored()).is_markov_chain:
        formula = formula.replace("min=?", "=?").replace("max=?", "=?")
    exact, rounded = ask(mdp, formula, exact=True).value, ask(mdp, formula, exact=False)
    assert exact is not None
    assert rounded.value is not None
    assert math.isclose(rounded.value, exact, rel_tol=1e-9, abs_tol=1e-12)
    if rounded.lower is not None and rounded.upper is not None and math.isfinite(exact):
        assert rounded.lower <= exact <= rounded.upper
        assert rounded.upper - rounded.lower <= 1e-8 * max(1.0, abs(float(rounded.value)))
    return exact


def states(mdp: SmallMdp, name: str) -> set[int]:
    return {state for state, labels in enumerate(mdp.labels) if name in labels}


# --- against the oracle ---------------------------------------------------------------------------


@EXAMPLES
@given(small_mdps(), optima)
def test_until(mdp: SmallMdp, optimum: str) -> None:
    a, b = states(mdp, "a"), states(mdp, "b")
    everywhere = set(range(mdp.size))
    best = OPTIMA[optimum]
    assert value(mdp, f"P{optimum}=? [ a U b ]") == best(
        until(chain, a, b)[0] for chain in mdp.chains()
    )
    assert value(mdp, f"P{optimum}=? [ F b ]") == best(
        until(chain, everywhere, b)[0] for chain in mdp.chains()
    )
    assert value(mdp, f"P{optimum}=? [ G a ]") == best(
        1 - until(chain, everywhere, everywhere - a)[0] for chain in mdp.chains()
    )
    # a W b fails where a & !b holds until neither does; a R b where !a holds until !b does.
    assert value(mdp, f"P{optimum}=? [ a W b ]") == best(
        1 - until(chain, a - b, everywhere - a - b)[0] for chain in mdp.chains()
    )
    assert value(mdp, f"P{optimum}=? [ a R b ]") == best(
        1 - until(chain, everywhere - a, everywhere - b)[0] for chain in mdp.chains()
    )


def bounded_until(
    mdp: SmallMdp, best: Callable[..., Number], a: set[int], b: set[int], lower: int, upper: int
) -> Number:
    """By the definition: after i steps, the formula has i steps less to go."""
    values: list[Number] = [Fraction(int(state in b)) for state in range(mdp.size)]
    for step in range(upper - 1, -1, -1):
        earlier = mdp.before(best, values)
        values = [
            Fraction(1)
            if state in b and step >= lower
            else earlier[state]
            if state in a
            else Fraction(0)
            for state in range(mdp.size)
        ]
    return values[0]


@EXAMPLES
@given(small_mdps(), optima, st.integers(0, 3), st.integers(0, 4))
def test_step_bounds(mdp: SmallMdp, optimum: str, lower: int, more: int) -> None:
    a, b, everywhere = states(mdp, "a"), states(mdp, "b"), set(range(mdp.size))
    best, other, upper = OPTIMA[optimum], OPTIMA["max" if optimum == "min" else "min"], lower + more
    assert value(mdp, f"P{optimum}=? [ a U<={upper} b ]") == bounded_until(
        mdp, best, a, b, 0, upper
    )
    assert value(mdp, f"P{optimum}=? [ a U[{lower},{upper}] b ]") == bounded_until(
        mdp, best, a, b, lower, upper
    )
    assert value(mdp, f"P{optimum}=? [ G<={upper} a ]") == 1 - bounded_until(
        mdp, other, everywhere, everywhere - a, 0, upper
    )
    assert value(mdp, f"P{optimum}=? [ X b ]") == bounded_until(mdp, best, everywhere, b, 1, 1)


@EXAMPLES
@given(small_mdps(states=4), optima, st.integers(0, 3))
def test_not_before(mdp: SmallMdp, optimum: str, steps: int) -> None:
    """``U>=k`` is k steps back from the unbounded until."""
    a, b = states(mdp, "a"), states(mdp, "b")
    best = OPTIMA[optimum]
    values: list[Number] = [
        best(until(chain, a, b)[state] for chain in mdp.chains()) for state in range(mdp.size)
    ]
    for _ in range(steps):
        values = [
            x if state in a else Fraction(0) for state, x in enumerate(mdp.before(best, values))
        ]
    assert value(mdp, f"P{optimum}=? [ a U>={steps} b ]") == values[0]


@EXAMPLES
@given(
    small_mdps(states=4).filter(lambda mdp: not Mdp.from_space(mdp.explored()).is_markov_chain),
    optima,
    st.sampled_from([10**9, 10**26]),
)
def test_more_steps_than_anybody_counts(mdp: SmallMdp, optimum: str, steps: int) -> None:
    """Where nothing changes any more the bound is as good as none; elsewhere there are bounds that
    enclose that, or no answer."""
    a, b, best = states(mdp, "a"), states(mdp, "b"), OPTIMA[optimum]
    unbounded = best(until(chain, a, b)[0] for chain in mdp.chains())
    for exact in (None, True, False):
        verdict = by_numbers(
            mdp, mdp.explored(), parse(f"P{optimum}=? [ a U<={steps} b ]"), exact=exact
        )
        if isinstance(verdict.value, Fraction):
            assert verdict.value == unbounded
        elif verdict.value is not None:
            assert verdict.lower is not None
            assert verdict.upper is not None
            assert verdict.lower <= unbounded <= verdict.upper
        later = by_numbers(
            mdp, mdp.explored(), parse(f"P{optimum}=? [ a U>={steps} b ]"), exact=exact
        )
        if isinstance(later.value, Fraction):
            values = [
                best(until(chain, a, b)[state] for chain in mdp.chains())
                for state in range(mdp.size)
            ]
            for _ in range(60):
                values = [
                    x if state in a else Fraction(0)
                    for state, x in enumerate(mdp.before(best, values))
                ]
            assert abs(later.value - values[0]) < Fraction(1, 100)


def test_a_way_that_ends_has_few_steps() -> None:
    """Three steps and no more: exact whatever the bound, and at once."""
    half = Fraction(1, 2)
    rows: tuple[tuple[Row, ...], ...] = (
        (({1: half, 3: half}, 1),),
        (({2: half, 3: half}, 1),),
        (({2: Fraction(1)}, 0),),
        (),
    )
    mdp = SmallMdp(rows, (frozenset(), frozenset(), frozenset("b"), frozenset()), (0, 0, 0, 0))
    for exact in (None, True):
        for bound in ("<=1000000000", "<=1e26", ">=1000000000", "[1e26,2e26]"):
            assert ask(mdp, f"P=? [ F{bound} b ]", exact=exact).value == Fraction(1, 4)
        assert ask(mdp, "R=? [ C<=1e26 ]", exact=exact).value == Fraction(3, 2)
        assert ask(
            mdp.in_units_of(Fraction(1, 10)), "R=? [ C<=1e26 ]", exact=exact
        ).value == Fraction(3, 20)
        assert ask(mdp, "P>1/4 [ F<=1e26 b ]", exact=exact).holds is False


def test_many_steps_on_a_cycle_are_not_counted_with_fractions() -> None:
    """Each step adds six digits: ten thousand are too many to be exact unasked, and may be asked
    for."""
    q = Fraction(1, 10**6)
    mdp = SmallMdp(((({0: 1 - q, 1: q}, 1),), ()), (frozenset(), frozenset("b")), (0, 0))
    verdict = ask(mdp, "P=? [ F<=10000 b ]")
    truth = 1 - (1 - q) ** 10000
    assert verdict.lower is not None
    assert verdict.upper is not None
    assert verdict.lower <= truth <= verdict.upper
    assert ask(mdp, "P=? [ F<=2000 b ]", exact=True).value == 1 - (1 - q) ** 2000


@EXAMPLES
@given(
    small_mdps(states=4),
    optima,
    st.sampled_from(
        ["1/10", "0.12345678901234567891", "100000000000000000001/3", "1e-300", "1e-320"]
    ),
    st.sampled_from(["[ F b ]", "[ C<=3 ]", "[ C ]", "[ I=2 ]", "[ LRA ]"]),
)
def test_rewards_are_as_exact_as_they_are_written(
    mdp: SmallMdp, optimum: str, unit: str, prop: str
) -> None:
    """In another unit the same question has the same answer, so many times as large."""
    formula = f"R{'' if Mdp.from_space(mdp.explored()).is_markov_chain else optimum}=? {prop}"
    each = (mdp, mdp.in_units_of(Fraction(unit)))
    expected, found = (by_numbers(one, one.explored(), parse(formula)).value for one in each)
    if isinstance(expected, Fraction):
        assert found == expected * Fraction(unit)
    else:
        assert not isinstance(found, Fraction)


def test_rewards_that_floating_point_does_not_tell_apart() -> None:
    one, more = Fraction(1), 1 + Fraction(1, 10**20)
    rows: tuple[tuple[Row, ...], ...] = ((({1: one}, one), ({1: one}, more)), ())
    mdp = SmallMdp(rows, (frozenset(), frozenset("b")), (0, 0))
    assert ask(mdp, "Rmax=? [ F b ]").value == more
    assert ask(mdp, "Rmin=? [ F b ]").value == 1
    assert ask(mdp, "Rmax>1 [ F b ]").holds is True


def test_rewards_beyond_floating_point() -> None:
    one = Fraction(1)
    mdp = SmallMdp(((({1: one}, 10**400),), ()), (frozenset(), frozenset("b")), (0, 0))
    with pytest.raises(InputError, match="beyond 1e308"):
        ask(mdp, "R=? [ F b ]")


@EXAMPLES
@given(small_mdps(states=4), optima)
def test_repeatedly(mdp: SmallMdp, optimum: str) -> None:
    """LTL: in a chain, ``G F b`` holds with the probability of ending in a recurrent part that has
    a b."""
    b, everywhere = states(mdp, "b"), set(range(mdp.size))

    def again_and_again(chain: list[Row]) -> Fraction:
        good = {state for part in recurrent(chain) if part & b for state in part}
        return until(chain, everywhere, good)[0]

    best = OPTIMA[optimum]
    assert value(mdp, f"P{optimum}=? [ G F b ]") == best(map(again_and_again, mdp.chains()))
    avoided = value(mdp, f"P{'min' if optimum == 'max' else 'max'}=? [ F G !b ]")
    assert value(mdp, f"P{optimum}=? [ G F b ]") == 1 - avoided


@EXAMPLES
@given(small_mdps(), optima)
def test_reward_until(mdp: SmallMdp, optimum: str) -> None:
    b = states(mdp, "b")
    best = OPTIMA[optimum]
    assert value(mdp, f"R{optimum}=? [ F b ]") == best(
        until_reward(chain, mdp.earned_in, b) for chain in mdp.chains()
    )


def test_who_stays_earns_for_ever() -> None:
    """To leave costs 2; to stay costs 1 each time, and is no way to pay less."""
    half = Fraction(1, 2)
    rows = ((({0: half, 1: half}, 0),), (({2: Fraction(1)}, 1), ({1: Fraction(1)}, 0)), ())
    mdp = SmallMdp(
        rows, (frozenset(), frozenset(), frozenset({"b"})), earned_in=(0, 1, 0), agents=("agent",)
    )
    assert value(mdp, "Rmin=? [ F b ]") == 2


@EXAMPLES
@given(small_mdps(), optima, st.integers(0, 4))
def test_reward_of_steps(mdp: SmallMdp, optimum: str, steps: int) -> None:
    best = OPTIMA[optimum]
    total: list[Number] = [Fraction(0)] * mdp.size
    after: list[Number] = [Fraction(gain) for gain in mdp.earned_in]
    for _ in range(steps):
        total = [
            mdp.earned_in[state] + best(gain + expected(row, total) for row, gain in rows)
            if (rows := mdp.rows[state])
            else mdp.earned_in[state] + total[state]
            for state in range(mdp.size)
        ]
        after = mdp.before(best, after)
    assert value(mdp, f"R{optimum}=? [ C<={steps} ]") == total[0]
    assert value(mdp, f"R{optimum}=? [ I={steps} ]") == after[0]


@EXAMPLES
@given(small_mdps(states=4), optima)
def test_long_run(mdp: SmallMdp, optimum: str) -> None:
    best = OPTIMA[optimum]
    b = states(mdp, "b")
    averages = [
        long_run(chain, lambda s, chain=chain: Fraction(mdp.earned_in[s] + chain[s][1]))  # type: ignore[misc]
        for chain in mdp.chains()
    ]
    assert value(mdp, f"R{optimum}=? [ S ]") == best(averages)
    assert value(mdp, f"S{optimum}=? [ b ]") == best(
        long_run(chain, lambda s: Fraction(int(s in b))) for chain in mdp.chains()
    )


@EXAMPLES
@given(small_mdps(states=4), optima)
def test_total_reward(mdp: SmallMdp, optimum: str) -> None:
    def total(chain: list[Row]) -> Number:
        gain = [mdp.earned_in[s] + chain[s][1] for s in range(mdp.size)]
        reached = reachable(chain, 0)
        parts = [part for part in recurrent(chain) if part <= reached]
        if any(gain[s] for part in parts for s in part):
            return INFINITY
        ends = {s for part in parts for s in part}
        return until_reward(chain, mdp.earned_in, ends)

    assert value(mdp, f"R{optimum}=? [ C ]") == OPTIMA[optimum](map(total, mdp.chains()))


def test_the_precision_holds_for_chains_too() -> None:
    """Found by chance: a loop that Storm's solver for chains left after a millionth."""
    loop = SmallMdp(
        rows=(
            (({1: Fraction(1)}, 0),),
            (({2: Fraction(1, 2), 3: Fraction(1, 2)}, 0),),
            (({0: Fraction(1)}, 0),),
            (),
        ),
        labels=(frozenset(), frozenset(), frozenset(), frozenset("b")),
        earned_in=(0, 0, 1, 0),
    )
    assert value(loop, "R=? [ F b ]") == 1
    half = Fraction(1, 2)
    leaving = replace(
        loop,
        rows=(loop.rows[0], loop.rows[1], (({0: half, 4: half}, 0),), (), ()),
        labels=(*loop.labels, frozenset()),
    )
    leaving = replace(leaving, earned_in=(0, 0, 0, 0, 0))
    assert value(leaving, "S=? [ b ]") == Fraction(2, 3)
    assert value(leaving, "P=? [ F b ]") == Fraction(2, 3)


# --- thresholds -----------------------------------------------------------------------------------


@EXAMPLES
@given(small_mdps(), st.sampled_from(["<", "<=", ">", ">="]), st.fractions(0, 1, max_denominator=6))
def test_thresholds_agree_with_queries(mdp: SmallMdp, relation: str, threshold: Fraction) -> None:
    """Without min or max every strategy must meet the threshold; with them the extreme one must."""
    low, high = value(mdp, "Pmin=? [ a U b ]"), value(mdp, "Pmax=? [ a U b ]")
    compare: dict[str, Callable[[Number], bool]] = {
        "<": lambda x: x < threshold,
        "<=": lambda x: x <= threshold,
        ">": lambda x: x > threshold,
        ">=": lambda x: x >= threshold,
    }
    met = compare[relation]
    assert ask(mdp, f"P{relation}{threshold} [ a U b ]").holds == (met(low) and met(high))
    assert ask(mdp, f"Pmin{relation}{threshold} [ a U b ]").holds == met(low)
    assert ask(mdp, f"Pmax{relation}{threshold} [ a U b ]").holds == met(high)


@EXAMPLES
@given(small_mdps(states=4))
def test_nested_probabilities(mdp: SmallMdp) -> None:
    """The inner formula is evaluated in every state; exactly, since rounded values that meet a
    threshold to the digit decide nothing."""
    everywhere = set(range(mdp.size))
    a, b = states(mdp, "a"), states(mdp, "b")
    safe = {
        s
        for s in range(mdp.size)
        if max(until(chain, everywhere, b)[s] for chain in mdp.chains()) >= Fraction(1, 2)
    }
    best = max(until(chain, everywhere, safe & a)[0] for chain in mdp.chains())
    assert ask(mdp, "Pmax=? [ F (Pmax>=0.5 [ F b ] & a) ]", exact=True).value == best
    assert ask(mdp, "Pmax>=0.5 [ F b ] | a").holds == (0 in safe | a)


@EXAMPLES
@given(small_mdps(), optima, st.integers(0, 4))
def test_nested_step_bounds(mdp: SmallMdp, optimum: str, steps: int) -> None:
    """In every state, in floating point: 10/21 is no value of so few steps."""
    b, best = states(mdp, "b"), OPTIMA[optimum]
    values: list[Number] = [Fraction(int(state in b)) for state in range(mdp.size)]
    for _ in range(steps):
        values = [
            Fraction(1) if state in b else x for state, x in enumerate(mdp.before(best, values))
        ]
    likely = {state for state, x in enumerate(values) if x >= Fraction(10, 21)}
    reached = max(until(chain, set(range(mdp.size)), likely)[0] for chain in mdp.chains())
    rounded = ask(mdp, f"Pmax=? [ F P{optimum}>=10/21 [ F<={steps} b ] ]", exact=False).value
    assert rounded is not None
    assert math.isclose(rounded, reached, rel_tol=1e-9)


# --- evidence -------------------------------------------------------------------------------------


@EXAMPLES
@given(small_mdps(), optima)
def test_the_strategy_attains_the_value(mdp: SmallMdp, optimum: str) -> None:
    verdict = ask(mdp, f"P{optimum}=? [ a U b ]", exact=True)
    if verdict.strategy is None:
        assert Mdp.from_space(mdp.explored()).is_markov_chain
        return
    a, b = states(mdp, "a"), states(mdp, "b")
    space = verdict.strategy.space
    taken = {
        space.value(state, "at"): choice - int(space.first_choice[state])
        for state, choice in enumerate(verdict.strategy.reachable_choices.tolist())
        if choice >= 0
    }
    # Where the strategy says nothing, it does not matter what is chosen: the last choice is as good
    # as any.
    chain = [(mdp.rows[s] or (({s: Fraction(1)}, 0),))[taken.get(s, -1)] for s in range(mdp.size)]
    assert until(chain, a, b)[0] == verdict.value


@EXAMPLES
@given(small_mdps(), optima)
def test_the_run_is_one_of_the_strategy(mdp: SmallMdp, optimum: str) -> None:
    verdict = ask(mdp, f"P{optimum}=? [ a U b ]", exact=True)
    run = verdict.run
    assert run is not None
    space = run.space
    follows = [*run.states[1:], *([run.states[run.loop]] if run.loop is not None else [])]
    assert run.states[0] == 0
    for state, choice, target in zip(run.states, run.choices, follows, strict=False):
        assert space.first_choice[state] <= choice < space.first_choice[state + 1]
        assert (
            target
            in space.targets[space.first_transition[choice] : space.first_transition[choice + 1]]
        )
        if verdict.strategy is not None and verdict.strategy.reachable_choices[state] >= 0:
            assert verdict.strategy.reachable_choices[state] == choice
    visited = [space.value(state, "at") for state in run.states]
    a, b = states(mdp, "a"), states(mdp, "b")
    reached = any(s in b and set(visited[:i]) <= a for i, s in enumerate(visited))
    if (
        optimum == "max" or Mdp.from_space(space).is_markov_chain
    ):  # where nothing is left to choose, nobody avoids the goal
        assert reached == (verdict.value != 0)
    else:
        assert reached == (verdict.value == 1)


@EXAMPLES
@given(small_mdps(), optima, st.integers(1, 4))
def test_a_strategy_that_counts_steps_attains_the_value(
    mdp: SmallMdp, optimum: str, steps: int
) -> None:
    verdict = ask(mdp, f"P{optimum}=? [ a U<={steps} b ]", exact=True)
    if Mdp.from_space(mdp.explored()).is_markov_chain:
        return
    a, b, space = states(mdp, "a"), states(mdp, "b"), mdp.explored()
    assert verdict.strategy is not None
    taken = {
        (state, left): choice
        for state, memory, choice in verdict.strategy
        for left in (range(1, steps + 1) if memory is None else [memory])
    }

    def chance(state: int, left: int) -> Fraction:
        at = space.value(state, "at")
        if at in b:
            return Fraction(1)
        if left == 0 or at not in a:
            return Fraction(0)
        choice = max(taken.get((state, left), -1), int(space.first_choice[state]))
        transitions = range(
            int(space.first_transition[choice]), int(space.first_transition[choice + 1])
        )
        weights = [space.weights[space.weight_ids[t]] for t in transitions]
        return sum(
            (
                w * chance(int(space.targets[t]), left - 1)
                for w, t in zip(weights, transitions, strict=True)
            ),
            Fraction(0),
        )

    assert chance(0, steps) == verdict.value


# --- partial spaces -------------------------------------------------------------------------------


@EXAMPLES
@given(small_mdps(), st.integers(1, 4), optima)
def test_a_partial_space_encloses_the_value(mdp: SmallMdp, limit: int, optimum: str) -> None:
    space = explore(mdp.system, limits=Limits(states=limit))
    for formula in ("[ a U b ]", "[ F<=3 b ]", "[ G a ]", "[ X b ]", "[ G F b ]"):
        true_value = float(value(mdp, f"P{optimum}=? {formula}"))
        if Mdp.from_space(space).is_markov_chain:
            continue
        verdict = by_numbers(mdp, space, parse(f"P{optimum}=? {formula}"))
        if verdict.unknown is None:
            assert verdict.value is not None
            assert float(verdict.value) == pytest.approx(true_value, abs=1e-9)
        elif verdict.lower is not None and verdict.upper is not None:
            assert verdict.lower - 1e-9 <= true_value <= verdict.upper + 1e-9
            assert not space.complete


# --- mistakes -------------------------------------------------------------------------------------

COIN = SmallMdp(
    rows=(
        (({1: Fraction(1)}, 1), ({1: Fraction(1, 2), 2: Fraction(1, 2)}, 0)),
        ((({1: Fraction(1)}), 0),),
        (),
    ),
    labels=(frozenset(), frozenset("a"), frozenset("b")),
    earned_in=(0, 0, 0),
)


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("P=? [ F b ]", "CHK013"),
        ("R=? [ F b ]", "CHK013"),
        ("S=? [ b ]", "CHK013"),
        ('R{"gian"}max=? [ F b ]', "CHK017"),
        ("Pmax=? [ F c ]", "TST001"),
    ],
)
def test_questions_without_an_answer(formula: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        by_numbers(COIN, COIN.explored(), parse(formula))
    assert [each.code for each in caught.value.diagnostics] == [code]
    assert caught.value.diagnostics[0].span is not None


def test_a_single_value_asks_for_min_or_max() -> None:
    with pytest.raises(InputError, match="use Pmin or Pmax"):
        by_numbers(COIN, COIN.explored(), parse("P=? [ F b ]"))


def test_min_and_max_mean_the_same_in_a_chain() -> None:
    chain = SmallMdp(
        ((({1: Fraction(1, 3), 2: Fraction(2, 3)}, 0),), (), ()), COIN.labels, COIN.earned_in
    )
    for optimum in ("", "min", "max"):
        assert ask(chain, f"P{optimum}=? [ F b ]").value == Fraction(2, 3)


def test_equality_is_decided_exactly() -> None:
    query = parse("Pmax=? [ F b ]")
    assert isinstance(query, Probability)
    for threshold in (Fraction(1, 2), Fraction(1, 3)):
        equal = by_numbers(COIN, COIN.explored(), replace(query, relation="=", threshold=threshold))
        different = by_numbers(
            COIN, COIN.explored(), replace(query, relation="!=", threshold=threshold)
        )
        assert equal.holds is (threshold == Fraction(1, 2))
        assert different.holds is (threshold != Fraction(1, 2))


def test_equality_needs_min_or_max() -> None:
    query = parse("P>=0.5 [ F b ]")
    assert isinstance(query, Probability)
    with pytest.raises(InputError, match="use Pmin or Pmax"):
        by_numbers(COIN, COIN.explored(), replace(query, relation="="))


HALF = SmallMdp(
    (
        (({0: Fraction(1, 3), 1: Fraction(1, 3), 2: Fraction(1, 3)}, 0), ({2: Fraction(1)}, 0)),
        (),
        (),
    ),
    COIN.labels,
    COIN.earned_in,
)


def test_too_close_to_call_in_floating_point() -> None:
    """The value is 1/2, but thirds are no floats: rounding must not decide."""
    formula = parse("Pmax>=0.5 [ F a ]")
    rounded = by_numbers(HALF, HALF.explored(), formula, exact=False)
    assert rounded.holds is None
    assert rounded.unknown is not None
    assert "exact arithmetic" in rounded.unknown
    assert ask(HALF, "Pmax>=0.5 [ F a ]", exact=True).holds is True
    assert ask(HALF, "Pmax>=0.5 [ F a ]").holds is True, "a small model is computed exactly unasked"


@pytest.mark.parametrize("exact", [True, False])
def test_certainty_is_decided_on_the_graph(exact: bool) -> None:
    """A failure of probability 10^-24 disappears in floating point, but not from ``P>=1``."""
    rare = Fraction(1, 10**24)
    almost = SmallMdp(
        ((({1: 1 - rare, 2: rare}, 0), ({2: Fraction(1)}, 0)), (), ()), COIN.labels, COIN.earned_in
    )
    assert ask(almost, "Pmax>=1 [ F a ]", exact=exact).holds is False
    assert ask(almost, "Pmax>=1 [ F (a | b) ]", exact=exact).holds is True
    assert ask(almost, "Pmax<1 [ G !b ]", exact=exact).holds is True
    assert ask(almost, "Pmin>0 [ F b ]", exact=exact).holds is True
    assert ask(almost, "Pmin<=0 [ F a ]", exact=exact).holds is True
    assert ask(almost, "E [ F P>=1 [ F a ] ]", exact=exact).holds is True
    assert ask(almost, "P>=1 [ F a ]", exact=exact).holds is False


def test_what_is_hardly_possible_does_not_vanish() -> None:
    """The probability is 10^-480, less than any float but 0; what is impossible stays
    impossible."""
    rare, steps = Fraction(1, 10**24), 20
    line = [
        (({state + 1: rare, 0 if state % 2 else steps + 1: 1 - rare}, 0),) for state in range(steps)
    ]
    mdp = SmallMdp(
        (*line, (), ()),
        (*[frozenset[str]()] * steps, frozenset("a"), frozenset()),
        (0,) * (steps + 2),
    )
    rounded = by_numbers(mdp, mdp.explored(), parse(f"P>0 [ F<={steps} a ]"), exact=False)
    assert rounded.holds is None
    assert rounded.upper is not None
    assert 0 < rounded.upper < 1e-300
    assert ask(mdp, f"P>0 [ F<={steps} a ]", exact=True).holds is True
    assert ask(mdp, f"P<=0 [ F<={steps - 1} a ]", exact=False).holds is True
    assert ask(mdp, f"P<=0 [ F<={steps} b ]", exact=False).holds is True


def test_more_steps_than_could_be_counted() -> None:
    """Once nothing changes any more, the steps that are left cost nothing, and no rounding adds up
    in them."""
    for digits in (12, 16, 26):
        verdict = ask(HALF, f"Pmax=? [ F<={10**digits} a ]", exact=False)
        assert (verdict.lower or 0.0) < 0.5 < (verdict.upper or 0.0)
        assert verdict.value == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(
    "prop", ["Pmax=? [ F<={} b ]", "Pmin=? [ G<={} !b ]", "Rmax=? [ C<={} ]", "Rmin=? [ C<={} ]"]
)
def test_steps_after_which_nothing_changes(prop: str) -> None:
    """A run that ends is as good after a billion steps as when it ended; the exact value has no
    more digits."""
    third = Fraction(1, 3)
    labels = (frozenset[str](), frozenset[str](), frozenset("b"))
    mdp = SmallMdp(
        (
            (({1: third, 2: 1 - third}, 2), ({1: Fraction(1)}, 1)),
            (({2: third, 1: 1 - third}, 1),),
            (),
        ),
        labels,
        (0, 0, 0),
    )
    ends = SmallMdp((*mdp.rows[:1], (({2: Fraction(1)}, 3),), ()), labels, (0, 0, 0))
    assert ask(ends, prop.format(10**9)).value == ask(ends, prop.format(10)).value
    assert isinstance(ask(ends, prop.format(10**26)).value, Fraction)
    slowly = ask(mdp, prop.format(10**26))  # this one goes on to try again
    assert slowly.lower is not None
    assert slowly.upper is not None
    assert slowly.lower <= ask(mdp, prop.format(300), exact=True).value + Fraction(1, 10**30)  # type: ignore[operator]
    assert slowly.upper >= ask(mdp, prop.format(300), exact=True).value  # type: ignore[operator]


@pytest.mark.parametrize("exact", [True, False, None])
def test_what_no_state_earns(exact: bool | None) -> None:
    mdp = SmallMdp(
        ((({0: Fraction(1)}, 2), ({1: Fraction(1)}, 2)), ()), (frozenset(), frozenset()), (0, 0)
    )
    assert ask(mdp, "R>=0 [ I=3 ]", exact=exact).holds is True
    assert ask(mdp, "R>0 [ I=3 ]", exact=exact).holds is False
    assert ask(mdp, "Rmax=? [ I=3 ]", exact=exact).value == 0


def test_a_program_without_rewards() -> None:
    class Poor(SmallMdp):
        @property
        def system(self) -> System:
            return System({"at": 0}, [Component("agent", lambda _: [])])

    poor = Poor((), COIN.labels, COIN.earned_in)
    with pytest.raises(InputError, match="declares no rewards"):
        by_numbers(poor, explore(poor.system), parse("R=? [ F a ]"))
