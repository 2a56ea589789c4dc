"""Data types and functions for replaying one recorded step in a model. The functions of the model
compute the steps that are possible, and the record determines which of them was taken.

A step with positive probability is *followed*. A step with probability 0 is a *surprise*: the
replay continues in the state that the language defines for unmodelled observations. A step that the
functions of the model cannot produce ends the replay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from volition.kernel.system import Choice, Component
from volition.languages.protocols import Model, ObservedTransition
from volition.origin import Origin
from volition.reporting.annotated_runs import changes_between, origins_of
from volition.runtime.conformance.result import Deviation
from volition.runtime.record import Header, Line
from volition.runtime.selectors import DEFAULT
from volition.runtime.successor import State

__all__ = [
    "ConformanceChoice",
    "ConformanceStep",
    "changed",
    "describe_change",
    "describe_choice",
    "format_probability",
    "wrong_selector",
    "wrong_time",
]


@dataclass(frozen=True, slots=True)
class ConformanceChoice:
    """The transition that one component took in a recorded step, and the choices that the component
    had.

    ``outcome`` is the index of the observed outcome within the choice taken, or None if it is
    unknown.
    """

    component: Component
    choices: Sequence[Choice]
    occurrence: ObservedTransition
    outcome: int | None = None


@dataclass(frozen=True, slots=True)
class ConformanceStep:
    """One step of a recorded run, and how the conformance check replayed it in the model.

    - ``after`` is the next state, or None if the model could not follow the step.
    - ``deviations`` is empty if the recorded step agrees with the model. If ``after`` is None, it
      begins with the reason. It also has the surprises: recorded moves of the world to which the
      model gives probability 0. A surprise does not end the replay, because the language of the
      program defines the next state for it.
    """

    number: int
    cycle: int
    half: str
    line: Line
    before: State
    after: State | None
    moves: tuple[ConformanceChoice, ...]
    deviations: tuple[Deviation, ...] = ()

    def origins(self) -> tuple[Origin, ...]:
        """Return the origins in the program of the choices that the components took. A choice whose
        label is marked ``label_if_alone`` counts only if no other choice has a label."""
        taken = [
            move.occurrence.choice for move in self.moves if move.occurrence.choice is not None
        ]
        labels = [choice.label for choice in taken if choice.label is not None]
        primary = [
            choice.label
            for choice in taken
            if choice.label is not None and not choice.label_if_alone
        ]
        return tuple(origin for label in primary or labels for origin in origins_of(label))


def changed(before: State, after: State) -> dict[str, Any]:
    """Return the slots whose values differ between two states, with the values in ``after``."""
    return {
        slot: value
        for slot, value in after.items()
        if before[slot] is not value and before[slot] != value
    }


def wrong_time(line: Line, header: Header) -> str | None:
    """Return a message if the time of a recorded line is not the start of its cycle, else None."""
    begins = line["cycle"] * header.cycle_seconds
    return (
        None
        if line["t"] == begins
        else f"the time is recorded as {line['t']}, but cycle {line['cycle']} begins at {begins}"
    )


def wrong_selector(line: Line, header: Header) -> str | None:
    """Return a message if a decision was recorded with a wrong selector (the rule that chose among
    the options), else None. Allowed are the selector of the run, and ``default`` for a default that
    the run file declares."""
    if line["by"] in (header.select, DEFAULT):
        return None
    return (
        f"the decision is recorded as made by '{line['by']}', but the selector of the run is "
        f"'{header.select}'"
    )


def describe_change(model: Model, before: State, after: State) -> str:
    """Return the difference between the state views of two states as text."""
    changes = changes_between(model.describe(before), model.describe(after))
    return ", ".join(f"{change.section}: {change}" for change in changes) or "nothing changes"


def format_probability(chance: Any) -> str:
    """Return a probability as text: exact if that takes at most 12 characters, else rounded."""
    text = str(chance)
    return (
        text if isinstance(chance, Fraction | int) and len(text) <= 12 else f"{float(chance):.6g}"
    )


def describe_choice(choice: Choice) -> str:
    """Return a choice as text: what it does, and its position in the program."""
    return "; ".join(map(_origin_text, origins_of(choice.label))) or "nothing"


def _origin_text(origin: Origin) -> str:
    return origin.text + (f" ({origin.span})" if origin.span is not None else "")
