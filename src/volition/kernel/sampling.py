"""Sampling of random runs of a system, generated from its decision trees without storing states.

A sampler checks one property on each run. A *monitor* follows the run. After each state it returns
its *mode*, a number that encodes the obligations that remain. Mode 0 rejects the run whatever
follows, mode 1 accepts it, and mode 2 is the mode before the first state. The set of propositions
that hold in a state is a *letter*, encoded as bits of an integer.

Runs are numbered. A run depends only on its number and the seed, not on the process that samples it
or on earlier runs.
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
"""Outcome of a sampled run: rejected by the monitor, accepted, step limit reached, or stopped at an
unresolved nondeterministic choice."""
INITIAL = 2
"""Mode of a monitor before the first state of a run. Modes 0 and 1 are :data:`REJECTED` and
:data:`ACCEPTED`."""


class Monitor(Protocol):
    """Interface of a monitor, a deterministic automaton that decides a property on a run."""

    def step(self, mode: int, letter: int) -> int:
        """Return the mode that follows ``mode`` when the run visits a state with this letter (the
        set of propositions that hold, as bits)."""

    def accepts_loop(self, mode: int, letters: Sequence[int]) -> bool:
        """Return whether the monitor, now in ``mode``, accepts a run that visits states with these
        letters again and again, forever. A letter is the set of propositions that hold in a state,
        as bits."""


@dataclass(frozen=True, slots=True)
class RunBatch:
    """Batch of numbered runs to sample: ``runs`` runs, starting at number ``first``, each at most
    ``max_steps`` long.

    Batches with different ``stream`` values have different runs, even with the same seed and run
    numbers. ``choosing`` is the kind of scheduler that resolves nondeterminism. If it is
    ``HASHED``, ``scheduler`` is the number of the scheduler to use.
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
    """Outcome, reward and number of steps of each sampled run. There are fewer runs than requested
    if the sampling was stopped.

    ``negative`` is set if a state or choice has a negative reward, so that a longer run may have a
    smaller total.
    """

    outcomes: npt.NDArray[np.uint8]
    rewards: npt.NDArray[np.float64]
    steps: npt.NDArray[np.uint64]
    negative: bool = False

    def __len__(self) -> int:
        return len(self.outcomes)


