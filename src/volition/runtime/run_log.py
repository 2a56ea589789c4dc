"""Log of a run: passes every line to the record and to the listeners, and counts the lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from volition.runtime.record import Header, Recorder

__all__ = ["LogListener", "RunLog"]

LogListener = Callable[[str, Mapping[str, Any]], None]
"""Function that is called with the kind and the fields of every line of a run log."""


@dataclass
class RunLog:
    """Log of a run. It writes its lines to a record, if there is one, passes them to listeners, and
    stores only the number of lines of each kind."""

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
