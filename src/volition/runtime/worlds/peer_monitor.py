"""Monitor of the skills and other processes on the bridge of a run. It logs when one of them is
lost and when it comes back. A loss does not raise an exception, so that the run continues."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from volition.runtime.bridge.interface import Bridge
from volition.runtime.run_log import RunLog
from volition.runtime.worlds.peers import Peers

__all__ = ["PeerMonitor"]

LONGEST_TEXT = 2_000


class PeerMonitor:
    """Monitor of the skills and other processes on a bridge. ``partners`` are the processes that
    the run waits for at each tick."""

    def __init__(self, bridge: Bridge, partners: Peers | None = None) -> None:
        self._bridge = bridge
        self._partners = partners
        self._lock = threading.Lock()
        self._news: list[tuple[str, bool]] = []
        self._known: set[str] = set()
        self._troubles: dict[str, str] = {}

    def begin(self) -> None:
        """Subscribe to the presence of processes and skills and to their error reports."""
        self._bridge.subscribe("**/trouble/*", self._on_error_message)
        self._bridge.watch_presence(self._see)

    def expect(self) -> None:
        """Wait until the processes that the run file names are present. Raise :class:`InputError`
        if one does not connect."""
        if self._partners is not None:
            self._partners.begin()

    def wait(self, cycle: int) -> None:
        """Wait until each process that the run waits for has finished a tick or is late."""
        for name, present, why in self._partners.wait(cycle) if self._partners else ():
            self._troubles[name] = why
            self._see(name, present)

    def report_changes(self, journal: RunLog, cycle: int) -> list[tuple[str, bool]]:
        """Log and return which processes and skills were lost (False) or came back (True) since the
        last call of this method. A first arrival is not reported."""
        with self._lock:
            progress, self._news = self._news, []
        reported = []
        for name, present in progress:
            if present and name not in self._known:
                self._known.add(name)
                continue
            text = (
                f"'{name}' is back"
                if present
                else f"'{name}' is lost: {self._troubles.get(name, 'the reason is unknown')}"
            )
            journal.write("back" if present else "lost", cycle=cycle, name=name, text=text)
            reported.append((name, present))
        return reported

    def _on_error_message(self, topic: str, data: Mapping[str, Any]) -> None:
        self._troubles[topic.replace("trouble/", "", 1)] = str(data.get("text", ""))[:LONGEST_TEXT]

    def _see(self, name: str, present: bool) -> None:
        with self._lock:
            self._news.append((name, present))
