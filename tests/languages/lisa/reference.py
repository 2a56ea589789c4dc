"""Slow and plain computations on a state space, as an oracle: distributions after n steps, value
iteration."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse

from volition.kernel import Predicate, StateSpace

__all__ = ["after", "best", "bounded", "chance_after", "earned", "prism_value_iteration"]

Vector = npt.NDArray[np.float64]
Optimum = Callable[..., Vector]


def matrix(space: StateSpace) -> sparse.csr_matrix:
    """One row for each choice."""
    return sparse.csr_matrix(
        (space.probabilities, space.targets.astype(np.int64), space.first_transition),
        shape=(space.num_choices, space.num_states),
    )


def after(space: StateSpace, steps: int) -> Vector:
    """The distribution over states after some steps, if nothing is left to choose."""
    assert space.num_choices == space.num_states
    distribution: npt.NDArray[np.float64] = np.zeros(space.num_states)
    distribution[0] = 1
    for _ in range(steps):
        distribution = matrix(space).T @ distribution
    return distribution


def chance_after(space: StateSpace, steps: int, predicate: Predicate) -> float:
    """The probability of being in such a state after exactly so many steps."""
    return float(after(space, steps)[space.holds(predicate)].sum())


def best(space: StateSpace, optimum: np.ufunc, values: Vector) -> Vector:
    """The values of the choices ▶ those of the states."""
    result: Vector = optimum.reduceat(values, space.first_choice[:-1])
    return result


def bounded(space: StateSpace, optimum: np.ufunc, goal: Predicate, steps: int) -> float:
    """P [ F<=steps goal ] from the initial state."""
    reached = space.holds(goal)
    values = reached.astype(np.float64)
    step = matrix(space)
    for _ in range(steps):
        values = np.where(reached, 1.0, best(space, optimum, step @ values))
    return float(values[0])


def earned(space: StateSpace, optimum: np.ufunc, reward: str, steps: int) -> float:
    """R [ C<=steps ] from the initial state."""
    gains, step = space.state_rewards(reward), matrix(space)
    values = np.zeros(space.num_states)
    for _ in range(steps):
        values = gains + best(space, optimum, step @ values)
    return float(values[0])


def prism_value_iteration(
    space: StateSpace, optimum: np.ufunc, reward: str, goal: Predicate
) -> float:
    """R [ F goal ] as PRISM computes it by default: iteration from 0 until no value changes by more
    than 1e-6 of itself.

    That is not a bound on the error: the values still grow afterwards.
    """
    going_on, gains, step = ~space.holds(goal), space.state_rewards(reward), matrix(space)
    values = np.zeros(space.num_states)
    while True:
        following = going_on * (gains + best(space, optimum, step @ values))
        if np.all(np.abs(following - values) <= 1e-6 * following):
            return float(following[0])
        values = following
