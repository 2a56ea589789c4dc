"""Format of the record of a run: JSON lines, first a header, then one object with a ``kind`` per
line (``docs/reference/record_format.md``)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from volition.languages.protocols import Program
from volition.reporting.trace_format import STEP

__all__ = ["FORMAT", "HEADER", "KINDS", "OPTIONAL_FIELDS", "VERSION", "Header", "digest"]

FORMAT, VERSION = "volition-run", 2


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a record: the program, its parameters, the world, the selector, and the
    initial state.

    ``initial`` has the value of each slot as JSON data
    (:func:`volition.reporting.json_values.to_json_value`).
    """

    language: str
    program: str
    program_sha256: str
    agents: tuple[str, ...]
    initial: Mapping[str, Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    world: str = "simulated"
    cycle_seconds: float = 1.0
    select: str = "random"
    initial_view: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """State view of the initial state, for display."""
    slot_descriptions: Mapping[str, Any] = field(default_factory=dict)
    """The sentences of the program that the names of slots stand for, if the language has them
    (:meth:`volition.languages.protocols.HasSlotDescriptions.slot_descriptions`)."""

    def as_data(self) -> dict[str, Any]:
        """Return the header as the JSON object in the first line of a record."""
        return {"format": FORMAT, "version": VERSION, **asdict(self)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Header:
        """Return the header that the JSON object in the first line of a record describes. The
        fields must have been checked; unknown fields are ignored."""
        known = {each.name: data[each.name] for each in fields(cls) if each.name in data}
        return cls(**known | {"agents": tuple(data["agents"])})


def digest(program: Program) -> str:
    """Return the SHA-256 hash of the names and texts of a program's files. It does not depend on
    the folder that the files are in, and changes with any of the files."""
    content = hashlib.sha256()
    for source in sorted(program.sources, key=lambda each: Path(each.name).name):
        content.update(
            f"{Path(source.name).name}\0{len(source.text)}\0{source.text}".encode(
                errors="surrogatepass"
            )
        )
    return content.hexdigest()


# --- types of the fields in a record --------------------------------------------------------------

_TEXT, _TEXT_OR_NONE, _WHOLE, _NUMBER, _TRUTH, _ANY = (
    (str,),
    (str, type(None)),
    (int,),
    (float,),
    (bool,),
    (object,),
)
_PLACE = {"cycle": _WHOLE, "t": _NUMBER}
_FEEDBACK = {"id": (int, type(None)), "action": _TEXT, "feedback": _TEXT}
_INBOX = {
    "percepts": {None: _TRUTH},
    "feedbacks": [_FEEDBACK],
    "messages": [{"from": _TEXT, "text": _TEXT}],
}
_STOP = {"id": (int, type(None)), "action": _TEXT, "plan": _TEXT_OR_NONE}
_CALL = {"id": (int, type(None)), "action": _TEXT, "plan": _TEXT_OR_NONE, "objects": {None: _ANY}}

HEADER = {
    "language": _TEXT,
    "program": _TEXT,
    "program_sha256": _TEXT,
    "agents": [_TEXT],
    "initial": {None: _ANY},
    "parameters": {None: (str, float)},
    "settings": {None: _TEXT},
    "seed": (int, type(None)),
    "world": _TEXT,
    "cycle_seconds": _NUMBER,
    "select": _TEXT,
    "initial_view": {None: _ANY},
    "slot_descriptions": {None: _ANY},
}

KINDS: Mapping[str, Mapping[str, Any]] = {
    "cycle": {
        **_PLACE,
        "agent": _TEXT,
        "inbox": _INBOX,
        "beliefs": {None: _ANY},
        "plans": {None: _ANY},
        "calls": [_CALL],
        "stops": [_STOP],
        "why": {None: _ANY},
    },
    "step": {
        **STEP,
        **_PLACE,
        "component": _TEXT_OR_NONE,
        "choice": _WHOLE,
        "outcome": _WHOLE,
        "slots": {None: _ANY},
    },
    "choice": {
        "cycle": _WHOLE,
        "group": _TEXT,
        "options": [{None: _ANY}],
        "chosen": _TEXT,
        "by": _TEXT,
    },
    "surprise": {"cycle": _WHOLE, "what": _TEXT, "name": _TEXT, "text": _TEXT},
    "refused": {"cycle": _WHOLE},
    "lost": {"cycle": _WHOLE},
    "back": {"cycle": _WHOLE},
    "interlock": {"cycle": _WHOLE},
    "message": {"cycle": _WHOLE},
    "generated": {"cycle": _WHOLE},
    "values": {**_PLACE, "state": (int, type(None)), "values": {None: (float, type(None))}},
    "parameters": {"cycle": _WHOLE},
    "pose": {"t": _NUMBER},
    "coverage": {"t": _NUMBER},
    "route": {"t": _NUMBER},
    "sea": {"t": _NUMBER},
    "waves": {"t": _NUMBER},
    "voyage": {**_PLACE, "text": _TEXT},
    "world": {},
    "end": {**_PLACE, "reason": _TEXT, "totals": {None: _ANY}},
}
"""The kinds of lines in a record, each with the types of its fields
(:mod:`volition.reporting.json_schema`). A line may have more fields, and may leave out
:data:`OPTIONAL_FIELDS`."""

OPTIONAL_FIELDS = frozenset(
    {
        "parameters",
        "settings",
        "seed",
        "initial_view",
        "slot_descriptions",
        "calls",
        "stops",
        "why",
        "joint",
        "id",
        "objects",
        "messages",
        "totals",
    }
)
"""Fields that a line of a record may leave out."""
