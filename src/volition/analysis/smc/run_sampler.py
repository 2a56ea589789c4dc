"""Runs of a program for one formula: how each of them answers it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from volition.analysis.smc.monitors import PathMonitor
from volition.checking.graph.propositions import DEADLOCK, predicate
from volition.checking.quantitative.rewards import reward_among
from volition.checking.task import CheckTask
from volition.diagnostics import Diagnostic, InputError
from volition.kernel.sampling import RewardMode, RunBatch, SampledRuns, Sampler, SchedulerKind
from volition.languages.protocols import Model, Program
from volition.logic.printing import as_typed
from volition.logic.syntax import (
    Cumulative,
    Finally,
    Formula,
    Instantaneous,
    Next,
    Probability,
    Reward,
    StepBound,
    Total,
)
from volition.logic.traversal import children, expand_agents, is_propositional, modal_atoms

__all__ = ["RunSampler", "SampledFormula", "run_sampler_for", "sample_runs"]

SampledFormula = Probability | Reward

PILOT_BATCH = RunBatch(
    seed=1, stream=0, first=0, runs=100, max_steps=1_000, choosing=SchedulerKind.UNIFORM
)
"""Runs that are made to see which rewards there are."""


@dataclass
class RunSampler:
    """A program and what is asked about its runs.  It can be pickled; what was traced stays where
    it is."""

    program: Program
    formula: SampledFormula
    reward: str | None = None
    _sampler: Sampler | None = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {"program": self.program, "formula": self.formula, "reward": self.reward}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _sampler=None, _lock=threading.Lock())

    def sampler(self) -> Sampler:
        with self._lock:
            if self._sampler is None:
                self._sampler = _sampler_for(self.program, self.formula, self.reward)
            return self._sampler

    def step_limit(self, limit: int) -> int:
        """How many steps a run may have: the limit, or as many as the formula is about, if that is
        known."""
        match self.formula:
            case Reward(reward_path=Cumulative(steps=steps) | Instantaneous(step=steps)):
                return steps
            case Probability():
                return max(limit, _horizon(self.formula.path) or 0)
        return limit


def run_sampler_for(program: Program, formula: Formula) -> RunSampler:
    """What is to be made; raises :class:`InputError` where runs do not answer the formula, or the
    program does not know its words."""
    query = expand_agents(formula, program.model().agents)
    if not isinstance(query, Probability | Reward):
        raise _no_question_about_runs(query)
    made = RunSampler(program, query)
    made.sampler()
    return (
        made
        if isinstance(query, Probability)
        else RunSampler(program, query, _reward_name(program, query))
    )


def sample_runs(
    runs: RunSampler, portion: tuple[Sequence[RunBatch], float | None]
) -> list[tuple[RunBatch, SampledRuns]]:
    """Some series of runs, in so many seconds each at most."""
    requested, seconds = portion
    return [(series, runs.sampler().sample(series, seconds=seconds)) for series in requested]


def _sampler_for(program: Program, formula: SampledFormula, reward: str | None) -> Sampler:
    model = program.model(modal_atoms(formula))
    match formula:
        case Probability():
            return _monitored(model, formula, formula.path, RewardMode.NONE, None)
        case Reward(reward_path=Finally(bound=None) as goal) if is_propositional(goal.operand):
            return _monitored(model, formula, goal, RewardMode.UNTIL_ACCEPTED, reward)
        case Reward(reward_path=Cumulative()):
            return Sampler(model.system, earning=RewardMode.CUMULATIVE, reward=reward)
        case Reward(reward_path=Instantaneous()):
            return Sampler(model.system, earning=RewardMode.INSTANTANEOUS, reward=reward)
        case Reward(reward_path=Total()):
            return Sampler(model.system, earning=RewardMode.TOTAL, reward=reward)
    raise _no_question_about_runs(formula)


def _monitored(
    model: Model, formula: SampledFormula, path: Formula, earning: RewardMode, reward: str | None
) -> Sampler:
    atoms = CheckTask(model, formula).resolved_atoms
    monitor = PathMonitor(path)
    propositions = [
        None if each == DEADLOCK and DEADLOCK not in atoms else predicate(each, atoms)
        for each in monitor.propositions
    ]
    return Sampler(
        model.system, propositions=propositions, monitor=monitor, earning=earning, reward=reward
    )


def _no_question_about_runs(formula: Formula) -> InputError:
    hint = (
        "ask for P of a formula over runs, or for R until F, of C or of I; 'check' answers "
        "everything else"
    )
    return InputError(
        [
            Diagnostic(
                "CHK083",
                f"'{as_typed(formula)}' cannot be simulated: single runs do not answer it",
                formula.span,
                hint,
            )
        ]
    )


def _reward_name(program: Program, query: Reward) -> str:
    """The reward that is meant, among those that states have or that some runs earned."""
    model = program.model(modal_atoms(query))
    sampler = Sampler(model.system)
    sampler.sample(PILOT_BATCH)
    return reward_among(sorted(sampler.reward_names | set(model.system.state_rewards)), query)


def _horizon(path: Formula) -> int | None:
    """After how many steps the formula is decided on every run; None if there is no such number."""
    below = [_horizon(part) for part in children(path)] if not is_propositional(path) else []
    deepest = 0
    for each in below:
        if each is None:
            return None
        deepest = max(deepest, each)
    bound = getattr(path, "bound", StepBound(upper=0))
    if bound is None or bound.upper is None:
        return None
    return deepest + int(bound.upper) + isinstance(path, Next)
