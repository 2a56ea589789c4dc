"""Parametric probabilities: exact algebra, one canonical form, and one exploration for all
values."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from volition.kernel import Choice, Component, KernelError, SlotView, System, explore
from volition.kernel.weights import ParameterSpace, ParameterValueNeeded, ParametricWeight, value_at

SPACE = ParameterSpace({"p": Fraction(1, 10), "q": Fraction(3, 10)})
P, Q = SPACE["p"], SPACE["q"]

numbers = st.fractions(min_value=-3, max_value=3, max_denominator=8)
expressions = st.recursive(
    st.one_of(numbers, st.sampled_from([P, Q])),
    lambda inner: st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda node: combine(*node)),
    max_leaves=8,
)


def combine(operator: str, left: object, right: object) -> object:
    """``left operator right``; a division by zero gives ``left``."""
    if operator == "/" and right == 0:
        return left
    operation = {"+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__"}[operator]
    reverse = operation.replace("__", "__r", 1)
    answer = getattr(left, operation)(right)
    return getattr(right, reverse)(left) if answer is NotImplemented else answer


# --- algebra --------------------------------------------------------------------------------------


@given(expressions, expressions, numbers, numbers)
def test_arithmetic_is_that_of_the_values(
    left: object, right: object, p: Fraction, q: Fraction
) -> None:
    at = {"p": p, "q": q}
    for operator in "+-*/":
        try:
            expected = combine(operator, value_at(left, at), value_at(right, at))
            found = value_at(combine(operator, left, right), at)
        except ZeroDivisionError:
            continue
        if operator != "/" or value_at(right, at) != 0:
            assert found == expected


@given(expressions, expressions)
def test_equal_functions_are_equal_objects(left: object, right: object) -> None:
    """The canonical form: however a function was computed, it compares and hashes the same."""
    there = combine("*", combine("+", left, right), P)
    here = combine("+", combine("*", right, P), combine("*", P, left))
    assert here == there
    assert hash(here) == hash(there)


def test_a_result_without_parameters_is_a_fraction() -> None:
    for weight in (
        P + (1 - P),
        P / P * Fraction(1),
        (P - P) + 1,
        (1 - P) * (1 - Q) + P * (1 - Q) + Q,
    ):
        assert type(weight) is Fraction
        assert weight == 1
    assert P / (P + Q) + Q / (P + Q) == 1
    assert type(P * 0) is Fraction


def test_float_is_the_nominal_value() -> None:
    assert float((1 - P) ** 4) == pytest.approx(0.6561, abs=1e-15)
    assert float(1 - Q) == 0.7


def test_no_value_where_the_denominator_is_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        (P / (P + Q)).at({"p": 0, "q": 0})
    assert (P / (P + Q)).at({"p": 0, "q": 1}) == 0


def test_parameters_are_those_that_matter() -> None:
    assert (P * Q - Q * P + P).parameters == {"p"}
    assert (P / Q).parameters == {"p", "q"}


def test_an_order_cannot_be_known() -> None:
    with pytest.raises(ParameterValueNeeded, match="depends on the value of p, q") as needed:
        _ = 1 - Q < P
    assert needed.value.parameters == {"p", "q"}
    with pytest.raises(ParameterValueNeeded):
        min(Fraction(1, 2), P)


def test_weights_over_other_names_do_not_mix() -> None:
    other = ParameterSpace({"p": 0})["p"]
    assert other != P
    with pytest.raises(TypeError):
        _ = other + P


# --- text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weight", "text"),
    [
        (1 - P, "1-p"),
        (1 - 4 * P + 6 * P**2 - 4 * P**3 + P**4, "(1-p)^4"),
        ((Q - 1) ** 2 * (P - 1) ** 2, "(1-p)^2*(1-q)^2"),
        ((1 - P) ** 4 - (1 - Q) ** 2 * (1 - P) ** 2, "-(1-p)^2*(2-p-q)*(p-q)"),
        (P * (1 - Q) / 2, "p*(1-q)/2"),
        (P / (P + Q), "p/(p+q)"),
        (-2 * P * (P + 1) / (3 * (Q - P**2)), "(-2*p*(1+p))/(3*(q-p^2))"),
        (2 / P, "2/p"),
        (-P, "-p"),
        (Fraction(3, 2) + P / 3, "(9+2*p)/6"),
    ],
)
def test_people_read_factors(weight: object, text: str) -> None:
    assert str(weight) == text


@given(expressions)
def test_factors_multiply_to_the_function(weight: object) -> None:
    if not isinstance(weight, ParametricWeight):
        return
    coefficient, factors = weight.factors()
    product: Any = coefficient
    for factor, exponent in factors:
        product = product * factor**exponent
    assert product == weight


@given(expressions)
def test_terms_give_the_function_back(weight: object) -> None:
    if isinstance(weight, ParametricWeight):
        assert SPACE.quotient(*weight.terms()) == weight


# --- exploration ----------------------------------------------------------------------------------


def tosses(p: Any) -> System:
    """Three tosses of a coin; the number of heads is counted, so that equal targets are merged."""

    def toss(state: SlotView) -> Sequence[Choice]:
        if state["left"] == 0:
            return []
        left = state["left"] - 1
        return [
            Choice(
                "toss", [(p, {"left": left, "heads": state["heads"] + 1}), (1 - p, {"left": left})]
            )
        ]

    return System({"left": 3, "heads": 0}, [Component("coin", toss)])


@pytest.mark.parametrize("p", [Fraction(1, 7), Fraction(1, 2)])
def test_one_exploration_serves_every_value(p: Fraction) -> None:
    symbolic, numeric = explore(tosses(P)), explore(tosses(p))
    table = np.array([float(value_at(weight, {"p": p})) for weight in symbolic.weights])
    assert np.array_equal(symbolic.targets, numeric.targets)
    assert np.array_equal(table[symbolic.weight_ids], numeric.probabilities)
    assert symbolic.probabilities.max() == 1.0
    assert {str(weight) for weight in symbolic.weights} == {"1", "p", "1-p"}


def test_probabilities_must_sum_to_one_for_every_value() -> None:
    system = System(
        {"x": 0},
        [Component("c", lambda s: [Choice("a", [(P, {"x": 1}), (Fraction(9, 10), {})])])],  # noqa: ARG005
    )
    with pytest.raises(KernelError, match=r"sum to \(9\+10\*p\)/10, not 1"):
        explore(system)


def test_a_decision_on_an_open_parameter_comes_out_of_the_exploration() -> None:
    system = System(
        {"x": 0},
        [Component("c", lambda s: [Choice("a", [(1, {"x": 1})])] if Fraction(1, 2) > P else [])],  # noqa: ARG005
    )
    with pytest.raises(ParameterValueNeeded, match="the value of p"):
        explore(system)
