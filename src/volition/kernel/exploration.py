"""Breadth-first exploration of a system, with limits on states, memory, time and depth.

An exploration that was stopped by a limit can be continued.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from volition.diagnostics import plural
from volition.kernel import _native
from volition.kernel._native import ExplorationStatus
from volition.kernel.reduction import Reduction, irreducible_reason
from volition.kernel.space import ExplorationStop, StateSpace, StopReason
from volition.kernel.system import Choice, Component, ModelError, Predicate, SlotView, System
from volition.kernel.tracing import InternTable, KernelError, Tracer

__all__ = ["Limits", "Progress", "explore", "explore_further"]

SECONDS_BETWEEN_REPORTS = 0.1

PARALLEL_THRESHOLD = 2**18
"""Number of states up to which a single thread explores. For smaller state spaces, starting and
synchronising more threads would cost more time than they save."""

MAX_STATES = 3_200_000_000
"""Maximum number of states that the kernel can store. States have 32-bit numbers, and the hash
table of the states needs free entries."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of an exploration; None means unlimited.

    ``bytes`` limits the memory of the state space, including the Python values in its states. The
    memory of the rest of the process, and arrays mapped from a file, do not count. States and
    memory are checked after each state, memory and time also many times a second. A running call of
    a Python function is not interrupted.

    ``depth`` is a number of steps. States at this distance from the initial state are stored but
    not expanded, so that the space contains every run of this length.

    ``jobs`` is the number of threads, None for one per core. It does not change the result: states,
    choices and transitions have the same numbers for any number of threads. Small spaces are
    explored by one thread.
    """

    states: int | None = None
    bytes: int | None = None
    seconds: float | None = None
    jobs: int | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of an exploration: states found, states expanded, transitions, elapsed seconds, and
    bytes of memory."""

    states: int
    expanded: int
    transitions: int
    seconds: float
    bytes: int


def explore(
    system: System,
    *,
    limits: Limits | None = None,
    stop_when: Predicate | None = None,
    progress: Callable[[Progress], None] | None = None,
    check_purity: bool = False,
    reduction: Reduction | None = None,
) -> StateSpace:
    """Explore the states that the system can reach, up to the limits.

    ``stop_when`` ends the exploration at the first state in which it holds; no state closer to the
    initial state satisfies it. Ctrl-C also ends the exploration. In both cases the returned space
    is partial and its attribute ``stopped`` gives the reason. ``progress`` is called several times
    a second.

    ``check_purity`` calls every function of the system twice in every state and raises
    :class:`KernelError` if the results differ after the same reads. This is slow and meant for
    debugging. If a component raises :class:`ModelError`, the exception is re-raised with a shortest
    path to the state in which that happens.

    With a ``reduction`` the space has fewer states than the system. Properties that the reduction
    preserves have the same result as on the complete space, but runs need not be shortest. Raise
    :class:`KernelError` if the system cannot be reduced.
    """
    with _attach_path_to_model_errors(system):
        return _Exploration.start(system, check_purity=check_purity, reduction=reduction).resume(
            limits or Limits(), stop_when, progress
        )


