"""Lookup of a recorded run in the explored state space: whether each step is a transition, and how
many states the run visits.

A run that begins in the initial state and takes steps of the model stays in the state space. The
conformance check has already computed these steps with the model's functions; the lookup confirms
them independently.
"""

from __future__ import annotations

from collections.abc import Iterable

from volition.kernel import StateSpace
from volition.runtime.conformance.replay_step import ConformanceStep, changed
from volition.runtime.conformance.result import StateCoverage
from volition.runtime.successor import State

__all__ = ["look_up"]


def look_up(space: StateSpace, steps: Iterable[ConformanceStep]) -> StateCoverage:
    """Follow the steps of a run from the initial state along the transitions of a state space.
    Return how many states the run visits, and the first step that is not a transition."""
    here, seen = 0, {0}
    known: dict[tuple[int, frozenset[tuple[str, object]]], int | None] = {}
    for step in steps:
        if step.after is None:
            break
        changes = frozenset(changed(step.before, step.after).items())
        if (here, changes) not in known:
            known[here, changes] = _target(space, here, step.after)
        found = known[here, changes]
        if found is None:
            return StateCoverage(space.num_states, len(seen), space.complete, step.number)
        here = found
        seen.add(here)
    return StateCoverage(space.num_states, len(seen), space.complete)


def _target(space: StateSpace, state: int, after: State) -> int | None:
    """Return the index of the successor of ``state`` whose slot values are ``after``, or None if
    there is no such successor."""
    targets = {
        target for choice in space.choices_of(state) for target in space.targets_of(choice).tolist()
    }
    return next((target for target in sorted(targets) if space.values(target) == after), None)
