"""Answers with partial-order reduction against answers without it, on random systems that reduce by half and more."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from tests.checking.asking import on_graph
from tests.checking.loose_systems import LooseSystem, branching_formula, linear_formula, loose_system
from volition.checking.mdp.mdp import Mdp
from volition.checking.reduction import reduction_for
from volition.checking.task import CheckTask
from volition.kernel import Choice, Component, KernelError, Limits, Reaction, StateSpace, System, explore
from volition.kernel.reduction import Reduction
from volition.logic.printing import show
from volition.logic.syntax import Formula

MOST_STATES = 3000
"""Of a system that is compared; larger ones take too long to be asked often."""

FEW, MANY = 100, 20_000


def reduced(system: LooseSystem, formulas: Sequence[Formula], *, branching: bool, futures: bool, scouts: int) -> StateSpace:
    tasks = [CheckTask(system, formula) for formula in formulas]
    wanted = reduction_for(tasks, branching=branching, futures=futures)
    return explore(system.system, reduction=replace(wanted, scouts=scouts))


def terminal_states(space: StateSpace) -> set[tuple[object, ...]]:
    return {tuple(space.values(int(state)).values()) for state in np.flatnonzero(space.terminal)}


def extreme_probabilities(system: LooseSystem, space: StateSpace, goal: int, through: int) -> list[float]:
    """The least and the largest probability of ``through U goal``, iterated from below."""
    goals, ways = (space.holds(system.atoms[each]) for each in (goal, through))
    mdp = Mdp.of(space)
    found = []
    optima: tuple[Literal["min", "max"], ...] = ("min", "max")
    for optimum in optima:
        values = goals.astype(np.float64)
        for _ in range(2000):
            better = np.where(goals, 1.0, np.where(ways, mdp.best_before(values, optimum), 0.0))
            if np.abs(better - values).max() < 1e-13:
                break
            values = better
        found.append(float(values[0]))
    return found


def compare_runs(seed: int, *, branching: bool, futures: bool) -> float:
    """How much smaller the reduced space is, NaN for a system that is too large; every answer must be the same."""
    dice = random.Random(seed)
    system = loose_system(dice)
    draw: Callable[[random.Random], Formula] = branching_formula if branching else linear_formula
    formulas = [draw(dice) for _ in range(dice.randint(1, 3))]
    whole = explore(system.system, limits=Limits(states=MOST_STATES))
    if not whole.complete:
        return math.nan
    space = reduced(system, formulas, branching=branching, futures=futures, scouts=dice.choice([0, 0, 0, 4]))
    assert space.complete
    assert terminal_states(space) == terminal_states(whole), seed
    for formula in formulas:
        assert on_graph(system, space, formula).holds == on_graph(system, whole, formula).holds, (seed, show(formula))
    return space.num_states / whole.num_states


def compare_probabilities(seed: int, *, futures: bool) -> float:
    dice = random.Random(seed)
    system = loose_system(dice)
    whole = explore(system.system, limits=Limits(states=MOST_STATES))
    if not whole.complete:
        return math.nan
    goal, through = dice.randrange(3), dice.randrange(3)
    rules = Reduction([system.atoms[goal], system.atoms[through]], branching=True, futures=futures, scouts=dice.choice([0, 4]))
    space = explore(system.system, reduction=rules)
    expected = extreme_probabilities(system, whole, goal, through)
    assert extreme_probabilities(system, space, goal, through) == pytest.approx(expected, abs=1e-9), seed
    return space.num_states / whole.num_states


COMPARISONS: dict[str, Callable[[int], float]] = {
    "linear": lambda seed: compare_runs(seed, branching=False, futures=False),
    "branching": lambda seed: compare_runs(seed, branching=True, futures=False),
    "probabilities": lambda seed: compare_probabilities(seed, futures=False),
    "linear by futures": lambda seed: compare_runs(seed, branching=False, futures=True),
    "branching by futures": lambda seed: compare_runs(seed, branching=True, futures=True),
    "probabilities by futures": lambda seed: compare_probabilities(seed, futures=True),
}


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_answers_are_the_same_and_spaces_half_as_large(comparison: str) -> None:
    sizes = [COMPARISONS[comparison](seed) for seed in range(FEW)]
    assert np.nanmean(sizes) < 0.5


@pytest.mark.parametrize(("comparison", "seed"), [("linear", 395), ("probabilities", 598)])
def test_atoms_are_looked_at_in_states_that_are_leapt_over(comparison: str, seed: int) -> None:
    """Systems whose answers are wrong where the slots count that atoms read in stored states alone (condition 2)."""
    COMPARISONS[comparison](seed)


def test_a_step_into_a_terminal_state_is_seen_next_to_other_atoms() -> None:
    """One component sets a flag, the other stops: the flag can be set while something can still move, and only the order decides."""
    flag = Component("flag", lambda view: [] if view["flag"] else [Choice("set", [(1, {"flag": True})])])
    end = Component("end", lambda view: [] if view["ended"] else [Choice("end", [(1, {"ended": True})])])
    system = System({"flag": False, "ended": False}, [end, flag])
    for futures in (False, True):
        space = explore(system, reduction=Reduction([lambda view: view["flag"]], deadlock=True, futures=futures))
        flagged = space.holds(lambda view: view["flag"])
        assert (flagged & ~space.terminal).any()


def test_independent_steps_are_leapt_over() -> None:
    def counter(name: str) -> Component:
        return Component(name, lambda view: [] if view[name] == 9 else [Choice(name, [(1, {name: view[name] + 1})])])

    names = "abcd"
    system = System(dict.fromkeys(names, 0), [counter(name) for name in names])
    assert explore(system).num_states == 10**4
    assert explore(system, reduction=Reduction([])).num_states == 2
    watching = explore(system, reduction=Reduction([lambda view: view["a"] >= 5]))
    assert watching.num_states < 60
    assert watching.num_visited > watching.num_states


@pytest.mark.parametrize(
    ("system", "why"),
    [
        (System({"x": 0}, [Component("c", lambda _: [])], mode="synchronous"), "move together"),
        (System({"x": 0}, [Component("c", lambda _: [])], reactions=[Reaction("r", lambda _: {})]), "reactions"),
    ],
)
def test_what_cannot_be_reduced_is_refused(system: System, why: str) -> None:
    with pytest.raises(KernelError, match=why):
        explore(system, reduction=Reduction([]))


@pytest.mark.soak
@pytest.mark.parametrize("comparison", COMPARISONS)
def test_answers_are_the_same_on_many_systems(comparison: str) -> None:
    beginning = random.randrange(10**9)
    sizes = [COMPARISONS[comparison](seed) for seed in range(beginning, beginning + MANY)]
    assert np.nanmean(sizes) < 0.5
