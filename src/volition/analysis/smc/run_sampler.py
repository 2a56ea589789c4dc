"""Sampler of runs of a program for one probability or reward formula, which is evaluated on each
run."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

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
"""Batch of runs that is sampled to find out which rewards the program has."""


@dataclass
class RunSampler:
    """Sampler of runs of a program, each evaluated for a formula. ``reward`` is the name of the
    reward to sum up, if any.

    Pickling keeps only the program, the formula and the name of the reward; the native sampler is
    built again when needed.
    """

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
        """Return the maximum number of steps of a run. For a cumulative or instantaneous reward,
        this is the step bound of the formula. For a path formula with step bounds, it is ``limit``,
        or the number of steps that decides the formula on every run if that is larger. For all
        other formulas it is ``limit``."""
        match self.formula:
            case Reward(reward_path=Cumulative(steps=steps) | Instantaneous(step=steps)):
                return steps
            case Probability():
                return max(limit, _horizon(self.formula.path) or 0)
            case Reward():
                pass
            case _:
                assert_never(self.formula)
        return limit


def run_sampler_for(program: Program, formula: Formula) -> RunSampler:
    """Return the sampler for a formula; raise :class:`InputError` if single runs do not decide the
    formula, or if it has atoms that do not exist in the program."""
    query = expand_agents(formula, program.model().agents)
    if not isinstance(query, Probability | Reward):
        raise _not_decided_by_runs(query)
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
    """Sample several batches of runs, each for at most a number of seconds, and return the runs of
    each batch. Worker processes execute this function."""
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
        case Reward():
            pass
        case _:
            assert_never(formula)
    raise _not_decided_by_runs(formula)


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


def _not_decided_by_runs(formula: Formula) -> InputError:
    hint = "use P of a path formula, or R with F, C or I; 'check' answers everything else"
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
    """Return the name of the reward that a formula refers to, among the state rewards of the
    program and the rewards earned on pilot runs."""
    model = program.model(modal_atoms(query))
    sampler = Sampler(model.system)
    sampler.sample(PILOT_BATCH)
    return reward_among(sorted(sampler.reward_names | set(model.system.state_rewards)), query)


def _horizon(path: Formula) -> int | None:
    """Return a number of steps after which a path formula is decided on every run, or None if there
    is no such number."""
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
