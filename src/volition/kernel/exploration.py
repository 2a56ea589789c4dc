"""Exploring a system breadth first, within limits."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

from volition.diagnostics import plural
from volition.kernel import _native
from volition.kernel.space import StateSpace, Stop, StopReason
from volition.kernel.system import Breach, Choice, Component, Predicate, System, View
from volition.kernel.tracing import KernelError, Table, Tracer

__all__ = ["Limits", "Progress", "explore"]

SECONDS_BETWEEN_REPORTS = 0.1


@dataclass(frozen=True, slots=True)
class Limits:
    """Where an exploration stops; None is no limit.

    ``bytes`` counts the state space with the Python values that its states hold, not the rest of the process.  Limits are looked at
    after each call of a Python function, and many times a second in between; one call is not interrupted.
    """

    states: int | None = None
    bytes: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an exploration is: states found, how many of them are explored, and transitions."""

    states: int
    expanded: int
    transitions: int
    seconds: float


def explore(
    system: System,
    *,
    limits: Limits | None = None,
    stop_when: Predicate | None = None,
    progress: Callable[[Progress], None] | None = None,
    check_purity: bool = False,
) -> StateSpace:
    """Everything that the system can do, up to the limits.

    ``stop_when`` ends the exploration at the first state in which it holds, which is one nearest to the initial state.
    Ctrl-C ends it too; in each case the space says that it is partial and why.  ``check_purity`` runs every function
    twice in every state and raises :class:`KernelError` if one gives another answer after the same reads: slow, for debugging.
    A :class:`Breach` that a component raises goes on, with a shortest run to it.
    """
    try:
        return _explore(system, limits or Limits(), stop_when, progress, check_purity)
    except Breach as breach:
        breach.reached_by(_run_to_breach(system))
        raise


def _run_to_breach(system: System) -> Sequence[Hashable]:
    """The labels of a shortest run to a state in which a component raises :class:`Breach`, with its component marked in a slot."""
    marks = {f"breach of {component.name}": component for component in system.components}

    def marking(mark: str, component: Component) -> Component:
        def step(view: View) -> Sequence[Choice]:
            try:
                return component.step(view)
            except Breach:
                return [Choice(mark, [(1, {mark: True})])]

        return replace(component, step=step)

    marked = replace(
        system,
        slots={**system.slots, **dict.fromkeys(marks, False)},
        components=[marking(mark, component) for mark, component in marks.items()],
    )
    space = _explore(marked, Limits(), lambda view: any(view[mark] for mark in marks))
    _, choices = space.path_to(space.hit or 0)
    return [space.label(choice) for choice in choices[:-1]]


def _explore(
    system: System,
    limits: Limits,
    stop_when: Predicate | None = None,
    progress: Callable[[Progress], None] | None = None,
    check_purity: bool = False,
) -> StateSpace:
    native = _native.Explorer(len(system.slots), len(system.components), len(system.reactions), system.mode == "synchronous")
    tracer = Tracer(system, native, check_purity=check_purity)
    native.check_purity(check_purity)
    if stop_when is not None:
        native.stop_when(tracer.function("stop_when", _as_bit(stop_when), Table[Hashable](False, True)))

    start = time.perf_counter()
    report = None if progress is None else _throttled(progress, native, start)
    with tracer.blaming():
        ended, conflict = native.explore(
            tracer.trace,
            tracer.combine,
            report,
            states=_or_unlimited(limits.states),
            bytes=_or_unlimited(limits.bytes),
            seconds=float("inf") if limits.seconds is None else limits.seconds,
        )
    if conflict is not None:
        first, second, slot = conflict
        raise KernelError(f"{tracer.name(first)} and {tracer.name(second)} both write slot {list(system.slots)[slot]!r} in one step")
    stopped = _stop(ended, native, limits)
    return StateSpace(system, native, tracer, stopped, {"exploration": time.perf_counter() - start, "of which in Python": tracer.seconds})


def _as_bit(predicate: Predicate) -> Predicate:
    return lambda view: bool(predicate(view))


def _or_unlimited(limit: int | None) -> int:
    return sys.maxsize if limit is None else min(limit, sys.maxsize)


def _throttled(progress: Callable[[Progress], None], native: _native.Explorer, start: float) -> Callable[[], None]:
    next_report = start

    def report() -> None:
        nonlocal next_report
        now = time.perf_counter()
        if now >= next_report:
            next_report = now + SECONDS_BETWEEN_REPORTS
            progress(Progress(native.num_states, native.num_expanded, native.num_transitions, now - start))

    return report


def _size(number: int) -> str:
    """An amount of memory for people: 512 bytes, 1.5 GiB."""
    for power, unit in ((3, "GiB"), (2, "MiB"), (1, "KiB")):
        if number >= 1024**power:
            return f"{number / 1024**power:.3g} {unit}"
    return f"{number} {plural(number, 'byte')}"


def _stop(ended: int, native: _native.Explorer, limits: Limits) -> Stop | None:
    """The explorer's ``Ended`` in words."""
    reasons: tuple[StopReason | None, ...] = (None, "states", "memory", "seconds", "hit", "interrupted")
    reason = reasons[ended]
    if reason is None:
        return None
    why = {
        "states": f"the limit of {limits.states} {plural(limits.states or 0, 'state')}",
        "memory": f"the limit of {_size(limits.bytes or 0)} of memory",
        "seconds": "the time limit",
        "hit": "the first state that decides the property",
        "interrupted": "Ctrl-C",
    }[reason]
    left = native.num_states - native.num_expanded
    explored = f"{native.num_expanded} {plural(native.num_expanded, 'state')} explored"
    return Stop(reason, f"stopped at {why}: {explored}, {left} more found but not explored")
