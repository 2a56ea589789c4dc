"""Replay of a record for ``volition replay``. It follows the same steps as ``volition conform``."""

from __future__ import annotations

from volition.languages.protocols import Program
from volition.reporting.annotated_runs import AnnotatedStep
from volition.reporting.replay import Replay, ReplayedStep
from volition.runtime.conformance.check import count_steps, expect_steps, walk
from volition.runtime.conformance.replay_step import ConformanceStep
from volition.runtime.record import Record

__all__ = ["replay_record"]


def replay_record(record: Record, program: Program) -> Replay:
    """Replay a record step by step, up to and including the first step that the program cannot
    take. Raise :class:`InputError` if the record has no steps or cannot be replayed."""
    expect_steps(record)
    steps = tuple(_replayed(step) for step in walk(record, program, program.model()))
    return Replay((), steps, count_steps(record))


def _replayed(step: ConformanceStep) -> ReplayedStep:
    if step.deviations:
        first = step.deviations[0]
        return ReplayedStep(step.number, first.recorded, "impossible", alternatives=first.allowed)
    return ReplayedStep(step.number, _text(step), "same")


def _text(step: ConformanceStep) -> str:
    """Return the text of a step: the one in the record or, if the record has none, the one of the
    model."""
    text = step.line.fields.get("text")
    return (
        text if isinstance(text, str) else AnnotatedStep(step.number, step.origins(), (), {}).text
    )
