"""External world of a program in a language other than LISA. Over a bridge, it reports the percepts
of the agents and executes their actions."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from volition.runtime.bridge.interface import Bridge
from volition.runtime.run_log import RunLog
from volition.runtime.worlds.peer_monitor import PeerMonitor
from volition.runtime.worlds.peers import Peers
from volition.runtime.worlds.rate_limit import RateLimiter
from volition.runtime.worlds.sender import Sender

__all__ = ["ExternalWorld"]

MAX_PERCEPTS = 10_000


class ExternalWorld:
    """Connection to an external world over a bridge. A message on ``percepts/AGENT`` has all
    current percepts of an agent, and a message on ``feedback/ACTION`` reports that a call on
    ``call/ACTION`` is completed."""

    name = "bridge"

    def __init__(self, bridge: Bridge, *, partners: Peers | None = None) -> None:
        self._bridge = bridge
        self._presence = PeerMonitor(bridge, partners)
        self._lock = threading.Lock()
        self._flood = RateLimiter()
        self._seen: dict[str, frozenset[str]] = {}
        self._open: set[int] = set()
        self._done: set[int] = set()
        self._refused: list[tuple[str, str]] = []
        self._calls = 0
        self._sender = Sender(bridge)

    def begin(self) -> None:
        self._bridge.subscribe("percepts/*", self._perceive)
        self._bridge.subscribe("feedback/*", self._hear)
        self._presence.begin()
        self._presence.expect()

    def percepts(self, journal: RunLog, cycle: int) -> dict[str, frozenset[str]]:
        """Return the current percepts of each agent for which any were received. Log rejected
        messages and lost processes."""
        self._presence.report_changes(journal, cycle)
        with self._lock:
            refused, self._refused = [*self._refused, *self._flood.drain_dropped()], []
            seen = dict(self._seen)
        for topic, text in refused:
            journal.write(
                "refused", cycle=cycle, what="message on the bridge", name=topic, text=text
            )
        return seen

    def call(self, agent: str, action: str, cycle: int) -> int:
        """Request an action from the external world. Return the number of the call, which the
        feedback to this call must repeat."""
        self._calls += 1
        with self._lock:
            self._open.add(self._calls)
        functor = action.partition("(")[0]
        self._sender.send(
            f"call/{functor}", cycle, {"id": self._calls, "agent": agent, "action": action}
        )
        return self._calls

    def take_completion(self, call: int) -> bool:
        """Return whether the feedback to a call has arrived. The result is True only once for each
        call."""
        with self._lock:
            if call not in self._done:
                return False
            self._done.discard(call)
            return True

    def cancel(self, call: int) -> None:
        """Drop a call that the agent no longer needs, so that its feedback is rejected."""
        with self._lock:
            self._open.discard(call)
            self._done.discard(call)

    def advance(self, start: float, end: float, cycle: int) -> None:
        """Publish a tick of the clock and wait until the other processes are done with it."""
        self._sender.tick(start, end, cycle)
        self._presence.wait(cycle)

    def close(self) -> None:
        self._sender.end()

    def _perceive(self, topic: str, data: Mapping[str, Any]) -> None:
        found = data.get("percepts")
        with self._lock:
            if not self._flood.accept(topic):
                return
            if (
                isinstance(found, list)
                and len(found) <= MAX_PERCEPTS
                and all(isinstance(each, str) for each in found)
            ):
                self._seen[topic.partition("/")[2]] = frozenset(
                    each.replace(" ", "") for each in found
                )
            else:
                self._refused.append(
                    (topic, f"'percepts' is not a list of texts, but {found!r:.80}")
                )

    def _hear(self, topic: str, data: Mapping[str, Any]) -> None:
        call = data.get("id")
        with self._lock:
            if not self._flood.accept(topic):
                return
            if isinstance(call, int) and not isinstance(call, bool) and call in self._open:
                self._open.discard(call)
                self._done.add(call)
            else:
                self._refused.append(
                    (topic, f"'id' is not the number of an open call, but {call!r:.80}")
                )
