"""Statistical model checking of formulas: estimates with a confidence interval that accounts for
undecided runs.

A run is undecided if it reaches its step limit, or a nondeterministic choice that no scheduler
resolves. For a probability, the lower end of the interval counts an undecided run as a miss, the
upper end as a hit.

First, pilot runs are sampled without a scheduler. If none of them reaches a nondeterministic
choice, all runs are sampled without a scheduler, and the answer is valid for every strategy.
Otherwise a scheduler has to resolve the choices (:mod:`volition.analysis.smc.schedulers`), and the
answer names it.
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
"""Numbers of the random streams for the pilot runs, the estimate, and the search for a
scheduler."""
FIRST_RUNS = 100
"""Number of pilot runs, which are sampled to detect nondeterministic choices."""

LIMIT_IN_SEARCH = 1_000
"""Step limit of runs in the search for a scheduler, unless the formula determines how many steps it
needs."""

Optimum = Literal["min", "max"]
Scheduling = Literal["search", "uniform"]

ALL_STRATEGIES = "without nondeterministic choices"
UNIFORM = "with every choice equally likely"


@dataclass(frozen=True, slots=True)
class SimulationSettings:
    """Settings of a simulation: as many runs as the ``error`` requires, or a fixed number of
    ``runs``, each of at most ``max_steps`` steps, within ``seconds``."""

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
    """Estimate the value of one formula from sampled runs. On Ctrl-C or at the time limit, the
    result is based on the runs sampled until then.

    Raise :class:`InputError` if single runs do not decide the formula.
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
        raise KeyboardInterrupt  # there is no result yet
    with open_run_pool(
        runs, jobs=effort.jobs, cluster=effort.cluster, seconds=left, progress=progress
    ) as pool:
        series, scheduler, bound_kind = _resolve_scheduler(
            pool, runs, effort, template, choices=bool((pilot.outcomes == UNRESOLVED_CHOICE).any())
        )
        measured = _measure(pool, runs.formula, effort, series)
    holds = (
        None
        if measured.above is None
        else _threshold_verdict(runs.formula, measured.above, bound_kind)
    )
    return Estimate(
        prop=prop,
        scheduler=scheduler,
        method=measured.method,
        bound_kind=bound_kind,
        confidence=effort.confidence,
        error=effort.error,
        runs=measured.runs,
        undecided=measured.open,
        seed=effort.seed,
        max_steps=template.max_steps,
        steps=pool.steps,
        max_run_length=pool.longest,
        seconds=time.perf_counter() - start,
        estimate=measured.estimate,
        lower=measured.lower,
        upper=measured.upper,
        holds=holds,
        unknown=_unknown_reason(runs.formula, measured, holds, bound_kind),
    )


def _resolve_scheduler(
    pool: RunPool,
    runs: RunSampler,
    effort: SimulationSettings,
    template: RunBatch,
    *,
    choices: bool,
) -> tuple[RunBatch, str, Bounds]:
    """Return the batch of runs to sample, a description of its scheduler, and how the value under
    this scheduler bounds the value that the formula asks for."""
    if not choices:
        return template, ALL_STRATEGIES, "value"
    optimum = _optimum(runs.formula, effort.scheduler)
    if optimum is None or effort.scheduler == "uniform":
        bound_kind: Bounds = "value" if optimum is None else _BOUND_KINDS[optimum]
        return Scheduler(0).series(template), UNIFORM, bound_kind
    search = replace(
        template, stream=SEARCH, max_steps=runs.step_limit(min(effort.max_steps, LIMIT_IN_SEARCH))
    )
    found = smart_sampling(
        pool, search, effort.num_schedulers, optimum, of_rewards=isinstance(runs.formula, Reward)
    )
    return (
        found.series(template),
        f"under the best of {effort.num_schedulers:,} schedulers",
        _BOUND_KINDS[optimum],
    )


_BOUND_KINDS: dict[Optimum, Bounds] = {"max": "at least", "min": "at most"}


def _optimum(formula: SampledFormula, scheduling: Scheduling) -> Optimum | None:
    """Return whether the formula asks for the minimum or the maximum over strategies; None if it
    asks for neither and the value under the uniform scheduler is to be estimated."""
    if formula.optimum is not None:
        return formula.optimum
    if formula.relation is not None:
        return "min" if formula.relation in (">", ">=") else "max"
    if scheduling == "uniform":
        return None
    message = f"'{as_typed(formula)}' has no single value: the program is nondeterministic"
    of_probability, of_reward = (
        "use Pmin or Pmax, or the uniform scheduler",
        "use Rmin or Rmax, or the uniform scheduler",
    )
    hint = of_probability if isinstance(formula, Probability) else of_reward
    raise InputError([Diagnostic("CHK013", message, formula.span, hint)])


def _measure(
    pool: RunPool, formula: SampledFormula, effort: SimulationSettings, series: RunBatch
) -> Measurement:
    precision = Precision(effort.confidence, effort.error, effort.runs)
    threshold = None if formula.threshold is None else float(formula.threshold)
    if isinstance(formula, Reward):
        return estimate_reward(pool, series, precision, threshold)
    return (
        estimate_probability(pool, series, precision)
        if threshold is None
        else threshold_test(pool, series, precision, threshold)
    )


def _threshold_verdict(formula: SampledFormula, above: bool, bound_kind: Bounds) -> bool | None:
    """Return whether a formula with a threshold holds, given whether the estimated value is above
    the threshold. Return None if the estimate is only a bound, from the side that does not decide
    the formula."""
    if (bound_kind == "at least" and not above) or (bound_kind == "at most" and above):
        return None
    return above == (formula.relation in (">", ">="))


def _unknown_reason(
    formula: SampledFormula, measured: Measurement, holds: bool | None, bound_kind: Bounds
) -> str | None:
    if holds is not None:
        return None
    if formula.relation is not None and measured.imprecise_reason is None:
        return (
            "no scheduler was found that decides the property, which does not prove that none "
            "exists"
        )
    if measured.imprecise_reason is None and bound_kind == "at most" and measured.upper == math.inf:
        return "runs under the best scheduler found do not always reach the goal"
    return measured.imprecise_reason