class Sampler:
    """Sampler of runs of a system, for one property.

    The monitor of the property reads the truth values of ``propositions`` in each state, as the
    bits of an integer, lowest bit first. The proposition None holds in terminal states. ``earning``
    determines how the reward named ``reward`` is accumulated along a run.
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
        self._adapter = _SamplerAdapter(self._native, reward)
        # The adapter has the part of the explorer's interface that the tracer uses.
        self._tracer = Tracer(system, cast(_native.Explorer, self._adapter))
        self._adapter.tracer = self._tracer
        for slot in range(len(system.slots)):
            self._adapter.register_hash(slot, 0)
        self._amounts: InternTable[Hashable] = InternTable[Hashable]()
        self._monitor = monitor
        self._lock = threading.Lock()
        state_reward = system.state_rewards.get(reward or "")
        self._native.set_property(
            propositions=[self._proposition_trees(each) for each in propositions],
            terminal_bit=propositions.index(None)
            if None in propositions and system.stutter is STUTTER
            else None,
            monitored=monitor is not None,
            reward_mode=earning,
            state_reward=None
            if state_reward is None
            else self._tracer.add_function("reward", state_reward, self._amounts),
        )

    @property
    def reward_names(self) -> frozenset[str]:
        """Names of the rewards of all choices that were traced in earlier samples."""
        return frozenset(name for rewards in self._tracer.rewards.objects for name, _ in rewards)

    def sample(
        self,
        series: RunBatch,
        *,
        stop: Callable[[], bool] = lambda: False,
        seconds: float | None = None,
    ) -> SampledRuns:
        """Sample the runs of a batch and return their outcomes.

        If ``stop`` returns true, the time limit is reached or Ctrl-C is pressed, only the runs
        finished until then are returned.
        """
        end = None if seconds is None else time.monotonic() + seconds
        with self._lock, self._tracer.attributing_errors():
            try:
                ends, earned, steps = self._native.sample(
                    trace=self._trace,
                    monitor_step=self._follow,
                    accepts_loop=self._settle,
                    state_reward_value=lambda answer: float(
                        cast(float, self._amounts.objects[answer])
                    ),
                    poll=lambda: stop() or (end is not None and time.monotonic() > end),
                    seed=series.seed,
                    stream=series.stream,
                    first_run=series.first,
                    runs=series.runs,
                    max_steps=series.max_steps,
                    scheduler_kind=series.choosing,
                    scheduler=series.scheduler,
                )
            except ModelError as breach:
                breach.attach_path(
                    [self._tracer.labels.objects[label] for label in self._native.labels]
                )
                raise
        negative = self._adapter.negative or any(
            cast(float, each) < 0 for each in self._amounts.objects
        )
        return SampledRuns(ends, earned, steps, negative)

    def _trace(self, tree: int) -> tuple[list[tuple[int, int]], int]:
        self._adapter.tree = tree
        return self._tracer.trace(tree, (False, 0))

    def _follow(self, mode: int, letter: int) -> int:
        assert self._monitor is not None, "only monitored runs have a monitor to step"
        return self._monitor.step(mode, letter)

    def _settle(self, mode: int, letters: Sequence[int]) -> bool:
        return self._monitor is not None and self._monitor.accepts_loop(mode, letters)

    def _proposition_trees(self, predicate: Predicate | None) -> tuple[list[int], bool]:
        """Return the decision trees of a proposition, by number, and whether the proposition is
        negated. An :class:`AnyPredicate` or :class:`NoPredicate` has one tree per part."""
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
    """Adapter with which a tracer, the object that runs traced functions for an explorer, can work
    for a native sampler.

    It replaces the ids of probabilities and rewards by floats. It also registers stable hashes of
    values and labels, which schedulers that choose by a hash need.
    """

    def __init__(self, native: _native.Sampler, reward: str | None) -> None:
        self._native = native
        self._reward = reward
        self.tree = 0
        """Number of the decision tree of the function that is being traced. It identifies the
        component of new choices."""
        self._keyed: set[tuple[int, int]] = set()
        self._label_keys: dict[int, int] = {}
        self.tracer: Tracer | None = None
        self.negative = False
        """Whether a choice with a negative reward was traced."""

    def add_external_bytes(self, amount: int) -> None:
        """Do nothing: sampling has no memory limit, so memory of Python objects is not counted."""

    def add_tree(self) -> int:
        return self._native.add_tree()

    def read(self, index: tuple[bool, int], slot: int) -> int:
        del index  # a sampler has only one state
        return self._native.read(slot)

    def add_writes(self, writes: Sequence[tuple[int, int]]) -> int:
        self._register_hashes(writes)
        return self._native.add_writes(writes)

    def add_choices(
        self,
        choices: Sequence[tuple[int, int, bool, Sequence[tuple[int, Sequence[tuple[int, int]]]]]],
    ) -> int:
        tracer = self._attached_tracer
        encoded = []
        seen: dict[int, int] = {}
        for label, reward, reacts, outcomes in choices:
            # Two choices with the same label are distinguished by their component and their order.
            twin = seen[label] = seen.get(label, -1) + 1
            up_to = accumulate(float(tracer.weights.objects[weight]) for weight, _ in outcomes)
            amount = float(dict(tracer.rewards.objects[reward]).get(self._reward or "", 0))
            self.negative = self.negative or amount < 0
            encoded.append(
                (
                    self._label_key(label) ^ (self.tree << 16 | twin),
                    label,
                    amount,
                    reacts,
                    [(share, writes) for share, (_, writes) in zip(up_to, outcomes, strict=True)],
                )
            )
            for _, writes in outcomes:
                self._register_hashes(writes)
        return self._native.add_choices(encoded)

    def register_hash(self, slot: int, value: int) -> None:
        if (slot, value) not in self._keyed:
            self._keyed.add((slot, value))
            self._native.set_value_hash(
                slot, value, stable_hash(self._attached_tracer.values[slot].objects[value])
            )

    def _register_hashes(self, writes: Sequence[tuple[int, int]]) -> None:
        for slot, value in writes:
            self.register_hash(slot, value)

    def _label_key(self, label: int) -> int:
        if label not in self._label_keys:
            self._label_keys[label] = stable_hash(self._attached_tracer.labels.objects[label])
        return self._label_keys[label]

    @property
    def _attached_tracer(self) -> Tracer:
        assert self.tracer is not None, "the tracer is attached before the first trace"
        return self.tracer
