"""Simulation of many runs of an explored program, under a strategy or with random choices, to
estimate a value with its confidence interval.

All runs step together, as arrays: one random number selects the choice (if it is random) and one
the outcome. A run ends when it is decided: it has reached the goal, or can no longer reach it. A
large number of runs is divided into batches that fit into memory. At the time limit or on Ctrl-C,
the result is based on the completed batches.

Probabilities get the score interval of Wilson ("Probable inference, the law of succession, and
statistical inference", 1927), which is accurate also near 0 and 1. Expected rewards get the
interval of the normal approximation, mean ± z s / √n.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.mdp.mdp import Mdp
from volition.checking.mdp.memory_product import MemoryProduct
from volition.checking.quantitative.ltl_product import build_progression_product
from volition.checking.quantitative.probabilities import (
    UntilProblem,
    is_reachability,
    normalise_path,
)
from volition.checking.quantitative.reachability import prob_greater_0_some
from volition.checking.quantitative.rewards import reward_name
from volition.checking.strategy import Strategy
from volition.checking.task import CheckTask
from volition.diagnostics import Diagnostic, InputError, plural
from volition.display import HtmlDisplay
from volition.kernel import StateSpace
from volition.kernel.arrays import Floats, Indices, Mask
from volition.languages.protocols import Model
from volition.logic.printing import as_typed
from volition.logic.syntax import Finally, Formula, Probability, Reward

__all__ = ["Simulation", "simulate", "wilson_interval"]


CONFIDENCE = 0.99
RUNS_AT_ONCE = 200_000
MAX_STEPS = 10_000
"""Maximum number of steps of a simulated run. A run that reaches it is undecided: the lower end of
the confidence interval counts it as a miss, the upper end as a hit."""


@dataclass(frozen=True, slots=True, repr=False)
class Simulation(HtmlDisplay):
    """Value of a formula estimated from simulated runs.

    ``undecided`` runs reached the step limit or an unexplored state: ``lower`` counts them as
    misses, ``upper`` as hits. ``runs`` may be less than ``requested_runs``, because of a time limit
    or Ctrl-C.
    """

    requested_runs: int
    runs: int
    seed: int
    scheduler: str
    estimate: float
    lower: float
    upper: float
    confidence: float
    interval: str
    undecided: int
    max_run_length: int

    def __repr__(self) -> str:
        return f"<Simulation: {self.sentence()}>"

    def as_json(self) -> dict[str, Any]:
        values = {
            "requested_runs": self.requested_runs,
            "runs": self.runs,
            "seed": self.seed,
            "scheduler": self.scheduler,
            "estimate": self.estimate,
            "lower": self.lower,
            "upper": self.upper,
            "confidence": self.confidence,
            "interval": self.interval,
            "undecided": self.undecided,
            "max_run_length": self.max_run_length,
        }
        return {
            name: str(each) if isinstance(each, float) and not math.isfinite(each) else each
            for name, each in values.items()
        }

    def sentence(self) -> str:
        """Return a sentence such as ``10,000 runs under the strategy: 0.6538, between 0.6414 and
        0.6659 with confidence 99 % (Wilson)``."""
        between = (
            f"between {self.lower:.4f} and {self.upper:.4f} with confidence "
            f"{self.confidence:.0%} ({self.interval})"
        )
        stopped, runs, steps = (
            plural(self.undecided, "run"),
            plural(self.runs, "run"),
            plural(self.max_run_length, "step"),
        )
        undecided = (
            f"; {self.undecided:,} {stopped} did not end within {self.max_run_length:,} {steps}"
            if self.undecided
            else ""
        )
        made = (
            f"{self.runs:,}"
            if self.runs == self.requested_runs
            else f"stopped after {self.runs:,} of {self.requested_runs:,}"
        )
        return f"{made} {runs} {self.scheduler}: {self.estimate:.4f}, {between}{undecided}"


def simulate(
    model: Model,
    space: StateSpace,
    formula: Formula,
    *,
    strategy: Strategy | None,
    runs: int,
    seed: int,
    confidence: float = CONFIDENCE,
    max_steps: int = MAX_STEPS,
    seconds: float | None = None,
) -> Simulation:
    """Estimate the value of ``P [..]`` or ``R [ F ..]`` from simulated runs under a strategy;
    without one, every choice is equally likely.

    After ``seconds``, or on Ctrl-C, no new batch of runs is started. Raise :class:`InputError` if
    no finite prefix of a run decides the formula.
    """
    task = CheckTask(model, formula)
    query = task.formula
    aim = _target_for(Satisfaction(task, space), query, strategy)
    requested_runs = runs
    found = _run_batches(aim, runs, np.random.default_rng(seed), max_steps, seconds)
    runs = found.runs
    by = "under the strategy" if strategy is not None else "with random choices"
    if isinstance(query, Reward):
        estimate, lower, upper = _reward_interval(found, confidence)
        method = "normal approximation"
    else:
        hits, undecided = found.hits, found.undecided
        if aim.opposite:
            hits = runs - hits - undecided
        lower, upper = (
            wilson_interval(hits, runs, confidence)[0],
            wilson_interval(hits + undecided, runs, confidence)[1],
        )
        estimate, method = hits / runs, "Wilson"
    return Simulation(
        requested_runs,
        runs,
        seed,
        by,
        estimate,
        lower,
        upper,
        confidence,
        method,
        found.undecided,
        found.steps,
    )


def wilson_interval(hits: int, runs: int, confidence: float) -> tuple[float, float]:
    """Return Wilson's score interval for the probability of a hit, given the number of ``hits``
    among ``runs``."""
    z = _quantile(confidence)
    share, weight = hits / runs, z * z / runs
    middle = (share + weight / 2) / (1 + weight)
    radius = z / (1 + weight) * math.sqrt(share * (1 - share) / runs + weight / (4 * runs))
    # For no hits or only hits the interval ends exactly at 0 or 1; rounding must not change that.
    return 0.0 if hits == 0 else middle - radius, 1.0 if hits == runs else middle + radius


def _reward_interval(found: _RunStatistics, confidence: float) -> tuple[float, float, float]:
    if found.misses:
        # A run that never reaches the goal earns an infinite reward, so the mean is infinite.
        return math.inf, math.inf, math.inf
    deviation = (
        math.sqrt(found.sum_squared_deviations / (found.runs - 1)) if found.runs > 1 else math.inf
    )
    radius = _quantile(confidence) * deviation / math.sqrt(found.runs)
    return found.mean, found.mean - radius, math.inf if found.undecided else found.mean + radius


def _quantile(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)


# --- conditions that end a run --------------------------------------------------------------------


@dataclass(frozen=True)
class _SimulationTarget:
    """MDP in which runs are simulated, with the conditions that end a run (states of the goal,
    states from which it is missed, step bound) and the rewards of states and choices."""

    mdp: Mdp
    goal: Mask
    miss: Mask
    within: int | None
    of_states: Floats
    of_choices: Floats
    opposite: bool = False


def _target_for(
    satisfaction: Satisfaction, query: Formula, strategy: Strategy | None
) -> _SimulationTarget:
    """Return the simulation target of a query, with the MDP restricted to the choices of the
    strategy."""
    explored = Mdp.from_space(satisfaction.space).at_nominal_values()
    if (
        isinstance(query, Probability)
        and not is_reachability(query.path)
        and not explored.frontier.any()
    ):
        negated = query.optimum == "min"
        found = build_progression_product(
            explored,
            lambda formula: satisfaction.states(formula).definite,
            query.path,
            negated=negated,
        )
        if found is not None:
            unfolding = found.unfolding
            chain = unfolding.mdp.restricted_to(
                _strategy_choices(unfolding.mdp, strategy, unfolding.states, unfolding.memory)
            )
            return _SimulationTarget(
                chain,
                *found.decided_states(chain),
                None,
                np.zeros(chain.num_states),
                np.zeros(chain.num_choices),
                opposite=negated,
            )
    if strategy is not None and strategy.product is not None:
        return _within_steps(_space_aim(explored, satisfaction, query), strategy, strategy.product)
    states = np.arange(explored.num_states)
    mdp = explored.restricted_to(_strategy_choices(explored, strategy, states, 0 * states))
    return _space_aim(mdp, satisfaction, query)


def _strategy_choices(
    mdp: Mdp, strategy: Strategy | None, states: Indices, memories: Indices
) -> Mask:
    """Return a mask of the choices of ``mdp`` that a strategy takes. ``mdp`` may be a product with
    the memory of the strategy: ``states`` and ``memories`` are the original state and the memory
    value of each of its states.

    In states for which the strategy has no choice, the mask has all choices. Without a strategy it
    has all choices of all states.
    """
    if strategy is None:
        return np.ones(mdp.num_choices, dtype=np.bool_)
    taken = strategy.choices_in(states, memories)[mdp.choice_states]
    kept: Mask = (taken < 0) | (mdp.original_choices < 0) | (taken == mdp.original_choices)
    return kept


def _space_aim(mdp: Mdp, satisfaction: Satisfaction, formula: Formula) -> _SimulationTarget:
    everywhere = np.ones(mdp.num_states, dtype=np.bool_)
    nothing = np.zeros(mdp.num_states), np.zeros(mdp.num_choices)
    if (
        isinstance(formula, Reward)
        and isinstance(formula.reward_path, Finally)
        and formula.reward_path.bound is None
    ):
        rewards = mdp.rewards[reward_name(mdp, formula)]
        goal = satisfaction.states(formula.reward_path.operand).definite
        return _SimulationTarget(
            mdp,
            goal,
            ~prob_greater_0_some(mdp, everywhere, goal | mdp.frontier),
            None,
            rewards.of_states,
            rewards.of_choices,
        )
    if isinstance(formula, Probability):
        reduced = normalise_path(formula.path)
        prop = reduced.prop
        if isinstance(prop, UntilProblem) and is_reachability(formula.path):
            goal, through = (
                satisfaction.states(prop.goal).definite,
                satisfaction.states(prop.through).definite,
            )
            miss = ~prob_greater_0_some(mdp, through, goal | mdp.frontier)
            within = None if prop.bound is None else prop.bound.upper
            return _SimulationTarget(mdp, goal, miss, within, *nothing, opposite=reduced.opposite)
    message = f"'{as_typed(formula)}' cannot be simulated: no finite run prefix decides it"
    raise InputError(
        [
            Diagnostic(
                "CHK083",
                message,
                formula.span,
                "use P with one of F, G, U, or a reward until F",
            )
        ]
    )


def _within_steps(
    aim: _SimulationTarget, strategy: Strategy, unfolding: MemoryProduct
) -> _SimulationTarget:
    """Return the simulation target for a strategy whose memory is the number of remaining steps.
    Runs are simulated in ``unfolding``, the product of the MDP with this memory. A run without
    remaining steps has missed the goal."""
    chain = unfolding.mdp.restricted_to(
        _strategy_choices(unfolding.mdp, strategy, unfolding.states, unfolding.memory)
    )
    goal, over = unfolding.lift(aim.goal), chain.original_choices < 0
    miss = over & ~goal & ~chain.frontier
    return _SimulationTarget(
        chain,
        goal,
        miss,
        aim.within,
        np.zeros(chain.num_states),
        np.zeros(chain.num_choices),
        aim.opposite,
    )


# --- simulation of runs ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _RunResults:
    """Outcome (hit, miss or undecided) and reward of each simulated run in a batch, and the number
    of steps of the longest run."""

    hits: Mask
    misses: Mask
    earned: Floats
    steps: int

    @property
    def undecided(self) -> Mask:
        return ~(self.hits | self.misses)


@dataclass(frozen=True)
class _RunStatistics:
    """Totals of the simulated runs of all batches. ``mean`` is the mean reward of a run,
    ``sum_squared_deviations`` the sum of the squared deviations from it."""

    runs: int = 0
    hits: int = 0
    misses: int = 0
    mean: float = 0.0
    sum_squared_deviations: float = 0.0
    steps: int = 0

    @property
    def undecided(self) -> int:
        return self.runs - self.hits - self.misses

    def plus(self, batch: _RunResults) -> _RunStatistics:
        """Return the totals including one more batch, combined as in Chan, Golub and LeVeque
        (1979)."""
        added = len(batch.earned)
        runs = self.runs + added
        mean = float(batch.earned.mean())
        delta = mean - self.mean
        squares = (
            self.sum_squared_deviations
            + float(((batch.earned - mean) ** 2).sum())
            + delta * delta * (self.runs * added / runs)
        )
        hits, misses = self.hits + int(batch.hits.sum()), self.misses + int(batch.misses.sum())
        return _RunStatistics(
            runs,
            hits,
            misses,
            self.mean + delta * added / runs,
            squares,
            max(self.steps, batch.steps),
        )


def _run_batches(
    aim: _SimulationTarget,
    runs: int,
    chance: np.random.Generator,
    max_steps: int,
    seconds: float | None,
) -> _RunStatistics:
    end = math.inf if seconds is None else time.perf_counter() + seconds
    tally = _RunStatistics()
    try:
        while tally.runs < runs and (tally.runs == 0 or time.perf_counter() < end):
            tally = tally.plus(
                _run_all(aim, min(RUNS_AT_ONCE, runs - tally.runs), chance, max_steps)
            )
    except KeyboardInterrupt:
        if tally.runs == 0:
            raise
    return tally


def _run_all(
    aim: _SimulationTarget, runs: int, chance: np.random.Generator, max_steps: int
) -> _RunResults:
    state = np.zeros(runs, dtype=np.int64)
    earned = np.zeros(runs)
    cumulative = np.cumsum(aim.mdp.probabilities)
    maximum = max_steps if aim.within is None else aim.within
    step = 0
    while step < maximum:
        active = np.flatnonzero(~(aim.goal | aim.miss)[state] & ~aim.mdp.frontier[state])
        if not len(active):
            break
        here = state[active]
        choice = _chosen(aim.mdp, here, chance)
        earned[active] += aim.of_states[here] + aim.of_choices[choice]
        state[active] = _outcome(aim.mdp, cumulative, choice, chance)
        step += 1
    hits = aim.goal[state]
    # If the formula has a step bound, a run that has not reached the goal by now has missed it,
    # unless it ended in an unexplored state.
    late = ~aim.mdp.frontier[state] if aim.within is not None else np.zeros(runs, dtype=np.bool_)
    return _RunResults(hits, ~hits & (aim.miss[state] | late), earned, step)


def _chosen(mdp: Mdp, states: Indices, chance: np.random.Generator) -> Indices:
    """Return a random choice for each of the given states, all choices of a state equally
    likely."""
    first, count = mdp.first_choice[states], mdp.first_choice[states + 1] - mdp.first_choice[states]
    drawn: Indices = first + (chance.random(len(states)) * count).astype(np.int64)
    return drawn


def _outcome(
    mdp: Mdp, cumulative: Floats, choices: Indices, chance: np.random.Generator
) -> Indices:
    """Return a random target state for each of the given choices, drawn by searching a random
    number in ``cumulative``, the cumulative sum of all transition probabilities."""
    first, last = mdp.first_transition[choices], mdp.first_transition[choices + 1] - 1
    before = np.where(first > 0, cumulative[first - 1], 0.0)
    position = np.searchsorted(cumulative, before + chance.random(len(choices)), side="right")
    return mdp.targets[np.clip(position, first, last)].astype(np.int64)
