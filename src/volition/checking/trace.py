"""Runs as JSON: a public, stable format (``docs/trace-format.md``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from volition.checking.telling import Change, ToldStep, tell
from volition.checking.verdict import Run
from volition.diagnostics import Diagnostic, InputError
from volition.languages.model import Model
from volition.logic.printing import show
from volition.logic.syntax import Atom, Formula
from volition.origin import Origin

__all__ = ["FORMAT", "VERSION", "as_trace", "check_trace"]

FORMAT, VERSION = "volition-trace", 1


def as_trace(
    run: Run,
    model: Model,
    *,
    language: str,
    program: str,
    formula: Formula,
    holds: bool | None = None,
    observed: Sequence[Atom] = (),
) -> dict[str, Any]:
    """The run as data for ``json.dumps``; ``observed`` are the atoms with which the model was made."""
    space = run.space
    telling = tell(run, model)
    states = [*run.states, *([run.states[run.loop]] if run.loop is not None else [])]
    slots = [{slot: str(value) for slot, value in space.values(state).items()} for state in states]
    return {
        "format": FORMAT,
        "version": VERSION,
        "language": language,
        "program": program,
        "formula": show(formula),
        "holds": holds,
        "observed": [show(atom) for atom in observed],
        "agents": list(model.agents),
        "initial": {"portrait": {section: dict(items) for section, items in telling.start.items()}, "slots": slots[0]},
        "steps": [_step(step, slots[step.number - 1], slots[step.number]) for step in telling.steps],
        "loop": run.loop,
    }


def _step(step: ToldStep, before: dict[str, str], after: dict[str, str]) -> dict[str, Any]:
    first, *others = step.origins or (Origin("", (), step.text),)
    data: dict[str, Any] = {"step": step.number, **_origin(first), "stays": step.stays}
    if others:
        data["together"] = [_origin(origin) for origin in others]
    if step.probability is not None:
        data["probability"] = step.probability
    data["changes"] = [_change(change) for change in step.changes]
    data["slots"] = {slot: value for slot, value in after.items() if before[slot] != value}
    return data


def _origin(origin: Origin) -> dict[str, Any]:
    place = origin.span
    return {
        "agent": origin.agent,
        "text": origin.text,
        "rules": list(origin.rules),
        "plan": origin.plan,
        "action": origin.action,
        "file": None if place is None else place.source.name,
        "line": None if place is None else place.line,
    }


def _change(change: Change) -> dict[str, Any]:
    return {"section": change.section, "item": change.item, "before": change.before, "after": change.after}


# --- reading -----------------------------------------------------------------------------------------------------------

_KINDS: dict[str, tuple[type, ...]] = {"observed": (list,), "initial": (dict,), "steps": (list,), "loop": (int, type(None))}
_STEP_KINDS: dict[str, tuple[type, ...]] = {"step": (int,), "stays": (bool,), "changes": (list,)}
_ORIGIN_KINDS: dict[str, tuple[type, ...]] = {"agent": (str,), "text": (str,), "rules": (list,)}
_CHANGE_KINDS: dict[str, tuple[type, ...]] = {"section": (str,), "item": (str,), "before": (str, type(None)), "after": (str, type(None))}


def check_trace(trace: Any) -> None:
    """Raises :class:`InputError` if the data is no trace, or one of another version, or damaged."""
    if not isinstance(trace, Mapping) or trace.get("format") != FORMAT:
        raise InputError([Diagnostic("CHK006", "this is not a trace of Volition", hint=f'a trace has "format": "{FORMAT}"')])
    if trace.get("version") != VERSION:
        raise InputError(
            [Diagnostic("CHK007", f"this trace has version {trace.get('version')}, and version {VERSION} is what can be read")]
        )
    _require(trace, _KINDS, "the trace")
    _require(trace["initial"], {"portrait": (dict,)}, "the initial state")
    for number, step in enumerate(trace["steps"], start=1):
        _require(step, _STEP_KINDS | _ORIGIN_KINDS, f"step {number}")
        for origin in step.get("together", ()):
            _require(origin, _ORIGIN_KINDS, f"step {number}")
        for change in step["changes"]:
            _require(change, _CHANGE_KINDS, f"a change of step {number}")
    if trace["loop"] is not None and not 0 <= trace["loop"] < max(1, len(trace["steps"])):
        raise InputError([Diagnostic("CHK006", f"this trace is damaged: there is no step {trace['loop']} to loop to")])


def _require(data: Any, kinds: Mapping[str, tuple[type, ...]], what: str) -> None:
    for key, allowed in kinds.items():
        if not isinstance(data, Mapping) or key not in data or not isinstance(data[key], allowed):
            raise InputError([Diagnostic("CHK006", f"this trace is damaged: {what} has no proper '{key}'")])
