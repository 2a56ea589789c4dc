"""Strategies for goals that must be reached within some steps: what is best depends on how many are left.

Storm computes such values without saying by which choices.  The process is unfolded with the steps that are left as its memory, and
reaching the goal there is a question without a bound.
"""

from __future__ import annotations

import numpy as np

from volition.checking.mdp.memory_product import unfold
from volition.checking.numbers.computation import LoadedMdp
from volition.checking.numbers.reachability import can_reach
from volition.checking.storm.client import StormModel
from volition.checking.strategy import StepsLeft, Strategy
from volition.checking.task import CheckSettings
from volition.kernel.arrays import Indices, Mask

__all__ = ["strategy_within"]


def strategy_within(loaded: LoadedMdp, through: Mask, goal: Mask, steps: int, settings: CheckSettings, *, seek: bool) -> Strategy:
    """The strategy that reaches the goal within the steps most often, or, if it does not ``seek`` it, least often."""
    mdp = loaded.mdp
    hopeless = ~can_reach(mdp, through, goal)

    def update(memory: Indices, choices: Indices, targets: Indices) -> Indices:
        del choices, targets
        left: Indices = np.maximum(memory - 1, 0)
        return left

    def settled(states: Indices, memory: Indices) -> Mask:
        over: Mask = (memory == 0) | goal[states] | hopeless[states]
        return over

    unfolding = unfold(mdp, np.array([steps]), update, settled=settled)
    storm = StormModel(unfolding.mdp, exact=loaded.exactly(settings.exact, steps))
    optimum = "" if unfolding.mdp.deterministic else "max" if seek else "min"
    question = f"P{optimum}=? [F {storm.label(unfolding.lifted(goal))}]"
    answer = storm.check(question, strategy=True, precision=settings.precision, seconds=settings.seconds)
    choices = np.arange(unfolding.mdp.num_choices) if answer.choices is None else answer.choices
    open_pairs = unfolding.mdp.original_choices[choices] >= 0
    return Strategy(loaded.space, unfolding.mdp, choices, open_pairs, unfolding, StepsLeft(steps), values=answer.values)
