"""Closed forms: the probability of reaching some states of a Markov chain, as a function of the
parameters in its probabilities.

Storm's parametric engine eliminates states one by one (Daws, "Symbolic and parametric model
checking of discrete-time Markov chains", 2004). UMB archives do not support parametric
probabilities, so the chain is passed as text in Storm's DRN format. This is suitable for chains of
hundreds of states, not of millions.

The function is valid for parameter values with which every parametric probability is neither 0 nor
1. At other parameter values it is valid only if it is continuous there.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from volition.checking.mdp.mdp import Mdp
from volition.checking.storm.client import call_storm
from volition.kernel.arrays import Indices, Mask
from volition.kernel.weights import ParameterSpace, ParametricWeight, Terms

__all__ = ["parametric_reachability"]


def parametric_reachability(
    chain: Mdp, goal: Mask, avoided: Mask, *, seconds: float | None = None
) -> ParametricWeight | Fraction:
    """Return the probability of reaching a goal state from state 0 of a chain without visiting an
    avoided state, as a function of the chain's parameters or a constant. Raise :class:`EngineError`
    if Storm fails."""
    assert chain.is_markov_chain, "there is nothing left to choose in a chain"
    space = next(
        (weight.space for weight in chain.weights if isinstance(weight, ParametricWeight)),
        ParameterSpace({}),
    )
    chain = chain.with_absorbing(goal | avoided)
    if not (chain.reachable() & goal).any():
        return Fraction(0)
    handle, name = tempfile.mkstemp(suffix=".drn")
    os.close(handle)
    try:
        Path(name).write_text("\n".join(_drn(chain, goal, space)))
        numerator, denominator = call_storm(
            "closed_form", Path(name), 'P=? [F "goal"]', len(space), seconds=seconds
        )
    finally:
        os.unlink(name)
    return space.quotient(numerator, denominator)


def _drn(chain: Mdp, goal: Mask, space: ParameterSpace) -> Iterator[str]:
    """Yield the lines of a text in Storm's DRN format that describes the reachable states of a
    chain. Parameters are named x0, x1, ..."""
    states = np.flatnonzero(chain.reachable())
    number_of: Indices = np.full(chain.num_states, -1, dtype=np.int64)
    number_of[states] = np.arange(len(states))
    texts = [_expression(weight) for weight in chain.weights]
    yield from (
        "@value_type: parametric",
        "@type: DTMC",
        "@parameters",
        " ".join(f"x{i}" for i in range(len(space))),
    )
    yield from (
        "@reward_models",
        "",
        "@nr_states",
        str(len(states)),
        "@nr_choices",
        str(len(states)),
        "@model",
    )
    for state in states:
        labels = (" init" if state == 0 else "") + (" goal" if goal[state] else "")
        yield from (f"state {number_of[state]}{labels}", "\taction 0")
        for transition in range(chain.first_transition[state], chain.first_transition[state + 1]):
            yield (
                f"\t\t{number_of[chain.targets[transition]]} : "
                f"{texts[chain.weight_ids[transition]]}"
            )
    yield ""


def _expression(weight: Any) -> str:
    if not isinstance(weight, ParametricWeight):
        return str(Fraction(weight))
    above, below = weight.terms()
    return f"({_sum(above)})/({_sum(below)})"


def _sum(terms: Terms) -> str:
    products = (
        "*".join(
            [
                f"({number})",
                *(f"x{i}^{exponent}" for i, exponent in enumerate(exponents) if exponent),
            ]
        )
        for exponents, number in terms
    )
    return "+".join(products)
