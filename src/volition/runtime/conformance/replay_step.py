"""Following a record through a model, step by step: the functions of the model say what can happen,
the record which of it did.

A step that the model has with a probability above 0 is *followed*; one without is a surprise, after
which the state is what the language says that follows; one that the model's own functions do not
give ends the walk.
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
    """What one component did in a step, and between which choices it had to decide.

    ``outcome`` is the place of what happened among the outcomes of the choice, where that is known.
    """

    component: Component
    choices: Sequence[Choice]
    occurrence: ObservedTransition
    outcome: int | None = None


@dataclass(frozen=True, slots=True)
class ConformanceStep:
    """One step of a record.  ``after`` is None where the model could not follow; ``departures`` say
    why, and what surprised."""

    number: int
    cycle: int
    half: str
    line: Line
    before: State
    after: State | None
    moves: tuple[ConformanceChoice, ...]
    departures: tuple[Deviation, ...] = ()

    def origins(self) -> tuple[Origin, ...]:
        """Return what the components that moved say; what is said aside only where no component
        says anything else."""
        taken = [
            move.occurrence.choice for move in self.moves if move.occurrence.choice is not None
        ]
        said = [choice.label for choice in taken if choice.label is not None]
        aloud = [
            choice.label
            for choice in taken
            if choice.label is not None and not choice.label_if_alone
        ]
        return tuple(origin for label in aloud or said for origin in origins_of(label))


def changed(before: State, after: State) -> dict[str, Any]:
    """The slots that differ, with their new values."""
    return {
        slot: value
        for slot, value in after.items()
        if before[slot] is not value and before[slot] != value
    }


def wrong_time(line: Line, header: Header) -> str | None:
    """Return how the time of a line is not that of its cycle, if so."""
    begins = line["cycle"] * header.cycle_seconds
    return (
        None
        if line["t"] == begins
        else f"the time is recorded as {line['t']}, but cycle {line['cycle']} begins at {begins}"
    )


def wrong_selector(line: Line, header: Header) -> str | None:
    """Return how a decision was not made by the selector of the run, if so; where that knows no
    answer, the default counts."""
    if line["by"] in (header.select, DEFAULT):
        return None
    return (
        f"the decision is recorded as made by '{line['by']}', but the selector of the run is "
        f"'{header.select}'"
    )


def describe_change(model: Model, before: State, after: State) -> str:
    """What is different in the agent's words."""
    changes = changes_between(model.describe(before), model.describe(after))
    return ", ".join(f"{change.section}: {change}" for change in changes) or "nothing changes"


def format_probability(chance: Any) -> str:
    """A probability, exact where that is short."""
    text = str(chance)
    return (
        text if isinstance(chance, Fraction | int) and len(text) <= 12 else f"{float(chance):.6g}"
    )


def describe_choice(choice: Choice) -> str:
    """What a choice does, with its place."""
    return "; ".join(map(_origin_in_words, origins_of(choice.label))) or "nothing"


def _origin_in_words(origin: Origin) -> str:
    return origin.text + (f" ({origin.span})" if origin.span is not None else "")
