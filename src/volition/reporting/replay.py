"""Replay of a recorded run: checks whether each of its steps is still possible in the current
program.

A step is identified by its agent, text, rules and action. If several choices match, the recorded
changes decide.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

from volition.diagnostics import plural
from volition.display import HtmlDisplay, data_frame
from volition.kernel import Limits, StateSpace, explore
from volition.languages.protocols import Model, Program, StateView
from volition.logic import parse
from volition.logic.syntax import Atom
from volition.origin import Origin
from volition.reporting.annotated_runs import (
    Change,
    changes_between,
    origins_of,
    origins_of_transition,
)
from volition.reporting.trace_format import validate_trace, written_slots

__all__ = [
    "OutcomeEffect",
    "Replay",
    "ReplayedStep",
    "best_fit",
    "matches_step",
    "new_names",
    "recorded_changes",
    "replay",
]

T = TypeVar("T")
Outcome = Literal["same", "other effect", "impossible"]

_SAME_NAMES: Mapping[str, str] = MappingProxyType({})
"""Default of the parameter ``names`` of :func:`matches_step`: no agent was renamed."""


@dataclass(frozen=True, slots=True)
class ReplayedStep:
    """Recorded step with the outcome of its replay.

    The step is possible with the same effect, possible with another effect (``differences`` has the
    changes that it makes now), or impossible (``alternatives`` are the steps that are possible
    instead).
    """

    number: int
    text: str
    outcome: Outcome
    differences: tuple[Change, ...] = ()
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Replay(HtmlDisplay):
    """Result of the replay of a recorded run. ``start`` has the differences between the program's
    initial state and the recorded one. ``loop_closes`` is whether the last step of a recorded loop
    still leads back to its beginning, or None if the replay does not reach the end of a loop."""

    start: tuple[Change, ...]
    steps: tuple[ReplayedStep, ...]
    recorded: int
    loop_closes: bool | None = None

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[ReplayedStep]:
        return iter(self.steps)

    def __getitem__(self, index: int) -> ReplayedStep:
        return self.steps[index]

    def __repr__(self) -> str:
        return f"<Replay: {self.summary()}>"

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one row for each replayed step."""
        rows = [
            [
                each.number,
                each.text,
                each.outcome,
                [*map(str, each.differences)],
                list(each.alternatives),
            ]
            for each in self.steps
        ]
        return data_frame(["step", "text", "outcome", "differences", "alternatives"], rows)

    def summary(self) -> str:
        """Return in one line whether the recorded run is still a run of the program."""
        replayed = (
            f"{self.num_replayed} of {self.recorded} {plural(self.recorded, 'step')} replayed"
        )
        return (
            "still a run of the program"
            if self.possible
            else f"no longer a run of the program: {replayed}"
        )

    @property
    def num_replayed(self) -> int:
        """Number of recorded steps that are possible in sequence, whatever their effect."""
        return sum(step.outcome != "impossible" for step in self.steps)

    @property
    def possible(self) -> bool:
        """Whether the recorded run is still a run of the program, with the same effects."""
        return (
            not self.start
            and len(self.steps) == self.recorded
            and self.loop_closes is not False
            and all(s.outcome == "same" for s in self.steps)
        )


def replay(trace: Mapping[str, Any], program: Program) -> Replay:
    """Replay a trace (data of :func:`volition.reporting.trace_format.trace_to_json`) in a program,
    up to and including the first step that is impossible. Raise :class:`InputError` if the data is
    not a valid trace."""
    validate_trace(trace)
    model = program.model(
        [atom for text in trace["observed"] if isinstance(atom := parse(text), Atom)]
    )
    state: Mapping[str, Any] = dict(model.system.slots)
    visited = [state]
    start = tuple(changes_between(trace["initial"]["view"], model.describe(state)))
    names = new_names(trace.get("agents", ()), model.agents)
    steps: list[ReplayedStep] = []
    for recorded in trace["steps"]:
        step, following = _follow(model, state, recorded, names)
        steps.append(step)
        if following is None:
            break
        state = following
        visited.append(state)
    loop, count = trace["loop"], len(trace["steps"])
    closes = None if loop is None or len(visited) <= count else visited[count] == visited[loop]
    return Replay(start, tuple(steps), count, closes)


def new_names(recorded: Sequence[str], now: Sequence[str]) -> Mapping[str, str]:
    """Return a map from the names of recorded agents to their names in the program. It is empty
    unless the record and the program have one agent each: a single agent is named after its file,
    and a renamed file does not make it another agent."""
    return dict(zip(recorded, now, strict=True)) if len(recorded) == len(now) == 1 else {}


