"""What a record of a run is made of: JSON lines, a header first, then one object of some ``kind``
per line (``docs/reference/record_format.md``)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from volition.languages.protocols import Program
from volition.reporting.trace_format import STEP

__all__ = ["FORMAT", "HEADER", "KINDS", "OPTIONAL_FIELDS", "VERSION", "Header", "digest"]

FORMAT, VERSION = "volition-run", 1


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: which program ran, with which numbers, against which world, who decided, and
    where it began.

    ``initial`` has the value of each slot as data (:func:`volition.reporting.json_values.as_data`).
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
    view: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Where it began, for people."""
    vocabulary: Mapping[str, Any] = field(default_factory=dict)
    """The sentences behind the names of slots, where a language has such
    (:meth:`volition.languages.protocols.EmbodiedModel.vocabulary`)."""

    def as_data(self) -> dict[str, Any]:
        return {"format": FORMAT, "version": VERSION, **asdict(self)}


def digest(program: Program) -> str:
    """SHA-256 of the texts of a program: the same wherever its folder lies, another one when any of
    its files changes."""
    content = hashlib.sha256()
    for source in sorted(program.sources, key=lambda each: Path(each.name).name):
        content.update(
            f"{Path(source.name).name}\0{len(source.text)}\0{source.text}".encode(
                errors="surrogatepass"
            )
        )
    return content.hexdigest()


# --- shapes ---------------------------------------------------------------------------------------

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
    "portrait": {None: _ANY},
    "vocabulary": {None: _ANY},
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
        "mover": _TEXT_OR_NONE,
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
"""The kinds of lines, each with the fields that it has at least
(:mod:`volition.reporting.json_schema`)."""

OPTIONAL_FIELDS = frozenset(
    {
        "parameters",
        "settings",
        "seed",
        "portrait",
        "vocabulary",
        "calls",
        "stops",
        "why",
        "together",
        "id",
        "objects",
        "messages",
        "totals",
    }
)
"""Fields without which a line is still one."""
