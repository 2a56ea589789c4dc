"""Playing a strategy: many runs at once, drawn with a seed, and what they say about a probability or a cost.

A simulation trusts nothing but the transitions of the explored space, so that it is a check on the engine's values.  All runs move
together, one step at a time, as arrays.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from volition.checking.extremes import can_reach
from volition.checking.mdp import Floats, Indices, Mask, Mdp
from volition.checking.process import Process, process_of
from volition.checking.quantities import reward_name
from volition.checking.reductions import Reach, reduce_path
from volition.checking.satisfaction import Satisfaction
from volition.checking.verdict import Strategy
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import StateSpace
from volition.languages.model import Model
from volition.logic.printing import show
from volition.logic.syntax import Finally, Formula, Probability, Reward
from volition.logic.tree import expand_agents

__all__ = ["Estimate", "simulate"]

MOST_STEPS = 1_000_000


@dataclass(frozen=True)
class Estimate:
    """A value estimated from runs; with the given confidence the true one lies between ``lower`` and ``upper``.

    ``undecided`` runs were given up after too many steps: an estimate that has some is none.
    """

    value: float
    lower: float
    upper: float
    confidence: float
    runs: int
    undecided: int
    seed: int
    seconds: float

    def agrees_with(self, value: Any) -> bool:
        """Whether a value lies in the interval."""
        return self.undecided == 0 and self.lower <= float(value) <= self.upper

    def to_json(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "confidence": self.confidence,
            "runs": self.runs,
            "undecided": self.undecided,
            "seed": self.seed,
            "seconds": self.seconds,
        }


def simulate(
    model: Model,
    space: StateSpace,
    formula: Formula,
    strategy: Strategy | None = None,
    *,
    runs: int = 10_000,
    seed: int = 0,
    confidence: float = 0.99,
    most_steps: int = MOST_STEPS,
    process: Process | None = None,
) -> Estimate:
    """The probability to reach something, or what is earned until then, estimated by playing a strategy.

    Without a strategy the program must leave nothing to choose.  Raises :class:`InputError` for questions that cannot be played.
    """
    start = time.perf_counter()
    asked = expand_agents(formula, model.agents)
    mdp = (process or process_of(space)).mdp
    chain = _chain(mdp, strategy, asked)
    satisfaction = Satisfaction(model, space, asked)
    everywhere = np.ones(mdp.num_states, dtype=np.bool_)
    random = np.random.default_rng(seed)
    match asked:
        case Probability():
            reduced = reduce_path(asked.path)
            if isinstance(reduced.question, Reach) and reduced.question.bound is None:
                through, goal = (satisfaction.of(each).must for each in (reduced.question.through, reduced.question.goal))
                ended, _ = _play(chain, goal | ~can_reach(chain, through, goal), np.zeros(chain.num_states), runs, most_steps, random)
                hits = int(goal[ended[ended >= 0]].sum())
                decided = int((ended >= 0).sum())
                count = decided - hits if reduced.opposite else hits
                value, lower, upper = _share(count, max(1, decided), confidence)
                return Estimate(value, lower, upper, confidence, runs, runs - decided, seed, time.perf_counter() - start)
        case Reward(of=Finally(bound=None) as path):
            goal = satisfaction.of(path.operand).must
            arrays = mdp.rewards[reward_name(mdp, asked)]
            gains = (arrays.of_states + chain.rewards[reward_name(mdp, asked)].of_choices).astype(np.float64)
            missed = ~can_reach(chain, everywhere, goal)
            ended, earned = _play(chain, goal | missed, gains, runs, most_steps, random)
            # What may be missed is infinitely far away.
            earned = np.where((ended >= 0) & missed[ended], np.inf, earned)
            value, lower, upper = _mean(earned[ended >= 0], confidence)
            return Estimate(value, lower, upper, confidence, runs, int((ended < 0).sum()), seed, time.perf_counter() - start)
    hint = "a simulation can play P [ F .. ], P [ .. U .. ], P [ G .. ] and R [ F .. ], without step bounds"
    raise InputError([Diagnostic("CHK050", f"'{show(asked)}' cannot be simulated", asked.span, hint)])


def _chain(mdp: Mdp, strategy: Strategy | None, asked: Formula) -> Mdp:
    """The process under the strategy; where the strategy says nothing, nothing depends on it and any choice will do."""
    if mdp.deterministic:
        return mdp
    if strategy is None:
        hint = "simulate under the strategy of an extreme value, such as Pmax=?"
        raise InputError([Diagnostic("CHK051", "the program leaves choices open", asked.span, hint)])
    first: Indices = mdp.first_choice[:-1]
    return mdp.under(np.where(strategy.choice >= 0, strategy.choice, first))


def _play(chain: Mdp, ends: Mask, gains: Floats, runs: int, most_steps: int, random: np.random.Generator) -> tuple[Indices, Floats]:
    """For each run the state in which it ends, -1 if it takes too many steps, and what it earned on the way."""
    ended: Indices = np.full(runs, -1, dtype=np.int64)
    earned = np.zeros(runs)
    # One search among the cumulated probabilities of all states at once: those of state s end at s + 1.
    cumulated = np.cumsum(chain.probabilities)
    before = np.concatenate([[0.0], cumulated])[chain.first_transition]
    running, states = np.arange(runs), np.zeros(runs, dtype=np.int64)
    for _ in range(most_steps + 1):
        over = ends[states]
        ended[running[over]] = states[over]
        running, states = running[~over], states[~over]
        if not len(running):
            break
        earned[running] += gains[states]
        drawn = before[states] + random.random(len(states)) * (before[states + 1] - before[states])
        places = np.searchsorted(cumulated, drawn, side="right")
        states = chain.targets[np.clip(places, chain.first_transition[states], chain.first_transition[states + 1] - 1)]
    return ended, earned


def _share(hits: int, runs: int, confidence: float) -> tuple[float, float, float]:
    """A share of runs with its interval (Clopper and Pearson 1934), which is never too narrow."""
    tail = (1 - confidence) / 2
    lower = float(stats.beta.ppf(tail, hits, runs - hits + 1)) if hits > 0 else 0.0
    upper = float(stats.beta.ppf(1 - tail, hits + 1, runs - hits)) if hits < runs else 1.0
    return hits / runs, lower, upper


def _mean(values: Floats, confidence: float) -> tuple[float, float, float]:
    """A mean with its interval by the central limit theorem."""
    if len(values) < 2 or not np.isfinite(values).all():
        mean = float(np.mean(values)) if len(values) else float("nan")
        return mean, mean, mean
    mean = float(values.mean())
    error = float(stats.t.ppf((1 + confidence) / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
    return mean, mean - error, mean + error
