"""Who takes part in a run over a bridge, and who was lost: news for the record, never an
exception."""

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
    """Skills and processes on a bridge; ``partners`` are those that the run waits for."""

    def __init__(self, bridge: Bridge, partners: Peers | None = None) -> None:
        self._bridge = bridge
        self._partners = partners
        self._lock = threading.Lock()
        self._news: list[tuple[str, bool]] = []
        self._known: set[str] = set()
        self._troubles: dict[str, str] = {}

    def begin(self) -> None:
        """Looks who is there."""
        self._bridge.subscribe("**/trouble/*", self._on_error_message)
        self._bridge.watch_presence(self._see)

    def expect(self) -> None:
        """Waits for those who are expected; raises :class:`InputError` if somebody does not
        come."""
        if self._partners is not None:
            self._partners.begin()

    def wait(self, cycle: int) -> None:
        """Waits until everybody is done with a tick, or is late."""
        for name, present, why in self._partners.wait(cycle) if self._partners else ():
            self._troubles[name] = why
            self._see(name, present)

    def report_changes(self, journal: RunLog, cycle: int) -> list[tuple[str, bool]]:
        """Who was lost (False) or came back since this was asked last, told to the journal; that
        somebody comes at first is no news."""
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
                else f"'{name}' is lost: {self._troubles.get(name, 'nobody knows why')}"
            )
            journal.write("back" if present else "lost", cycle=cycle, name=name, text=text)
            reported.append((name, present))
        return reported

    def _on_error_message(self, topic: str, data: Mapping[str, Any]) -> None:
        self._troubles[topic.replace("trouble/", "", 1)] = str(data.get("text", ""))[:LONGEST_TEXT]

    def _see(self, name: str, present: bool) -> None:
        with self._lock:
            self._news.append((name, present))