def explore_further(
    space: StateSpace,
    *,
    limits: Limits | None = None,
    stop_when: Predicate | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> StateSpace:
    """Continue a stopped exploration and return a larger space. No state is expanded twice.

    The result is identical to that of a single exploration with the limits of this call, including
    the numbers of states, choices and transitions. ``space`` itself does not change, but no other
    thread may use it during this call. ``limits.seconds`` counts from this call. All other limits
    include the part that was explored before. ``stop_when`` may differ from that of the first call.
    If it holds in a state that is already stored, no more states are expanded. If another call has
    continued the exploration since ``space`` was created, the result contains the states of that
    call too.

    A space with partial-order reduction may have to be explored again from the beginning. This is
    necessary if new reads or writes show that an ample set chosen earlier is unsound.
    """
    with _attach_path_to_model_errors(space.system):
        return _Exploration.from_space(space).resume(limits or Limits(), stop_when, progress)


@contextmanager
def _attach_path_to_model_errors(system: System) -> Iterator[None]:
    try:
        yield
    except ModelError as breach:
        breach.attach_path(_path_to_model_error(system))
        raise


def _path_to_model_error(system: System) -> Sequence[Hashable]:
    """Return the labels of a shortest run to a state in which a component raises
    :class:`ModelError`.

    The system is explored a second time, with one extra slot per component that records whether the
    component raised the error.
    """
    marks = {f"breach of {component.name}": component for component in system.components}

    def marking(mark: str, component: Component) -> Component:
        def step(view: SlotView) -> Sequence[Choice]:
            try:
                return component.step(view)
            except ModelError:
                return [Choice(mark, [(1, {mark: True})])]

        return replace(component, step=step)

    marked = replace(
        system,
        slots={**system.slots, **dict.fromkeys(marks, False)},
        components=[marking(mark, component) for mark, component in marks.items()],
    )
    space = _Exploration.start(marked).resume(
        Limits(), lambda view: any(view[mark] for mark in marks)
    )
    _, choices = space.path_to(space.stop_state or 0)
    return [space.label(choice) for choice in choices[:-1]]


@dataclass(frozen=True, slots=True)
class _Exploration:
    """Exploration that can be resumed any number of times: the native explorer, its tracer, and the
    seconds spent in earlier calls."""

    system: System
    native: _native.Explorer
    tracer: Tracer
    seconds: Mapping[str, float]
    reduction: Reduction | None = None

    @classmethod
    def start(
        cls, system: System, *, check_purity: bool = False, reduction: Reduction | None = None
    ) -> _Exploration:
        sizes = len(system.slots), len(system.components), len(system.reactions)
        native = _native.Explorer(
            *sizes, synchronous=system.mode == "synchronous", max_states=MAX_STATES
        )
        native.check_purity(check_purity)
        tracer = Tracer(system, native, check_purity=check_purity)
        if reduction is not None:
            _enable_reduction(system, native, tracer, reduction)
        return cls(system, native, tracer, {}, reduction)

    @classmethod
    def from_space(cls, space: StateSpace) -> _Exploration:
        return cls(space.system, space._native, space._tracer, space._seconds, space.reduction)

    def resume(
        self,
        limits: Limits,
        stop_when: Predicate | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> StateSpace:
        native, tracer = self.native, self.tracer
        stop_tree = (
            None
            if stop_when is None
            else tracer.add_function(
                "stop_when", _as_bool_predicate(stop_when), InternTable[Hashable](False, True)
            )
        )
        start, in_python = time.perf_counter(), tracer.seconds
        with tracer.exploring(), tracer.attributing_errors():
            ended = native.explore(
                tracer.trace,
                tracer.combine,
                None if progress is None else _throttled(progress, native, start),
                states=_or_unlimited(limits.states),
                bytes=_or_unlimited(limits.bytes),
                seconds=float("inf") if limits.seconds is None else limits.seconds,
                depth=limits.depth,
                stop_tree=stop_tree,
                threads=_cores() if limits.jobs is None else max(1, limits.jobs),
                parallel_threshold=PARALLEL_THRESHOLD,
            )
        spent = {
            "exploration": time.perf_counter() - start,
            "of which in Python": tracer.seconds - in_python,
        }
        seconds = {what: self.seconds.get(what, 0.0) + amount for what, amount in spent.items()}
        if ended is ExplorationStatus.REDUCTION_INVALIDATED:
            anew = replace(
                _Exploration.start(
                    self.system, check_purity=tracer.check_purity, reduction=self.reduction
                ),
                seconds=seconds,
            )
            left = (
                None if limits.seconds is None else max(0.0, limits.seconds - spent["exploration"])
            )
            return anew.resume(replace(limits, seconds=left), stop_when, progress)
        return StateSpace(
            self.system,
            native,
            tracer,
            _stop_from_status(ended, native, limits),
            seconds,
            self.reduction,
        )


def _enable_reduction(
    system: System, native: _native.Explorer, tracer: Tracer, reduction: Reduction
) -> None:
    why_not = irreducible_reason(system)
    if why_not is not None:
        raise KernelError(f"the system cannot be reduced: {why_not}")
    atoms = [
        tracer.add_function("atom", atom, InternTable[Hashable]()) for atom in reduction.functions()
    ]
    native.enable_reduction(
        atoms=atoms,
        singleton_only=reduction.branching,
        deadlock_visible=reduction.deadlock_visible,
        lookahead=reduction.lookahead,
        warmup_walks=reduction.warmup_walks,
    )


def _as_bool_predicate(predicate: Predicate) -> Predicate:
    return lambda view: bool(predicate(view))


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _or_unlimited(limit: int | None) -> int:
    return sys.maxsize if limit is None else min(limit, sys.maxsize)


def _throttled(
    progress: Callable[[Progress], None], native: _native.Explorer, start: float
) -> Callable[[], None]:
    next_report = start

    def report() -> None:
        nonlocal next_report
        now = time.perf_counter()
        if now >= next_report:
            next_report = now + SECONDS_BETWEEN_REPORTS
            progress(
                Progress(
                    native.num_states,
                    native.num_expanded,
                    native.num_transitions,
                    now - start,
                    native.total_bytes,
                )
            )

    return report


def _size(number: int) -> str:
    """Return a number of bytes as readable text, such as ``512 bytes`` or ``1.5 GiB``."""
    for power, unit in ((3, "GiB"), (2, "MiB"), (1, "KiB")):
        if number >= 1024**power:
            return f"{number / 1024**power:.3g} {unit}"
    return f"{number} {plural(number, 'byte')}"


_REASONS: Mapping[ExplorationStatus, StopReason] = {
    ExplorationStatus.STATE_LIMIT: "states",
    ExplorationStatus.MEMORY_LIMIT: "memory",
    ExplorationStatus.TIME_LIMIT: "seconds",
    ExplorationStatus.DEPTH_LIMIT: "depth",
    ExplorationStatus.STOP_CONDITION_MET: "stop_condition",
    ExplorationStatus.INTERRUPTED: "interrupted",
}


def _stop_from_status(
    ended: ExplorationStatus, native: _native.Explorer, limits: Limits
) -> ExplorationStop | None:
    """Return why the exploration stopped, with a text for users; None if it is complete."""
    if ended is ExplorationStatus.COMPLETE:
        return None
    reason = _REASONS[ended]
    maximum = (
        limits.states if limits.states is not None and native.num_states > limits.states else None
    )
    why = {
        "states": f"at the {MAX_STATES:,} states that can be stored"
        if maximum is None
        else f"at the limit of {maximum} {plural(maximum, 'state')}",
        "memory": f"at the limit of {_size(limits.bytes or 0)} of memory",
        "seconds": "at the time limit",
        "depth": f"at the depth of {native.depth} {plural(native.depth, 'step')}",
        "stop_condition": "at the first state that decides the property",
        "interrupted": "by Ctrl-C",
    }[reason]
    left = native.num_states - native.num_expanded
    explored = f"{native.num_expanded} {plural(native.num_expanded, 'state')} explored"
    return ExplorationStop(reason, f"stopped {why}: {explored}, {left} more found but not explored")
