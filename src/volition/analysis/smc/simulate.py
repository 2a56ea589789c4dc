"""Formulas answered by runs, for programs whose states no machine holds: with how much confidence,
and what the runs leave open.

A run that is not decided within its steps counts on both sides of an interval.  So does one that
comes to a choice which nobody makes: where that does not happen in the first runs, all are made
that way, and the answer is one about every strategy.  Where it does, somebody has to choose
(:mod:`volition.analysis.smc.schedulers`), and the answer says who.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Literal

from volition.analysis.smc.estimate import Bounds, Estimate
from volition.analysis.smc.estimators import (
    Measurement,
    Precision,
    estimate_probability,
    estimate_reward,
    threshold_test,
)
from volition.analysis.smc.run_pool import Progress, RunPool, open_run_pool
from volition.analysis.smc.run_sampler import RunSampler, SampledFormula, run_sampler_for
from volition.analysis.smc.schedulers import Scheduler, smart_sampling
from volition.checking.properties import Property
from volition.diagnostics import Diagnostic, InputError
from volition.kernel.sampling import UNRESOLVED_CHOICE, RunBatch, SchedulerKind
from volition.languages.protocols import Program
from volition.logic.printing import as_typed
from volition.logic.syntax import Probability, Reward

__all__ = ["Scheduling", "SimulationSettings", "estimate"]

PILOT, ESTIMATE, SEARCH = 1, 2, 1_000
"""Streams of random numbers: what is decided by some runs is measured by others."""
FIRST_RUNS = 100
"""Made to see whether there is anything to choose."""

LIMIT_IN_SEARCH = 1_000
"""Steps of a run that only helps to choose a scheduler, where the formula does not say how many it
needs."""

Optimum = Literal["min", "max"]
Scheduling = Literal["search", "uniform"]

ALL_STRATEGIES = "that met no choice"
UNIFORM = "with every choice equally likely"


@dataclass(frozen=True, slots=True)
class SimulationSettings:
    """How hard to try: as many runs as the ``error`` needs, or so many ``runs``, of at most
    ``limit`` steps, within the ``seconds``."""

    confidence: float = 0.99
    error: float = 0.01
    runs: int | None = None
    max_steps: int = 10_000
    seed: int = 1
    scheduler: Scheduling = "search"
    num_schedulers: int = 256
    jobs: int | None = None
    cluster: str | None = None
    seconds: float | None = None


def estimate(
    program: Program,
    prop: Property,
    effort: SimulationSettings | None = None,
    *,
    progress: Progress | None = None,
) -> Estimate:
    """The answer to one formula.  Ctrl-C, and the end of the time, give what the runs so far say.

    Raises :class:`InputError` where runs do not answer the formula.
    """
    effort = effort or SimulationSettings()
    start = time.perf_counter()
    runs = run_sampler_for(program, prop.formula)
    template = RunBatch(
        effort.seed, ESTIMATE, 0, 0, runs.step_limit(effort.max_steps), SchedulerKind.STOP_AT_CHOICE
    )
    pilot = runs.sampler().sample(
        replace(template, stream=PILOT, runs=FIRST_RUNS), seconds=effort.seconds
    )
    left = (
        None if effort.seconds is None else max(0.0, effort.seconds - (time.perf_counter() - start))
    )
    if len(pilot) < FIRST_RUNS and left != 0:
        raise KeyboardInterrupt  # before there is anything to tell
    with open_run_pool(
        runs, jobs=effort.jobs, cluster=effort.cluster, seconds=left, progress=progress
    ) as crew:
        series, scheduler, says = _resolve_scheduler(
            crew, runs, effort, template, choices=bool((pilot.outcomes == UNRESOLVED_CHOICE).any())
        )
        measured = _measured(crew, runs.formula, effort, series)
    holds = (
        None if measured.above is None else _threshold_verdict(runs.formula, measured.above, says)
    )
    return Estimate(
        prop=prop,
        scheduler=scheduler,
        method=measured.method,
        bound_kind=says,
        confidence=effort.confidence,
        error=effort.error,
        runs=measured.runs,
        undecided=measured.open,
        seed=effort.seed,
        max_steps=template.max_steps,
        steps=crew.steps,
        max_run_length=crew.longest,
        seconds=time.perf_counter() - start,
        estimate=measured.estimate,
        lower=measured.lower,
        upper=measured.upper,
        holds=holds,
        unknown=_unknown_reason(runs.formula, measured, holds, says),
    )


def _resolve_scheduler(
    crew: RunPool,
    runs: RunSampler,
    effort: SimulationSettings,
    template: RunBatch,
    *,
    choices: bool,
) -> tuple[RunBatch, str, Bounds]:
    """The runs that are measured, who chooses on them, and what they say about the value that is
    asked for."""
    if not choices:
        return template, ALL_STRATEGIES, "value"
    optimum = _optimum(runs.formula, effort.scheduler)
    if optimum is None or effort.scheduler == "uniform":
        says: Bounds = "value" if optimum is None else _SAYS[optimum]
        return Scheduler(0).series(template), UNIFORM, says
    search = replace(
        template, stream=SEARCH, max_steps=runs.step_limit(min(effort.max_steps, LIMIT_IN_SEARCH))
    )
    found = smart_sampling(
        crew, search, effort.num_schedulers, optimum, of_rewards=isinstance(runs.formula, Reward)
    )
    return (
        found.series(template),
        f"under the best found of {effort.num_schedulers:,} schedulers",
        _SAYS[optimum],
    )


_SAYS: dict[Optimum, Bounds] = {"max": "at least", "min": "at most"}


def _optimum(formula: SampledFormula, scheduling: Scheduling) -> Optimum | None:
    """Over which strategies; None where the uniform scheduler itself is meant."""
    if formula.optimum is not None:
        return formula.optimum
    if formula.relation is not None:
        return "min" if formula.relation in (">", ">=") else "max"
    if scheduling == "uniform":
        return None
    message = f"'{as_typed(formula)}' has no single value: the program is nondeterministic"
    of_probability, of_reward = (
        "use Pmin or Pmax, or let the uniform scheduler choose",
        "use Rmin or Rmax, or let the uniform scheduler choose",
    )
    hint = of_probability if isinstance(formula, Probability) else of_reward
    raise InputError([Diagnostic("CHK013", message, formula.span, hint)])


def _measured(
    crew: RunPool, formula: SampledFormula, effort: SimulationSettings, series: RunBatch
) -> Measurement:
    precision = Precision(effort.confidence, effort.error, effort.runs)
    threshold = None if formula.threshold is None else float(formula.threshold)
    if isinstance(formula, Reward):
        return estimate_reward(crew, series, precision, threshold)
    return (
        estimate_probability(crew, series, precision)
        if threshold is None
        else threshold_test(crew, series, precision, threshold)
    )


def _threshold_verdict(formula: SampledFormula, above: bool, says: Bounds) -> bool | None:
    """The answer to a threshold, given on which side of it the measured value is: a bound on the
    value may be on the wrong side."""
    if (says == "at least" and not above) or (says == "at most" and above):
        return None
    return above == (formula.relation in (">", ">="))


def _unknown_reason(
    formula: SampledFormula, measured: Measurement, holds: bool | None, says: Bounds
) -> str | None:
    if holds is not None:
        return None
    if formula.relation is not None and measured.imprecise_reason is None:
        return "no scheduler was found that decides it, which does not prove that there is none"
    if measured.imprecise_reason is None and says == "at most" and measured.upper == math.inf:
        return "runs under the best scheduler found do not always get there"
    return measured.imprecise_reason
