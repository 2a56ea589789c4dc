"""Closed forms of reachability in parametric chains, against linear equations solved at points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volition.checking.mdp.mdp import Mdp
from volition.checking.quantitative.parametric import parametric_reachability
from volition.kernel import Choice, Component, SlotView, System, explore
from volition.kernel.arrays import Mask
from volition.kernel.weights import ParameterSpace, ParametricWeight, value_at

SPACE = ParameterSpace({"p": Fraction(1, 3), "q": Fraction(1, 4)})
P, Q = SPACE["p"], SPACE["q"]
THIRD = Fraction(1, 3)
WEIGHTS: list[Any] = [P, Q, THIRD, P * Q, P / (P + Q)]


def chain_of(rows: Sequence[tuple[Any, int, int]]) -> Mdp:
    """A chain whose state i goes to one state with a weight and to another otherwise."""

    def step(state: SlotView) -> Sequence[Choice]:
        weight, left, right = rows[state["x"]]
        return [Choice("go", [(weight, {"x": left}), (1 - weight, {"x": right})])]

    return Mdp.from_space(explore(System({"x": 0}, [Component("chain", step)])))


def only(state: int, of: Mdp) -> Mask:
    mask: Mask = np.arange(of.num_states) == state
    return mask


def solved(chain: Mdp, goal: Mask, at: dict[str, Fraction]) -> float:
    """The least solution of x = 1 on goals, x = P x elsewhere: by very many steps, which needs no
    insight into the graph."""
    matrix = chain.with_weights([value_at(weight, at) for weight in chain.weights]).matrix.toarray()
    matrix[goal] = np.eye(chain.num_states)[goal]
    return float((np.linalg.matrix_power(matrix, 2**30) @ goal)[0])


@st.composite
def rows(draw: st.DrawFn) -> list[tuple[Any, int, int]]:
    size = draw(st.integers(2, 6))
    return [
        (
            draw(st.sampled_from(WEIGHTS)),
            draw(st.integers(0, size - 1)),
            draw(st.integers(0, size - 1)),
        )
        for _ in range(size)
    ]


@settings(max_examples=60, deadline=None)
@given(rows(), st.integers(1, 5))
def test_random_chains(table: list[tuple[Any, int, int]], target: int) -> None:
    chain = chain_of(table)
    goal = only(target, chain)
    function = parametric_reachability(chain, goal, np.zeros_like(goal))
    for at in (
        {"p": Fraction(1, 2), "q": Fraction(1, 5)},
        {"p": Fraction(3, 4), "q": Fraction(2, 3)},
    ):
        assert float(value_at(function, at)) == pytest.approx(solved(chain, goal, at), abs=1e-9)


def test_a_loop_gives_a_quotient() -> None:
    """x0 = p*x1 + (1-p)/3*x0, x1 = q/(p+q)*x0 + p/(p+q), solved by hand."""
    chain = chain_of([(P, 1, 2), (Q / (P + Q), 0, 3), (THIRD, 0, 4), (THIRD, 3, 3), (THIRD, 4, 4)])
    goal = only(3, chain)
    expected = 3 * P**2 / ((P + Q) * (2 + P) - 3 * P * Q)
    assert parametric_reachability(chain, goal, np.zeros_like(goal)) == expected


def test_avoided_states_are_not_passed() -> None:
    chain = chain_of([(P, 1, 2), (Q, 3, 0), (Q, 3, 0), (THIRD, 3, 3)])
    goal, avoided = only(3, chain), only(1, chain)
    # 0 -(1-p)-> 2 -q-> goal, 2 -(1-q)-> 0, 0 -p-> avoided
    assert parametric_reachability(chain, goal, avoided) == (1 - P) * Q / (1 - (1 - P) * (1 - Q))


def test_what_cannot_be_reached_has_probability_zero() -> None:
    chain = chain_of([(P, 0, 1), (THIRD, 1, 1)])
    assert (
        parametric_reachability(chain, np.zeros(2, dtype=np.bool_), np.zeros(2, dtype=np.bool_))
        == 0
    )


def test_names_that_storm_would_not_read() -> None:
    """Parameters of a program may be called what they like."""
    hyphen: ParametricWeight = ParameterSpace({"p-1": Fraction(1, 2)})["p-1"]
    chain = chain_of([(hyphen, 1, 0), (THIRD, 1, 1)])
    assert parametric_reachability(chain, only(1, chain), only(9, chain)) == 1
    chain = chain_of([(hyphen, 1, 2), (THIRD, 1, 1), (THIRD, 2, 2)])
    assert parametric_reachability(chain, only(1, chain), only(9, chain)) == hyphen
