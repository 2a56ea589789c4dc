"""One step of a record in a model: the functions of the model give the possible steps, and the
record selects one of them.

A step with positive probability is *followed*. After a step with probability 0, a surprise, the
next state is the one that the language defines for unmodelled observations. A step that the
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
    """The transition of one component in a step, and the choices that it had.

    ``outcome`` is the index of the observed outcome within its choice, or None if it is unknown.
    """

    component: Component
    choices: Sequence[Choice]
    occurrence: ObservedTransition
    outcome: int | None = None


@dataclass(frozen=True, slots=True)
class ConformanceStep:
    """One step of a record. ``after`` is None if the model could not follow it. ``deviations`` are
    the reasons, and the surprises of the step."""

    number: int
    cycle: int
    half: str
    line: Line
    before: State
    after: State | None
    moves: tuple[ConformanceChoice, ...]
    deviations: tuple[Deviation, ...] = ()

    def origins(self) -> tuple[Origin, ...]:
        """Return the origins of the components that moved. Labels with ``label_if_alone`` count
        only if there are no others."""
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
    """Return the slots that differ, with their new values."""
    return {
        slot: value
        for slot, value in after.items()
        if before[slot] is not value and before[slot] != value
    }


def wrong_time(line: Line, header: Header) -> str | None:
    """Return a message if the time of a line is not that of its cycle, else None."""
    begins = line["cycle"] * header.cycle_seconds
    return (
        None
        if line["t"] == begins
        else f"the time is recorded as {line['t']}, but cycle {line['cycle']} begins at {begins}"
    )


def wrong_selector(line: Line, header: Header) -> str | None:
    """Return a message if a decision was not made by the run's selector or the declared default,
    else None."""
    if line["by"] in (header.select, DEFAULT):
        return None
    return (
        f"the decision is recorded as made by '{line['by']}', but the selector of the run is "
        f"'{header.select}'"
    )


def describe_change(model: Model, before: State, after: State) -> str:
    """Return the difference between the views of two states as text."""
    changes = changes_between(model.describe(before), model.describe(after))
    return ", ".join(f"{change.section}: {change}" for change in changes) or "nothing changes"


def format_probability(chance: Any) -> str:
    """Return a probability as text, exact if the text is short."""
    text = str(chance)
    return (
        text if isinstance(chance, Fraction | int) and len(text) <= 12 else f"{float(chance):.6g}"
    )


def describe_choice(choice: Choice) -> str:
    """Return a choice as text, with its position in the program."""
    return "; ".join(map(_origin_text, origins_of(choice.label))) or "nothing"


def _origin_text(origin: Origin) -> str:
    return origin.text + (f" ({origin.span})" if origin.span is not None else "")
