"""Answers of a reduced space against those of the whole one: verdicts, terminal states, extreme
probabilities."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, Protocol

import numpy as np
import pytest

from tests.checking.properties import on_graph
from tests.checking.random_systems import branching_formula, linear_formula
from volition.checking.mdp.mdp import Mdp
from volition.checking.reduction_policy import build_reduction
from volition.checking.task import CheckTask
from volition.kernel import Limits, SlotView, StateSpace, explore
from volition.kernel.reduction import Reduction
from volition.languages.protocols import Model
from volition.logic.printing import formula_text
from volition.logic.syntax import Formula

__all__ = [
    "MAX_STATES",
    "ModelWithAtoms",
    "compare_probabilities",
    "compare_runs",
    "terminal_states",
]

MAX_STATES = 3000
"""Of a system that is compared; larger ones take too long to be asked often."""


class ModelWithAtoms(Model, Protocol):
    """A model with three atoms, which formulas call a, b and c."""

    @property
    def atoms(self) -> Sequence[Callable[[SlotView], Any]]: ...


def compare_runs(
    model: ModelWithAtoms,
    dice: random.Random,
    *,
    branching: bool,
    futures: bool,
    whole: StateSpace | None = None,
) -> float:
    """How much smaller the reduced space is, NaN for a system that is too large; every answer must
    be the same."""
    draw: Callable[[random.Random], Formula] = branching_formula if branching else linear_formula
    formulas = [draw(dice) for _ in range(dice.randint(1, 3))]
    whole = whole or explore(model.system, limits=Limits(states=MAX_STATES))
    if not whole.complete:
        return math.nan
    space = _reduced(
        model, formulas, branching=branching, futures=futures, scouts=dice.choice([0, 0, 0, 4])
    )
    assert space.complete
    assert terminal_states(space) == terminal_states(whole)
    for formula in formulas:
        assert on_graph(model, space, formula).holds == on_graph(model, whole, formula).holds, (
            formula_text(formula)
        )
    return space.num_states / whole.num_states


def compare_probabilities(
    model: ModelWithAtoms, dice: random.Random, *, futures: bool, whole: StateSpace | None = None
) -> float:
    """The same for the least and the largest probability to come from some states to others."""
    goal, through = dice.randrange(3), dice.randrange(3)
    whole = whole or explore(model.system, limits=Limits(states=MAX_STATES))
    if not whole.complete:
        return math.nan
    rules = Reduction(
        [model.atoms[goal], model.atoms[through]],
        branching=True,
        lookahead=futures,
        warmup_walks=dice.choice([0, 4]),
    )
    space = explore(model.system, reduction=rules)
    expected = _extreme_probabilities(model, whole, goal, through)
    assert _extreme_probabilities(model, space, goal, through) == pytest.approx(expected, abs=1e-9)
    return space.num_states / whole.num_states


def terminal_states(space: StateSpace) -> set[tuple[object, ...]]:
    return {tuple(space.values(int(state)).values()) for state in np.flatnonzero(space.terminal)}


def _reduced(
    model: ModelWithAtoms,
    formulas: Sequence[Formula],
    *,
    branching: bool,
    futures: bool,
    scouts: int,
) -> StateSpace:
    tasks = [CheckTask(model, formula) for formula in formulas]
    requested = build_reduction(tasks, branching=branching, futures=futures)
    return explore(model.system, reduction=replace(requested, warmup_walks=scouts))


def _extreme_probabilities(
    model: ModelWithAtoms, space: StateSpace, goal: int, through: int
) -> list[float]:
    """The least and the largest probability of ``through U goal``, iterated from below."""
    goals, ways = (space.holds(model.atoms[each]) for each in (goal, through))
    mdp = Mdp.from_space(space)
    found = []
    optima: tuple[Literal["min", "max"], ...] = ("min", "max")
    for optimum in optima:
        values = goals.astype(np.float64)
        for _ in range(2000):
            better = np.where(goals, 1.0, np.where(ways, mdp.bellman_backup(values, optimum), 0.0))
            if np.abs(better - values).max() < 1e-13:
                break
            values = better
        found.append(float(values[0]))
    return found
