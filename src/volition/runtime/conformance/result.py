"""Result of a conformance check: whether a record passes each of the three levels, and where it
deviates first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from volition.diagnostics import Diagnostic, Span, plural
from volition.display import HtmlDisplay, data_frame

__all__ = ["Conformance", "Deviation", "Level", "StateCoverage"]

Level = Literal["logic", "support"]


@dataclass(frozen=True, slots=True)
class Deviation:
    """A recorded step that is not a step of the model.

    Level ``logic``: the agent did not do what the functions of its model compute. Level
    ``support``: the move of the world has probability 0. ``allowed`` has the steps that the model
    allows instead, ``position`` is the span in the program, ``line`` the line of the record.
    """

    level: Level
    step: int
    cycle: int
    half: str
    recorded: str
    allowed: tuple[str, ...]
    line: Span
    position: Span | None = None

    def where(self) -> str:
        """Return where the step is in the run, as text: its number and its cycle. For agents with
        reasoning cycles, the text also says which half of the cycle it is: the update of the
        beliefs or the move of the plans."""
        return f"step {self.step}" + (
            f" (cycle {self.cycle}, {self.half})" if self.half else f" (cycle {self.cycle})"
        )

    def sentences(self) -> tuple[str, ...]:
        """Return the deviation as lines of text: what was recorded, what the model allows, and the
        positions in the record and in the program."""
        texts = [f"{self.where()}: {self.recorded}"]
        texts += [f"the model allows: {'; '.join(self.allowed)}"] if self.allowed else []
        texts.append(
            f"recorded in {self.line}"
            + (f", written in {self.position}" if self.position is not None else "")
        )
        return tuple(texts)

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "level": self.level,
            "step": self.step,
            "cycle": self.cycle,
            "half_step": self.half or None,
        }
        data |= {
            "recorded": self.recorded,
            "allowed": list(self.allowed),
            "record_line": self.line.line,
        }
        data |= (
            {"file": None, "line": None}
            if self.position is None
            else {"file": self.position.source.name, "line": self.position.line}
        )
        return data


@dataclass(frozen=True, slots=True)
class StateCoverage:
    """How many states of the explored state space a run visited. ``outside`` is the number of the
    first step that is not a transition of the state space, or None."""

    states: int
    visited: int
    complete: bool
    outside: int | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Conformance(HtmlDisplay):
    """Result of a conformance check: whether a recorded run is a run of the model.

    - ``recorded`` is the number of steps in the record. A reasoning cycle counts as two steps: the
      beliefs change, then the plans move.
    - ``followed`` is the number of these steps that the model could follow.
    - ``logic`` describes the first step that the model could not follow, or is None.
    - ``unmodelled`` has the surprises: moves of the world with probability 0.
    - ``draws`` is the number of random moves whose recorded outcome has a probability between 0 and
      1. ``log_likelihood`` is the sum of the logarithms of these probabilities. Decisions of agents
      and surprises are not included.
    - ``visits`` is the coverage of the state space, or None if it was not explored.
    """

    record: str
    recorded: int
    followed: int
    logic: Deviation | None
    unmodelled: tuple[Deviation, ...]
    log_likelihood: float
    draws: int
    remarks: tuple[Diagnostic, ...] = ()
    visits: StateCoverage | None = None

    @property
    def conforms(self) -> bool | None:
        """Whether the record is a run of the model, or None if exploration stopped before every
        step could be looked up."""
        if self.logic is not None or self.unmodelled:
            return False
        if self.visits is not None and self.visits.outside is not None:
            return False if self.visits.complete else None
        return True

    @property
    def deviations(self) -> tuple[Deviation, ...]:
        """All deviations of the record from the model, in step order."""
        return tuple(
            sorted(
                [*self.unmodelled, *([self.logic] if self.logic else [])],
                key=lambda each: each.step,
            )
        )

    def levels(self) -> tuple[tuple[str, bool, str], ...]:
        """Return the levels logic, support and likelihood: for each its name, whether the record
        passes it, and a sentence with the reason."""
        steps = f"{self.followed:,} of {self.recorded:,} {plural(self.recorded, 'step')}"
        lost = len({each.step for each in self.unmodelled})
        likelihood = (
            f"log-likelihood {self.log_likelihood:.4f}" if not self.unmodelled else "likelihood 0"
        )
        beside = f"; {self.log_likelihood:.4f} without the surprises" if self.unmodelled else ""
        return (
            ("logic", self.logic is None, f"{steps} are what the functions of the model give"),
            (
                "support",
                not self.unmodelled,
                f"{self.followed - lost:,} of {self.followed:,} have positive probability",
            ),
            (
                "likelihood",
                not self.unmodelled,
                f"{likelihood}, {self.draws:,} {plural(self.draws, 'draw')}{beside}",
            ),
        )

    def summary(self) -> str:
        """Return in one line whether the record is a run of the model."""
        if self.conforms is None:
            return f"{self.record}: unknown, the exploration stopped at a limit"
        return (
            f"{self.record}: {'a run of the model' if self.conforms else 'not a run of the model'}"
        )

    def __repr__(self) -> str:
        return f"<Conformance: {self.summary()}>"

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with a row for each deviation."""
        columns = ["level", "step", "cycle", "recorded", "allowed"]
        return data_frame(
            columns,
            [[e.level, e.step, e.cycle, e.recorded, list(e.allowed)] for e in self.deviations],
        )

    def as_json(self, *, maximum: int = 100) -> dict[str, Any]:
        """Return the result as JSON data, with the first ``maximum`` deviations."""
        return {
            "record": self.record,
            "conforms": self.conforms,
            "steps": self.recorded,
            "logic": {"holds": self.logic is None, "followed": self.followed},
            "support": {"holds": not self.unmodelled, "surprises": len(self.unmodelled)},
            "likelihood": {
                "log": None if self.unmodelled else self.log_likelihood,
                "log_without_surprises": self.log_likelihood
                if math.isfinite(self.log_likelihood)
                else None,
                "random_choices": self.draws,
            },
            "explored": None if self.visits is None else _visits(self.visits),
            "deviations": [each.as_json() for each in _first(self.deviations, maximum)],
            "remarks": [each.as_json() for each in self.remarks],
        }


def _visits(visits: StateCoverage) -> dict[str, Any]:
    return {
        "states": visits.states,
        "visited": visits.visited,
        "complete": visits.complete,
        "first_step_outside": visits.outside,
    }


def _first(deviations: Sequence[Deviation], maximum: int) -> Sequence[Deviation]:
    return deviations[:maximum]
