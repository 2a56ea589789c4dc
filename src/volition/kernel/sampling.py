"""Runs of a system without its states: what was traced is walked, run after run, and nothing is
stored.

A sampler asks one question about each run.  A *monitor* follows the run: after each state it says
by its *mode* what is still due.  Mode 0 means that the run fails whatever comes, mode 1 that it is
as asked, mode 2 is the one before the first state.  Which propositions hold in a state is a
*letter*, as bits.

Runs have numbers.  What a run does depends on its number and the seed alone, not on who makes it or
what was made before.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from volition.kernel import _native
from volition.kernel._native import RewardMode, SchedulerKind
from volition.kernel.stable_hash import stable_hash
from volition.kernel.system import (
    STUTTER,
    AnyPredicate,
    ModelError,
    NoPredicate,
    Predicate,
    SlotView,
    System,
)
from volition.kernel.tracing import InternTable, Tracer

__all__ = [
    "ACCEPTED",
    "INITIAL",
    "REJECTED",
    "STEP_LIMIT",
    "UNRESOLVED_CHOICE",
    "Monitor",
    "RewardMode",
    "RunBatch",
    "SampledRuns",
    "Sampler",
    "SchedulerKind",
]

REJECTED, ACCEPTED, STEP_LIMIT, UNRESOLVED_CHOICE = range(4)
"""How a run ended: not as asked, as asked, not within its steps, in a state with several choices
among which nobody chose."""
INITIAL = 2
"""The mode of a monitor before the first state; 0 and 1 are :data:`FAILED` and :data:`MET`."""


class Monitor(Protocol):
    """What follows a run."""

    def step(self, mode: int, letter: int) -> int:
        """The mode after a state."""

    def accepts_loop(self, mode: int, letters: Sequence[int]) -> bool:
        """Whether a run is as asked that goes on from here by repeating these letters for ever."""


@dataclass(frozen=True, slots=True)
class RunBatch:
    """Runs to be made: those with the numbers from ``first`` on, of at most so many steps.

    Series with another ``stream`` have other runs.  ``scheduler`` is the number of the one that
    chooses, where choosing is by keys.
    """

    seed: int
    stream: int
    first: int
    runs: int
    max_steps: int
    choosing: SchedulerKind
    scheduler: int = 0


@dataclass(frozen=True, slots=True)
class SampledRuns:
    """How each run of a series ended, what it earned and how many steps it took; fewer than asked
    for where time was over.

    ``negative`` says that some reward that was met is below 0, so that a longer run may earn less.
    """

    outcomes: npt.NDArray[np.uint8]
    rewards: npt.NDArray[np.float64]
    steps: npt.NDArray[np.uint64]
    negative: bool = False

    def __len__(self) -> int:
        return len(self.outcomes)


class Sampler:
    """Makes runs of a system for one question.

    ``propositions`` are the bits of a letter, the lowest first; None holds in terminal states.
    What a run earns of ``reward`` is added up as ``earning`` says.
    """

    def __init__(
        self,
        system: System,
        *,
        propositions: Sequence[Predicate | None] = (),
        monitor: Monitor | None = None,
        earning: RewardMode = RewardMode.NONE,
        reward: str | None = None,
    ) -> None:
        sizes = len(system.slots), len(system.components), len(system.reactions)
        self._native = _native.Sampler(*sizes, system.mode == "synchronous")
        self._face = _SamplerAdapter(self._native, reward)
        # The tracer speaks to a sampler as it speaks to an explorer, which has more to offer.
        self._tracer = Tracer(system, cast(_native.Explorer, self._face))
        self._face.tracer = self._tracer
        for slot in range(len(system.slots)):
            self._face.register_hash(slot, 0)
        self._amounts: InternTable[Hashable] = InternTable[Hashable]()
        self._monitor = monitor
        self._lock = threading.Lock()
        of_states = system.state_rewards.get(reward or "")
        self._native.ask(
            propositions=[self._proposition_trees(each) for each in propositions],
            terminal_bit=propositions.index(None)
            if None in propositions and system.stutter is STUTTER
            else None,
            monitored=monitor is not None,
            earning=earning,
            state_reward=None
            if of_states is None
            else self._tracer.add_function("reward", of_states, self._amounts),
        )

    @property
    def reward_names(self) -> frozenset[str]:
        """The rewards that some choice was found to earn so far."""
        return frozenset(name for rewards in self._tracer.rewards.objects for name, _ in rewards)

    def sample(
        self,
        series: RunBatch,
        *,
        stop: Callable[[], bool] = lambda: False,
        seconds: float | None = None,
    ) -> SampledRuns:
        """The runs of a series, as many of the first as were made when ``stop`` said so, time was
        over, or Ctrl-C came."""
        end = None if seconds is None else time.monotonic() + seconds
        with self._lock, self._tracer.attributing_errors():
            try:
                ends, earned, steps = self._native.sample(
                    trace=self._trace,
                    follow=self._follow,
                    settle=self._settle,
                    amount=lambda answer: float(cast(float, self._amounts.objects[answer])),
                    pause=lambda: stop() or (end is not None and time.monotonic() > end),
                    seed=series.seed,
                    stream=series.stream,
                    first_run=series.first,
                    runs=series.runs,
                    most_steps=series.max_steps,
                    choosing=series.choosing,
                    scheduler=series.scheduler,
                )
            except ModelError as breach:
                breach.attach_path(
                    [self._tracer.labels.objects[label] for label in self._native.labels]
                )
                raise
        negative = self._face.negative or any(
            cast(float, each) < 0 for each in self._amounts.objects
        )
        return SampledRuns(ends, earned, steps, negative)

    def _trace(self, tree: int) -> tuple[list[tuple[int, int]], int]:
        self._face.tree = tree
        return self._tracer.trace(tree, (False, 0))

    def _follow(self, mode: int, letter: int) -> int:
        assert self._monitor is not None, "nobody follows a run that is not monitored"
        return self._monitor.step(mode, letter)

    def _settle(self, mode: int, letters: Sequence[int]) -> bool:
        return self._monitor is not None and self._monitor.accepts_loop(mode, letters)

    def _proposition_trees(self, predicate: Predicate | None) -> tuple[list[int], bool]:
        """The trees of a proposition: those of its parts, where it has some."""
        if predicate is None:
            return [], False
        parts = (
            list(predicate.parts)
            if isinstance(predicate, AnyPredicate | NoPredicate)
            else [predicate]
        )
        trees = [
            self._tracer.add_function(
                "proposition", _as_bit(each), InternTable[Hashable](False, True)
            )
            for each in parts
        ]
        return trees, isinstance(predicate, NoPredicate)


def _as_bit(predicate: Predicate) -> Callable[[SlotView], bool]:
    return lambda view: bool(predicate(view))


class _SamplerAdapter:
    """What a tracer registers, handed on to a sampler: with numbers in the place of ids, and with
    keys for schedulers."""

    def __init__(self, native: _native.Sampler, reward: str | None) -> None:
        self._native = native
        self._reward = reward
        self.tree = 0
        """The one whose function is asked: of which component choices are."""
        self._keyed: set[tuple[int, int]] = set()
        self._label_keys: dict[int, int] = {}
        self.tracer: Tracer | None = None
        self.negative = False
        """Whether some choice has a reward below 0."""

    def add_outside_bytes(self, amount: int) -> None:
        """Nothing that a limit would count is kept."""

    def add_tree(self) -> int:
        return self._native.add_tree()

    def read(self, index: tuple[bool, int], slot: int) -> int:
        del index  # there is one state only
        return self._native.read(slot)

    def add_writes(self, writes: Sequence[tuple[int, int]]) -> int:
        self._give_keys(writes)
        return self._native.add_writes(writes)

    def add_choices(
        self,
        choices: Sequence[tuple[int, int, bool, Sequence[tuple[int, Sequence[tuple[int, int]]]]]],
    ) -> int:
        tracer = self._the_tracer
        given = []
        seen: dict[int, int] = {}
        for label, reward, reacts, outcomes in choices:
            # Two choices of one label are told apart by their component and their order.
            twin = seen[label] = seen.get(label, -1) + 1
            up_to = accumulate(float(tracer.weights.objects[weight]) for weight, _ in outcomes)
            amount = float(dict(tracer.rewards.objects[reward]).get(self._reward or "", 0))
            self.negative = self.negative or amount < 0
            given.append(
                (
                    self._label_key(label) ^ (self.tree << 16 | twin),
                    label,
                    amount,
                    reacts,
                    [(share, writes) for share, (_, writes) in zip(up_to, outcomes, strict=True)],
                )
            )
            for _, writes in outcomes:
                self._give_keys(writes)
        return self._native.add_choices(given)

    def register_hash(self, slot: int, value: int) -> None:
        if (slot, value) not in self._keyed:
            self._keyed.add((slot, value))
            self._native.set_key(
                slot, value, stable_hash(self._the_tracer.values[slot].objects[value])
            )

    def _give_keys(self, writes: Sequence[tuple[int, int]]) -> None:
        for slot, value in writes:
            self.register_hash(slot, value)

    def _label_key(self, label: int) -> int:
        if label not in self._label_keys:
            self._label_keys[label] = stable_hash(self._the_tracer.labels.objects[label])
        return self._label_keys[label]

    @property
    def _the_tracer(self) -> Tracer:
        assert self.tracer is not None, "a face is given its tracer before anything is traced"
        return self.tracer
