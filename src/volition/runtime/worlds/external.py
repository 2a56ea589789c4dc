"""What is outside of a program whose agents act in a world: over a bridge it tells what they
perceive, and does what they ask for."""

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
    """The topics: ``percepts/AGENT`` is all that an agent perceives from now on;
    ``feedback/ACTION`` answers ``call/ACTION``."""

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
        """What each agent perceives, as far as it was told; what made no sense goes to the journal,
        and so does who was lost."""
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
        """Asks for an action; its number comes back with the feedback."""
        self._calls += 1
        with self._lock:
            self._open.add(self._calls)
        functor = action.partition("(")[0]
        self._sender.send(
            f"call/{functor}", cycle, {"id": self._calls, "agent": agent, "action": action}
        )
        return self._calls

    def take_completion(self, call: int) -> bool:
        """Whether the feedback to a call has come; says so once."""
        with self._lock:
            if call not in self._done:
                return False
            self._done.discard(call)
            return True

    def cancel(self, call: int) -> None:
        """The agent does not want it any more: a feedback would be to nothing."""
        with self._lock:
            self._open.discard(call)
            self._done.discard(call)

    def advance(self, start: float, end: float, cycle: int) -> None:
        """Lets time pass."""
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
