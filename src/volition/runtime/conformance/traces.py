"""Conversion of a record to a trace (``docs/reference/trace_format.md``), for ``volition replay``
and other readers of traces."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from volition.languages.protocols import Model, Program
from volition.origin import Origin
from volition.reporting.annotated_runs import AnnotatedStep, changes_between
from volition.reporting.json_values import to_json_value
from volition.reporting.trace_format import FORMAT, VERSION, step_to_json, written_slots
from volition.runtime.conformance.check import expect_same_language, walk
from volition.runtime.conformance.replay_step import ConformanceStep
from volition.runtime.record import Record
from volition.runtime.successor import State

__all__ = ["record_as_trace"]


def record_as_trace(record: Record, program: Program) -> dict[str, Any]:
    """Return the JSON data of the trace that a record describes. Raise :class:`InputError` for a
    record of another language.

    For agents with reasoning cycles, the model describes the steps. If the model cannot follow the
    record, the last step of the trace is the recorded deviation.
    """
    expect_same_language(record, program)
    model = program.model()
    start: State = dict(model.system.slots)
    return {
        "format": FORMAT,
        "version": VERSION,
        "language": record.header.language,
        "program": record.header.program,
        "formula": "true",
        "holds": None,
        "observed": [],
        "agents": list(record.header.agents),
        "initial": {
            "view": _state_view(model, start),
            "slots": {slot: to_json_value(value) for slot, value in start.items()},
        },
        "steps": [dict(line.fields) for line in record.of_kind("step")]
        or [_step(each, model) for each in walk(record, program, model)],
        "loop": None,
    }


def _state_view(model: Model, state: State) -> dict[str, dict[str, str]]:
    return {section: dict(items) for section, items in model.describe(state).items()}


def _step(walked: ConformanceStep, model: Model) -> dict[str, Any]:
    after = walked.after
    if after is None:
        reported = AnnotatedStep(
            walked.number,
            (Origin(walked.deviations[0].half, (), walked.deviations[0].recorded),),
            (),
            {},
        )
        return step_to_json(reported, {}, {})
    views = model.describe(walked.before), model.describe(after)
    chances = [
        move.occurrence.probability
        for move in walked.moves
        if move.occurrence.probability is not None
    ]
    chance: Any = Fraction(1)
    for each in chances:
        chance *= each
    reported = AnnotatedStep(
        walked.number,
        walked.origins(),
        tuple(changes_between(*views)),
        views[1],
        None if chance == 1 else str(chance),
    )
    return step_to_json(reported, *written_slots(walked.before, after))
