"""Conversion of runs to JSON traces, a public and stable format
(``docs/reference/trace_format.md``), and validation of traces."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from volition.diagnostics import Diagnostic, InputError
from volition.languages.protocols import Model
from volition.logic.printing import formula_text
from volition.logic.syntax import Atom, Formula
from volition.origin import Origin
from volition.reporting.annotated_runs import AnnotatedStep, Change, RunLike, annotate_run
from volition.reporting.json_schema import schema_error
from volition.reporting.json_values import to_json_value

__all__ = [
    "FORMAT",
    "STEP",
    "VERSION",
    "origin_data",
    "step_to_json",
    "trace_to_json",
    "validate_trace",
    "written_slots",
]

FORMAT, VERSION = "volition-trace", 3


def trace_to_json(
    run: RunLike,
    model: Model,
    *,
    language: str,
    program: str,
    formula: Formula | None,
    holds: bool | None = None,
    observed: Sequence[Atom] = (),
) -> dict[str, Any]:
    """Return a run as a trace, data for ``json.dumps``.

    ``formula`` is the formula that the run is evidence for, None if there is none. ``observed`` are
    the atoms, such as ``Does(..)``, for which the states of the model have history variables.
    """
    space = run.space
    annotated = annotate_run(run, model)
    states = [*run.states, *([run.states[run.loop]] if run.loop is not None else [])]
    slots = [
        {slot: to_json_value(value) for slot, value in space.values(state).items()}
        for state in states
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "language": language,
        "program": program,
        "formula": None if formula is None else formula_text(formula),
        "holds": holds,
        "observed": [formula_text(atom) for atom in observed],
        "agents": list(model.agents),
        "initial": {
            "view": {section: dict(items) for section, items in annotated.start.items()},
            "slots": slots[0],
        },
        "steps": [
            step_to_json(step, slots[step.number - 1], slots[step.number])
            for step in annotated.steps
        ],
        "loop": run.loop,
    }


def step_to_json(
    step: AnnotatedStep, before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a step of a trace as JSON data. ``before`` and ``after`` are the slot values before
    and after the step, as JSON data."""
    first, *others = step.origins or (Origin("", (), step.text),)
    data: dict[str, Any] = {"step": step.number, **origin_data(first), "stutter": step.is_stutter}
    if others:
        data["joint"] = [origin_data(origin) for origin in others]
    if step.probability is not None:
        data["probability"] = step.probability
    data["changes"] = [_change(change) for change in step.changes]
    data["slots"] = {
        slot: value
        for slot, value in after.items()
        if json.dumps(before[slot]) != json.dumps(value)
    }
    return data


def written_slots(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the slots that a step has written, with their values before the step and with their
    values after it, as JSON data. :func:`step_to_json` needs only these slots."""
    written = [slot for slot, value in after.items() if value is not before[slot]]
    return {slot: to_json_value(before[slot]) for slot in written}, {
        slot: to_json_value(after[slot]) for slot in written
    }


def origin_data(origin: Origin) -> dict[str, Any]:
    """Return the origin of a step in the program as JSON data."""
    span = origin.span
    return {
        "agent": origin.agent,
        "text": origin.text,
        "rules": list(origin.rules),
        "plan": origin.plan,
        "action": origin.action,
        "file": None if span is None else span.source.name,
        "line": None if span is None else span.line,
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "section": change.section,
        "item": change.item,
        "before": change.before,
        "after": change.after,
    }


# --- reading --------------------------------------------------------------------------------------

_TEXT = (str,)
_TEXT_OR_NONE = (str, type(None))
_NUMBER_OR_NONE = (int, type(None))
_VIEW = {None: {None: _TEXT}}
_CHANGE = {"section": _TEXT, "item": _TEXT, "before": _TEXT_OR_NONE, "after": _TEXT_OR_NONE}
_ORIGIN = {"agent": _TEXT, "text": _TEXT, "rules": [_TEXT]}
STEP = {"step": (int,), "stutter": (bool,), "changes": [_CHANGE], "joint": [_ORIGIN], **_ORIGIN}
_TRACE = {
    "observed": [_TEXT],
    "agents": [_TEXT],
    "initial": {"view": _VIEW},
    "steps": [STEP],
    "loop": _NUMBER_OR_NONE,
}
_OPTIONAL_KEYS = {"joint", "agents"}
"""Keys of the schema ``_TRACE`` that a trace may leave out; see
:mod:`volition.reporting.json_schema`."""


def validate_trace(trace: Any) -> None:
    """Raise :class:`InputError` if the data is not a trace, has an unsupported version, or is
    malformed."""
    if not isinstance(trace, Mapping) or trace.get("format") != FORMAT:
        raise InputError(
            [Diagnostic("CHK006", "not a Volition trace", hint=f'a trace has "format": "{FORMAT}"')]
        )
    if trace.get("version") != VERSION:
        raise InputError(
            [
                Diagnostic(
                    "CHK007",
                    f"unsupported trace version {str(trace.get('version'))[:20]}, expected "
                    f"{VERSION}",
                )
            ]
        )
    if how := schema_error(trace, _TRACE, "trace", optional=_OPTIONAL_KEYS):
        raise _malformed_error(how)
    if trace["loop"] is not None and not 0 <= trace["loop"] < max(1, len(trace["steps"])):
        raise _malformed_error(f"the loop target, step {str(trace['loop'])[:20]}, does not exist")


def _malformed_error(how: str) -> InputError:
    return InputError([Diagnostic("CHK006", f"this trace is malformed: {how}")])
