"""Floating point bounds enclose the true value, however badly a process is conditioned; the oracle
computes with fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import volition
from tests.checking.properties import by_numbers
from tests.checking.random_mdps import INFINITY, Number, Row, SmallMdp, until, until_reward
from volition.checking.mdp.mdp import Mdp
from volition.checking.verdict import Verdict
from volition.kernel.system import Choice, Component, SlotView, System
from volition.logic import parse

EXAMPLES = settings(max_examples=25, deadline=None)
HOPES = {"max": max, "min": min}


def ask(mdp: SmallMdp, formula: str, **options: Any) -> Verdict:
    return by_numbers(mdp, mdp.explored(), parse(formula), **options)


def retrying(q: Fraction) -> SmallMdp:
    """Goal with q, fail with 2q, or else try again: the goal is reached with 1/3."""
    row: Row = ({0: 1 - 3 * q, 1: q, 2: 2 * q}, 1)
    return SmallMdp(((row,), (), ()), (frozenset(), frozenset("a"), frozenset("b")), (0, 0, 0))


@st.composite
def badly_conditioned(draw: st.DrawFn) -> SmallMdp:
    """Processes in which most choices hardly ever lead away, so that states nearly form parts that
    are never left."""
    size = draw(st.integers(2, 5))

    def row() -> Row:
        tiny = Fraction(draw(st.integers(1, 9)), 10 ** draw(st.sampled_from([1, 3, 6, 9, 12, 17])))
        first, second, third = (draw(st.integers(0, size - 1)) for _ in range(3))
        chances: dict[int, Fraction] = {}
        for target, p in ((first, 1 - tiny), (second, tiny / 3), (third, 2 * tiny / 3)):
            chances[target] = chances.get(target, Fraction(0)) + p
        return chances, draw(st.integers(0, 2))

    rows = tuple(tuple(row() for _ in range(draw(st.integers(1, 2)))) for _ in range(size - 1))
    labels = (
        *(frozenset(draw(st.sampled_from(["", "", "b"]))) for _ in range(size - 1)),
        frozenset("a"),
    )
    return SmallMdp((*rows, ()), labels, tuple(draw(st.integers(0, 1)) for _ in range(size)))


def told(mdp: SmallMdp, prop: str, optimum: str) -> str:
    return prop.format("" if Mdp.from_space(mdp.explored()).is_markov_chain else optimum)


def assert_enclosed(mdp: SmallMdp, prop: str, optimum: str, truth: Number) -> None:
    """The bounds enclose the true value, and no threshold beside it or exactly there is decided
    wrongly."""
    verdict = ask(mdp, told(mdp, prop, optimum).replace("~", "=?"), exact=False)
    assert (verdict.value is None) == (verdict.unknown is not None)
    if not isinstance(truth, Fraction):
        assert verdict.value == INFINITY
        return
    assert verdict.value != INFINITY, (
        "what is finite is never told to be infinite, however long it takes"
    )
    assert verdict.lower is not None
    assert verdict.upper is not None
    assert verdict.lower <= truth <= verdict.upper
    for beside in (Fraction(0), Fraction(1, 10**10)):
        for threshold in {truth - beside, truth + beside}:
            if threshold >= 0 and (threshold <= 1 or prop.startswith("R")):
                query = told(mdp, prop, optimum).replace(
                    "~", f">={threshold.numerator}/{threshold.denominator}"
                )
                assert ask(mdp, query, exact=False).holds in (truth >= threshold, None)


@pytest.mark.parametrize("digits", [3, 6, 9, 12, 15])
@pytest.mark.parametrize(
    ("relation", "answer"), [(">", False), (">=", True), ("<", False), ("<=", True)]
)
def test_a_third(digits: int, relation: str, answer: bool) -> None:
    mdp = retrying(Fraction(1, 10**digits))
    prop = f"P{relation}1/3 [ F a ]"
    assert ask(mdp, prop).holds is answer
    assert ask(mdp, prop, exact=False).holds in (answer, None)


@pytest.mark.parametrize("digits", [3, 6, 9, 12, 17, 30])
def test_how_often_and_how_long(digits: int) -> None:
    mdp = retrying(Fraction(1, 10**digits))
    assert_enclosed(mdp, "P{}~ [ F a ]", "max", Fraction(1, 3))
    assert_enclosed(mdp, "R{}~ [ F (a | b) ]", "max", Fraction(10**digits, 3))


def test_a_third_is_known_to_many_digits() -> None:
    verdict = ask(retrying(Fraction(1, 10**6)), "P=? [ F a ]", exact=False)
    assert verdict.upper is not None
    assert verdict.lower is not None
    assert verdict.upper - verdict.lower < 1e-8


def test_no_digit_is_not_an_answer() -> None:
    """In floating point there is no way out of the first state."""
    verdict = ask(retrying(Fraction(1, 10**30)), "P=? [ F a ]", exact=False)
    assert verdict.value is None
    assert verdict.unknown == (
        "the value lies between 0 and 1, and floating point gives no tighter bounds; use exact "
        "arithmetic"
    )
    assert ask(retrying(Fraction(1, 10**30)), "P=? [ F a ]").value == Fraction(1, 3)


@EXAMPLES
@given(badly_conditioned(), st.sampled_from(["min", "max"]))
@example(retrying(Fraction(1, 10**6)), "max")
def test_probabilities(mdp: SmallMdp, optimum: str) -> None:
    goal = {state for state in range(mdp.size) if "a" in mdp.labels[state]}
    through = {state for state in range(mdp.size) if "b" not in mdp.labels[state]}
    assert_enclosed(
        mdp,
        "P{}~ [ !b U a ]",
        optimum,
        HOPES[optimum](until(chain, through, goal)[0] for chain in mdp.chains()),
    )
    everywhere = set(range(mdp.size))
    other = HOPES["max" if optimum == "min" else "min"]
    assert_enclosed(
        mdp,
        "P{}~ [ G !a ]",
        optimum,
        1 - other(until(chain, everywhere, goal)[0] for chain in mdp.chains()),
    )


@EXAMPLES
@given(badly_conditioned(), st.sampled_from(["min", "max"]))
def test_rewards(mdp: SmallMdp, optimum: str) -> None:
    goal = {state for state in range(mdp.size) if "a" in mdp.labels[state]}
    truth = HOPES[optimum](until_reward(chain, mdp.earned_in, goal) for chain in mdp.chains())
    assert_enclosed(mdp, "R{}~ [ F a ]", optimum, truth)


def test_long_ways_of_nearly_the_same_length() -> None:
    """What rounding adds up to differs by little between the two ways, and by more than a single
    step may be off."""

    def step(state: SlotView) -> list[Choice]:
        way, left = state["way"], state["left"]
        if way == "none":
            return [
                Choice(length, [(1, {"way": "taken", "left": length})]) for length in (400, 402)
            ]
        if left > 0:
            return [Choice("walk", [(1, {"left": left - 1})])]
        return (
            [
                Choice(
                    "end",
                    [(Fraction(99, 100), {"way": "home"}), (Fraction(1, 100), {"way": "lost"})],
                )
            ]
            if way == "taken"
            else []
        )

    system = System({"way": "none", "left": 0}, [Component("walker", step)])
    (answer,) = volition.check(
        system,
        "Pmax=? [ F home ]",
        labels={"home": lambda state: state["way"] == "home"},
        exact=False,
    )
    assert answer.verdict.value == pytest.approx(0.99, abs=1e-12)
