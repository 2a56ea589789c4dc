"""Records as replays: the steps that ``volition conform`` follows, for ``volition replay``."""

from __future__ import annotations

from volition.languages.protocols import Program
from volition.reporting.annotated_runs import AnnotatedStep
from volition.reporting.replay import Replay, ReplayedStep
from volition.runtime.conformance.check import count_steps, expect_steps, walk
from volition.runtime.conformance.replay_step import ConformanceStep
from volition.runtime.record import Record

__all__ = ["replay_record"]


def replay_record(record: Record, program: Program) -> Replay:
    """Return whether each step of a record is one of the program, up to the first that is not;
    raises :class:`InputError`."""
    expect_steps(record)
    steps = tuple(_replayed(step) for step in walk(record, program, program.model()))
    return Replay((), steps, count_steps(record))


def _replayed(step: ConformanceStep) -> ReplayedStep:
    if step.departures:
        first = step.departures[0]
        return ReplayedStep(step.number, first.recorded, "impossible", alternatives=first.allowed)
    return ReplayedStep(step.number, _text(step), "same")


def _text(step: ConformanceStep) -> str:
    """Return what happened, in the words of the record, or of the model where the record has
    none."""
    text = step.line.fields.get("text")
    return (
        text if isinstance(text, str) else AnnotatedStep(step.number, step.origins(), (), {}).text
    )
