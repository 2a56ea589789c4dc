"""Formulas answered by runs, for programs whose states no machine holds: with how much confidence, and what the runs leave open.

A run that is not decided within its steps counts on both sides of an interval.  So does one that comes to a choice which nobody makes:
where that does not happen in the first runs, all are made that way, and the answer is one about every strategy.  Where it does,
somebody has to choose (:mod:`volition.analysis.statistics.schedulers`), and the answer says who.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Literal

from volition.analysis.statistics.crew import Crew, Progress, crew_for
from volition.analysis.statistics.estimate import Bounds, Estimate
from volition.analysis.statistics.measuring import Measured, Precision, mean_earned, probability, tested
from volition.analysis.statistics.runs import Asked, RunsOfProgram, runs_of
from volition.analysis.statistics.schedulers import Scheduler, found_by_smart_sampling
from volition.checking.questions import Question
from volition.diagnostics import Diagnostic, InputError
from volition.kernel.sampling import CHOICE, SchedulerKind, Series
from volition.languages.model import Program
from volition.logic.printing import as_typed
from volition.logic.syntax import Probability, Reward

__all__ = ["Effort", "Scheduling", "estimate"]

PILOT, ESTIMATE, SEARCH = 1, 2, 1_000
"""Streams of random numbers: what is decided by some runs is measured by others."""
FIRST_RUNS = 100
"""Made to see whether there is anything to choose."""

LIMIT_IN_SEARCH = 1_000
"""Steps of a run that only helps to choose a scheduler, where the formula does not say how many it needs."""

Optimum = Literal["min", "max"]
Scheduling = Literal["search", "uniform"]

ALL_STRATEGIES = "that met no choice"
UNIFORM = "with every choice equally likely"


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to try: as many runs as the ``error`` needs, or so many ``runs``, of at most ``limit`` steps, within the ``seconds``."""

    confidence: float = 0.99
    error: float = 0.01
    runs: int | None = None
    limit: int = 10_000
    seed: int = 1
    scheduling: Scheduling = "search"
    schedulers: int = 256
    jobs: int | None = None
    cluster: str | None = None
    seconds: float | None = None


def estimate(program: Program, question: Question, effort: Effort | None = None, *, progress: Progress | None = None) -> Estimate:
    """The answer to one formula.  Ctrl-C, and the end of the time, give what the runs so far say.

    Raises :class:`InputError` where runs do not answer the formula.
    """
    effort = effort or Effort()
    start = time.perf_counter()
    runs = runs_of(program, question.formula)
    template = Series(effort.seed, ESTIMATE, 0, 0, runs.length(effort.limit), SchedulerKind.STOP_AT_CHOICE)
    pilot = runs.sampler().sample(replace(template, stream=PILOT, runs=FIRST_RUNS), seconds=effort.seconds)
    left = None if effort.seconds is None else max(0.0, effort.seconds - (time.perf_counter() - start))
    if len(pilot) < FIRST_RUNS and left != 0:
        raise KeyboardInterrupt  # before there is anything to tell
    with crew_for(runs, jobs=effort.jobs, cluster=effort.cluster, seconds=left, progress=progress) as crew:
        series, scheduler, says = _scheduled(crew, runs, effort, template, choices=bool((pilot.ends == CHOICE).any()))
        measured = _measured(crew, runs.asked, effort, series)
    holds = None if measured.above is None else _holds(runs.asked, measured.above, says)
    return Estimate(
        question=question,
        scheduler=scheduler,
        method=measured.method,
        says=says,
        confidence=effort.confidence,
        error=effort.error,
        runs=measured.runs,
        open=measured.open,
        seed=effort.seed,
        limit=template.most_steps,
        steps=crew.steps,
        longest=crew.longest,
        seconds=time.perf_counter() - start,
        estimate=measured.estimate,
        lower=measured.lower,
        upper=measured.upper,
        holds=holds,
        unknown=_unknown(runs.asked, measured, holds, says),
    )


def _scheduled(crew: Crew, runs: RunsOfProgram, effort: Effort, template: Series, *, choices: bool) -> tuple[Series, str, Bounds]:
    """The runs that are measured, who chooses on them, and what they say about the value that is asked for."""
    if not choices:
        return template, ALL_STRATEGIES, "value"
    optimum = _optimum(runs.asked, effort.scheduling)
    if optimum is None or effort.scheduling == "uniform":
        says: Bounds = "value" if optimum is None else _SAYS[optimum]
        return Scheduler(0).series(template), UNIFORM, says
    search = replace(template, stream=SEARCH, most_steps=runs.length(min(effort.limit, LIMIT_IN_SEARCH)))
    found = found_by_smart_sampling(crew, search, effort.schedulers, optimum, of_rewards=isinstance(runs.asked, Reward))
    return found.series(template), f"under the best found of {effort.schedulers:,} schedulers", _SAYS[optimum]


_SAYS: dict[Optimum, Bounds] = {"max": "at least", "min": "at most"}


def _optimum(asked: Asked, scheduling: Scheduling) -> Optimum | None:
    """Over which strategies; None where the uniform scheduler itself is meant."""
    if asked.optimum is not None:
        return asked.optimum
    if asked.relation is not None:
        return "min" if asked.relation in (">", ">=") else "max"
    if scheduling == "uniform":
        return None
    message = f"'{as_typed(asked)}' has no single value: the program is nondeterministic"
    of_probability, of_reward = (
        "use Pmin or Pmax, or let the uniform scheduler choose",
        "use Rmin or Rmax, or let the uniform scheduler choose",
    )
    hint = of_probability if isinstance(asked, Probability) else of_reward
    raise InputError([Diagnostic("CHK013", message, asked.span, hint)])


def _measured(crew: Crew, asked: Asked, effort: Effort, series: Series) -> Measured:
    wanted = Precision(effort.confidence, effort.error, effort.runs)
    threshold = None if asked.threshold is None else float(asked.threshold)
    if isinstance(asked, Reward):
        return mean_earned(crew, series, wanted, threshold)
    return probability(crew, series, wanted) if threshold is None else tested(crew, series, wanted, threshold)


def _holds(asked: Asked, above: bool, says: Bounds) -> bool | None:
    """The answer to a threshold, given on which side of it the measured value is: a bound on the value may be on the wrong side."""
    if (says == "at least" and not above) or (says == "at most" and above):
        return None
    return above == (asked.relation in (">", ">="))


def _unknown(asked: Asked, measured: Measured, holds: bool | None, says: Bounds) -> str | None:
    if holds is not None:
        return None
    if asked.relation is not None and measured.short is None:
        return "no scheduler was found that decides it, which does not prove that there is none"
    if measured.short is None and says == "at most" and measured.upper == math.inf:
        return "runs under the best scheduler found do not always get there"
    return measured.short
