"""Robust reachability probabilities of an interval MDP, in which each probability is only known to
lie in an interval.

In every step, nature picks probabilities within the intervals, for or against the property (Givan,
Leach and Dean, "Bounded-parameter Markov decision processes", 2000). Storm computes this by robust
value iteration, which stops when the values change little. The results have no proven error. Storm
must know which transitions exist. An interval that contains 0 leaves this open, and is supported
only with a step bound.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from volition.checking.mdp.mdp import Mdp
from volition.checking.storm.client import EngineError, call_storm
from volition.kernel.arrays import Indices, Mask

__all__ = ["Between", "Optimum", "robust_reachability"]

Between = tuple[float, float]
"""Interval of a probability: its smallest and largest value."""

Optimum = Literal["max", "min"]


def robust_reachability(
    mdp: Mdp,
    between: Sequence[Between],
    goal: Mask,
    avoided: Mask,
    *,
    choices: Optimum,
    nature: Optimum,
    steps: int | None = None,
    seconds: float | None = None,
) -> float:
    """Return the probability of reaching a goal state from state 0 of an interval MDP without
    visiting an avoided state, within ``steps`` steps if it is given.

    ``between`` has the interval of each weight of the MDP. ``choices`` and ``nature`` say whether
    the strategy and nature maximise or minimise the probability. Raise :class:`EngineError` if
    Storm cannot compute it.
    """
    process = mdp.with_weights(list(between)).with_absorbing(goal | avoided)
    if steps is None and any(lower == 0 < upper for lower, upper in between):
        raise EngineError(
            "the interval of a probability includes 0, which Storm's robust method does not support"
        )
    if not (process.reachable() & goal).any():
        return 0.0
    handle, name = tempfile.mkstemp(suffix=".drn")
    os.close(handle)
    try:
        Path(name).write_text("\n".join(_drn(process, goal)))
        bound = "" if steps is None else f"<={steps}"
        return float(
            call_storm(
                "robust", Path(name), f'P{choices}=? [F{bound} "goal"]', nature, seconds=seconds
            )
        )
    finally:
        os.unlink(name)


def _drn(process: Mdp, goal: Mask) -> Iterator[str]:
    """Yield the lines of a text in Storm's DRN format that describes the reachable states of an
    MDP, with intervals as probabilities."""
    states = np.flatnonzero(process.reachable())
    number_of: Indices = np.full(process.num_states, -1, dtype=np.int64)
    number_of[states] = np.arange(len(states))
    texts = [
        "[1, 1]" if weight == 1 else "[{!r}, {!r}]".format(*weight) for weight in process.weights
    ]
    possible = [weight == 1 or weight[1] > 0 for weight in process.weights]
    choices = int(np.diff(process.first_choice)[states].sum())
    yield from (
        "@value_type: double-interval",
        "@type: MDP",
        "@parameters",
        "",
        "@reward_models",
        "",
    )
    yield from ("@nr_states", str(len(states)), "@nr_choices", str(choices), "@model")
    for state in states:
        yield (
            "state "
            f"{number_of[state]}{' init' if state == 0 else ''}{' goal' if goal[state] else ''}"
        )
        for number, choice in enumerate(
            range(process.first_choice[state], process.first_choice[state + 1])
        ):
            yield f"\taction {number}"
            for transition in range(
                process.first_transition[choice], process.first_transition[choice + 1]
            ):
                if possible[weight := process.weight_ids[transition]]:
                    yield f"\t\t{number_of[process.targets[transition]]} : {texts[weight]}"
    yield ""
