"""Floating point answers on random processes: every one encloses the exact value, and none is
missing without need."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checking.properties import by_numbers
from tests.checking.random_mdps import (
    INFINITY,
    Number,
    SmallMdp,
    long_run,
    small_mdps,
    winding_mdps,
)
from volition.checking.mdp.mdp import Mdp
from volition.checking.verdict import Verdict
from volition.logic import parse

EXAMPLES = settings(max_examples=25, deadline=None)
OPTIMA: dict[str, Callable[..., Any]] = {"min": min, "max": max}
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
REWARDS = ["[ F b ]", "[ C ]", "[ C<=3 ]", "[ C<=40 ]", "[ I=0 ]", "[ I=3 ]", "[ S ]"]
optima = st.sampled_from(["min", "max"])


def ask(mdp: SmallMdp, formula: str, optimum: str, **options: Any) -> Verdict:
    space = mdp.explored()
    return by_numbers(
        mdp,
        space,
        parse(formula.format("" if Mdp.from_space(space).is_markov_chain else optimum)),
        **options,
    )


def states(mdp: SmallMdp, name: str) -> set[int]:
    return {state for state, labels in enumerate(mdp.labels) if name in labels}


def assert_encloses(verdict: Verdict, truth: Number) -> None:
    """The bounds enclose the value, and are as narrow as an answer must be."""
    assert verdict.unknown is None
    assert verdict.lower is not None
    assert verdict.upper is not None
    assert verdict.lower <= truth <= verdict.upper
    assert truth == INFINITY or verdict.upper - verdict.lower <= 1e-8 * max(1, truth)


# --- within some steps ----------------------------------------------------------------------------


def within(
    mdp: SmallMdp, best: Callable[..., Any], through: set[int], goal: set[int], steps: int
) -> Number:
    """``through U<=steps goal``, one step after the other."""
    values: list[Number] = [Fraction(int(state in goal)) for state in range(mdp.size)]
    for _ in range(steps):
        earlier = mdp.before(best, values)
        values = [
            values[state] if state in goal or state not in through else earlier[state]
            for state in range(mdp.size)
        ]
    return values[0]


@EXAMPLES
@given(winding_mdps(), optima, st.integers(1, 200))
def test_within_steps(mdp: SmallMdp, optimum: str, steps: int) -> None:
    a, b, everywhere = states(mdp, "a"), states(mdp, "b"), set(range(mdp.size))
    best, other = OPTIMA[optimum], OPTIMA["max" if optimum == "min" else "min"]
    until, reached = within(mdp, best, a, b, steps), within(mdp, best, everywhere, b, steps)
    always = 1 - within(mdp, other, everywhere, everywhere - a, steps)
    for path, truth in (("a U<={} b", until), ("F<={} b", reached), ("G<={} a", always)):
        prop = f"P{{}}=? [ {path.format(steps)} ]"
        assert_encloses(ask(mdp, prop, optimum, exact=False), truth)
        assert ask(mdp, prop, optimum, exact=True).value == truth


def test_steps_before_anything_happens_again() -> None:
    """Two goals, five and thirty steps away: in between, nothing changes near the start, and the
    second one does not count yet."""
    half = Fraction(1, 2)
    line = [(({state + 1: Fraction(1)}, 0),) for state in range(2, 34)]
    rows = ((({1: half, 6: half}, 0),), (({2: Fraction(1)}, 0),), *line, ())
    mdp = SmallMdp(
        rows, tuple(frozenset("b" if state in (5, 34) else "") for state in range(35)), (0,) * 35
    )
    matrix = np.zeros((35, 35))
    for state, choices in enumerate(mdp.rows):
        for target, p in (
            choices[0][0].items() if choices and state != 5 else [(state, Fraction(1))]
        ):
            matrix[state, target] = float(p)
    goal = np.array([state in (5, 34) for state in range(35)], dtype=np.float64)
    for steps in range(1, 41):
        truth = float((np.linalg.matrix_power(matrix, steps) @ goal)[0])
        assert_encloses(ask(mdp, f"P{{}}=? [ F<={steps} b ]", "max", exact=False), Fraction(truth))


# --- rewards and the long run ---------------------------------------------------------------------


@EXAMPLES
@given(
    small_mdps(states=4, whole=False),
    optima,
    st.sampled_from(REWARDS),
    st.sampled_from(list(RELATIONS)),
)
def test_thresholds_on_rewards(mdp: SmallMdp, optimum: str, prop: str, relation: str) -> None:
    """Every threshold is decided as the value says, which may be infinite; in floating point all
    but those right beside it."""
    truth = ask(mdp, f"R{{}}=? {prop}", optimum, exact=True).value
    assert truth is not None
    assert_encloses(ask(mdp, f"R{{}}=? {prop}", optimum, exact=False), truth)
    beside = {Fraction(0), Fraction(1, 3), Fraction(3)} | (
        {Fraction(truth)} if truth != INFINITY else set()
    )
    for threshold in beside:
        query = f"R{{}}{relation}{threshold} {prop}"
        holds = RELATIONS[relation](truth, threshold)
        assert ask(mdp, query, optimum, exact=True).holds is holds
        rounded = ask(mdp, query, optimum, exact=False).holds
        assert rounded is holds or (rounded is None and abs(float(truth) - float(threshold)) < 1e-8)


@EXAMPLES
@given(small_mdps(states=4, rare=True, whole=False), optima)
def test_averages(mdp: SmallMdp, optimum: str) -> None:
    """Outcomes that hardly ever happen take floating point many steps, and the answer none."""
    b, best = states(mdp, "b"), OPTIMA[optimum]
    chains = [
        (chain, [Fraction(mdp.earned_in[s] + chain[s][1]) for s in range(mdp.size)])
        for chain in mdp.chains()
    ]
    share = best(long_run(chain, lambda s: Fraction(int(s in b))) for chain, _ in chains)
    gain = best(long_run(chain, gains.__getitem__) for chain, gains in chains)
    for prop, truth, maximum in (
        ("S{}=? [ b ]", share, Fraction(1)),
        ("R{}=? [ S ]", gain, Fraction(6)),
    ):
        rounded = ask(mdp, prop, optimum, exact=False)
        assert rounded.lower is not None
        assert rounded.upper is not None
        assert rounded.lower <= truth <= rounded.upper
        assert ask(mdp, prop.replace("=?", ">=0"), optimum, exact=False).holds is True
        assert ask(mdp, prop.replace("=?", f"<={maximum}"), optimum, exact=False).holds is True
    for threshold in (0, 1):
        if share == threshold:
            assert ask(mdp, f"S{{}}>={threshold} [ b ]", optimum, exact=False).holds is True
            assert ask(mdp, f"S{{}}<={threshold} [ b ]", optimum, exact=False).holds is True


@pytest.mark.parametrize("optimum", ["min", "max"])
def test_a_rare_way_between_two_parts(optimum: str) -> None:
    """Five states, of which two are left once in a million steps."""
    rare, one = Fraction(1, 10**6), Fraction(1)
    rows = (
        (({1: one}, 0), ({3: one}, 0)),
        (({1: 1 - rare, 2: rare}, 1),),
        (({0: one}, 3),),
        (({3: 1 - rare, 4: rare}, 2),),
        (({0: one}, 0),),
    )
    mdp = SmallMdp(
        rows, tuple(frozenset("b" if state == 1 else "") for state in range(5)), (0,) * 5
    )
    averages = [
        long_run(chain, lambda s, chain=chain: Fraction(chain[s][1]))  # type: ignore[misc]
        for chain in mdp.chains()
    ]
    assert_encloses(ask(mdp, "R{}=? [ S ]", optimum, exact=False), OPTIMA[optimum](averages))
    shares = [long_run(chain, lambda s: Fraction(int(s == 1))) for chain in mdp.chains()]
    assert_encloses(ask(mdp, "S{}=? [ b ]", optimum, exact=False), OPTIMA[optimum](shares))


def test_a_reward_that_no_float_is() -> None:
    mdp = SmallMdp(((),), (frozenset(),), (Fraction(1, 3),))
    for relation, holds in (">=", True), ("<=", True), (">", False), ("<", False):
        assert ask(mdp, f"R{relation}1/3 [ I=0 ]", "max", exact=True).holds is holds
        assert ask(mdp, f"R{relation}1/3 [ I=0 ]", "max", exact=False).holds is None


def test_averages_of_rewards_below_zero() -> None:
    """Storm has no bounds for these; the bounds on averages need no sign."""
    third, one = Fraction(1, 3), Fraction(1)
    mdp = SmallMdp(
        ((({1: one}, -1), ({0: one}, -third)), (({0: one}, third),)), (frozenset(),) * 2, (0, 0)
    )
    assert_encloses(ask(mdp, "Rmax=? [ S ]", "max", exact=False), -third)
    assert_encloses(ask(mdp, "Rmin=? [ S ]", "min", exact=False), -third)
