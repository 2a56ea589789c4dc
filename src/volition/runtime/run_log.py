"""What a run says about itself while it goes on: every line for the record is also for whoever
watches, and is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from volition.runtime.record import Header, Recorder

__all__ = ["LogListener", "RunLog"]

LogListener = Callable[[str, Mapping[str, Any]], None]
"""Gets the kind and the fields of every line."""


@dataclass
class RunLog:
    """Writes to a record, if there is one, and to watchers.  It keeps no lines, only how many there
    were of each kind."""

    recorder: Recorder | None = None
    watchers: Sequence[LogListener] = ()
    line_counts: Counter[str] = field(default_factory=Counter)

    def begin(self, header: Header) -> None:
        if self.recorder is not None:
            self.recorder.begin(header)

    def write(self, kind: str, /, **fields: Any) -> None:
        self.line_counts[kind] += 1
        if self.recorder is not None:
            self.recorder.write(kind, **fields)
        for watch in self.watchers:
            watch(kind, fields)
