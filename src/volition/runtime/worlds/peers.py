"""Other processes that run in lock-step with a run: each reports when it is done with a tick, and
the run waits for it up to a deadline.

The run waits from the beginning for the processes that the run file names. Others may join at any
time; the run waits for them after their first ``done`` message. Processes that never send one do
not delay the run.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from volition.diagnostics import Diagnostic, InputError
from volition.runtime.bridge.interface import Bridge

__all__ = ["Peers"]

JOIN_TIMEOUT = 30.0
"""The time in which all processes that the run file names must connect, in seconds of real time."""

TICK_TIMEOUT = 5.0
"""The time that another process has for one tick, in seconds of real time. A process that takes
longer is lost until it is done again."""


class Peers:
    """The other processes that a run waits for at each tick. ``expected`` are the names under which
    they announce themselves on the bridge. In real time ``waits`` is false and the run does not
    wait."""

    def __init__(
        self,
        bridge: Bridge,
        expected: Sequence[str],
        *,
        waits: bool = True,
        joining: float | None = None,
        patience: float | None = None,
    ) -> None:
        self._bridge = bridge
        self._waits = waits
        self._expected = tuple(expected)
        self._joining = JOIN_TIMEOUT if joining is None else joining
        self._patience = TICK_TIMEOUT if patience is None else patience
        self._changed = threading.Condition()
        self._present: set[str] = set()
        self._done: dict[str, int] = dict.fromkeys(expected, -1)
        self._late: set[str] = set()

    def begin(self) -> None:
        """Wait until all expected processes are present. Raise :class:`InputError` if one does not
        connect."""
        self._bridge.subscribe("done/*", self._hear_done)
        self._bridge.watch_presence(self._see)
        with self._changed:
            self._changed.wait_for(lambda: self._present.issuperset(self._expected), self._joining)
            missing = [name for name in self._expected if name not in self._present]
        if missing:
            message = f"the process '{missing[0]}' did not connect within {self._joining:g} s"
            hint = (
                "start the other processes with the run's name and the address that the run "
                "listens on"
            )
            raise InputError([Diagnostic("RUN103", message, hint=hint)])

    def wait(self, cycle: int) -> list[tuple[str, bool, str]]:
        """Wait until all processes are done with the tick ``cycle``, up to the deadline.

        Return triples of a process, a truth value and a text. For a process that is late, the truth
        value is False and the text is the reason. For a process that was late before and has caught
        up, it is True and the text is empty.
        """
        if not self._waits:
            return []
        with self._changed:
            self._changed.wait_for(lambda: not self._waited_for(cycle), self._patience)
            back = [name for name in sorted(self._late) if self._done[name] >= cycle]
            late = self._waited_for(cycle)
            self._late = (self._late | set(late)) - set(back)
        progress = [
            (name, False, f"it did not report within {self._patience:g} s that it was done")
            for name in late
        ]
        return progress + [(name, True, "") for name in back]

    def _waited_for(self, cycle: int) -> list[str]:
        return [
            name
            for name, done in self._done.items()
            if done < cycle and name in self._present and name not in self._late
        ]

    def _hear_done(self, topic: str, data: Mapping[str, Any]) -> None:
        name, cycle = topic.partition("/")[2], data.get("cycle")
        if isinstance(cycle, int) and not isinstance(cycle, bool):
            with self._changed:
                self._done[name] = max(cycle, self._done.get(name, -1))
                self._changed.notify_all()

    def _see(self, name: str, present: bool) -> None:
        with self._changed:
            (self._present.add if present else self._present.discard)(name)
            if not present:
                self._late.discard(name)
            self._changed.notify_all()
