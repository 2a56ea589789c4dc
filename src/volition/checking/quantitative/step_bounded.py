"""Strategies for step-bounded reachability, whose choices depend on the number of steps left.

Storm computes the values of step-bounded formulas but not the choices. Therefore the product of the
MDP with the number of steps left as memory is built, which turns the problem into unbounded
reachability.
"""

from __future__ import annotations

import numpy as np

from volition.checking.mdp.memory_product import build_memory_product
from volition.checking.quantitative.context import LoadedMdp
from volition.checking.quantitative.reachability import prob_greater_0_some
from volition.checking.storm.client import StormModel
from volition.checking.strategy import StepCounterMemory, Strategy
from volition.checking.task import CheckSettings
from volition.kernel.arrays import Indices, Mask

__all__ = ["step_bounded_strategy"]


def step_bounded_strategy(
    loaded: LoadedMdp, through: Mask, goal: Mask, steps: int, settings: CheckSettings, *, seek: bool
) -> Strategy:
    """Return the strategy that maximises the probability of reaching the goal within ``steps``
    steps or, without ``seek``, minimises it."""
    mdp = loaded.mdp
    hopeless = ~prob_greater_0_some(mdp, through, goal)

    def update(memory: Indices, choices: Indices, targets: Indices) -> Indices:
        del choices, targets
        left: Indices = np.maximum(memory - 1, 0)
        return left

    def settled(states: Indices, memory: Indices) -> Mask:
        over: Mask = (memory == 0) | goal[states] | hopeless[states]
        return over

    unfolding = build_memory_product(mdp, np.array([steps]), update, settled=settled)
    storm = StormModel(unfolding.mdp, exact=loaded.use_exact(settings.exact, steps))
    optimum = "" if unfolding.mdp.is_markov_chain else "max" if seek else "min"
    prop = f"P{optimum}=? [F {storm.label(unfolding.lift(goal))}]"
    answer = storm.check(
        prop, strategy=True, precision=settings.precision, seconds=settings.seconds
    )
    choices = np.arange(unfolding.mdp.num_choices) if answer.choices is None else answer.choices
    open_pairs = unfolding.mdp.original_choices[choices] >= 0
    return Strategy(
        loaded.space,
        unfolding.mdp,
        choices,
        open_pairs,
        unfolding,
        StepCounterMemory(steps),
        values=answer.values,
    )