def _follow(
    model: Model, state: Mapping[str, Any], recorded: Mapping[str, Any], names: Mapping[str, str]
) -> tuple[ReplayedStep, Mapping[str, Any] | None]:
    """Replay one recorded step in ``state``. Return the step with the outcome of its replay, and
    the next state; the next state is None if the step is impossible."""
    # With this limit the kernel expands exactly one state.
    space = explore(replace(model.system, slots=dict(state)), limits=Limits(states=1))
    number, text = int(recorded["step"]), str(recorded["text"])
    before = model.describe(state)
    candidates = [
        OutcomeEffect(target, changes, space.values(target))
        for choice in range(space.num_choices)
        for target, changes in _effects(model, space, choice, before)
        if matches_step(recorded, origins_of_transition(space, choice, 0, target), names)
    ]
    if candidates:
        found = best_fit(recorded, state, candidates)
        if set(found.changes) == set(recorded_changes(recorded)):
            return ReplayedStep(number, text, "same"), found.after
        return ReplayedStep(number, text, "other effect", differences=found.changes), found.after
    offered = dict.fromkeys(_sentence(space, choice, text) for choice in range(space.num_choices))
    return ReplayedStep(number, text, "impossible", alternatives=tuple(offered)), None


def _effects(
    model: Model, space: StateSpace, choice: int, before: StateView
) -> list[tuple[int, tuple[Change, ...]]]:
    targets = space.targets_of(choice).tolist()
    return [
        (target, tuple(changes_between(before, model.describe(space.values(target)))))
        for target in targets
    ]


@dataclass(frozen=True, slots=True)
class OutcomeEffect(Generic[T]):
    """Effect of one outcome of a choice: its changes to the state view, and the slot values after
    it. ``of`` is the caller's object that has this effect, such as a target state."""

    of: T
    changes: tuple[Change, ...]
    after: Mapping[str, Any]


def best_fit(
    recorded: Mapping[str, Any], before: Mapping[str, Any], effects: Sequence[OutcomeEffect[T]]
) -> OutcomeEffect[T]:
    """Return the effect that is closest to that of a recorded step, or the first effect if none is
    close.

    Two outcomes may have the same visible changes and differ in their slot values, and so in the
    steps that follow. Effects with the recorded slot values are therefore preferred.
    """
    requested, slots = (
        set(recorded_changes(recorded)),
        json.dumps(recorded.get("slots"), sort_keys=True),
    )
    matching = [each for each in effects if set(each.changes) == requested]
    exact = (
        each
        for each in matching
        if json.dumps(_changed(before, each.after), sort_keys=True) == slots
    )
    return next(exact, (matching or effects)[0])


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the slots whose values differ between two states, with the values in ``after`` as JSON
    data."""
    old, new = written_slots(before, after)
    return {
        slot: value for slot, value in new.items() if json.dumps(old[slot]) != json.dumps(value)
    }


def matches_step(
    recorded: Mapping[str, Any], origins: Sequence[Origin], names: Mapping[str, str] = _SAME_NAMES
) -> bool:
    """Return whether a recorded step has the given origins in the program. ``names`` maps recorded
    agent names to current ones."""
    steps = () if recorded["stutter"] else (recorded, *recorded.get("joint", ()))
    return len(steps) == len(origins) and all(
        _is_of(step, origin, names) for step, origin in zip(steps, origins, strict=True)
    )


def recorded_changes(recorded: Mapping[str, Any]) -> tuple[Change, ...]:
    """Return the changes that a recorded step made to the state view."""
    return tuple(
        Change(change["section"], change["item"], change["before"], change["after"])
        for change in recorded["changes"]
    )


def _is_of(step: Mapping[str, Any], origin: Origin, names: Mapping[str, str]) -> bool:
    recorded = (
        names.get(step["agent"], step["agent"]),
        step["text"],
        tuple(step["rules"]),
        step.get("action", origin.action),
    )
    return recorded == (origin.agent, origin.text, origin.rules, origin.action)


def _sentence(space: StateSpace, choice: int, recorded: str) -> str:
    """Return the text of a choice that is possible instead of the ``recorded`` step. If the texts
    are equal, the rules are added, because the choice and the step differ in those."""
    texts = [
        f"{origin} ({' '.join(origin.rules)})"
        if origin.text == recorded
        else str(origin)
        if origin.agent
        else origin.text
        for origin in origins_of(space.label(choice))
    ]
    return "; ".join(texts) or "no component can move"
