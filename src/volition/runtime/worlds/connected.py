"""A world that is connected by a bridge: skills in this process or in others report, and are called.

Nothing that comes over the bridge is trusted: what is not as it should be is refused and told to the journal, and so is what comes in
floods.  A skill that is lost is a percept, if the project declares one for it.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from volition.languages.lisa.names import name_of
from volition.runtime.bridge.interface import Bridge
from volition.runtime.inbox import Call, Inbox, Message, Report, Sight, Stop
from volition.runtime.journal import Journal
from volition.runtime.stepping import State
from volition.runtime.worlds.partners import Partners

__all__ = ["ConnectedWorld", "Host"]

MOST_OF_TOPIC = 200
"""Messages of one topic between two ticks; what is beyond says nothing new."""
LONGEST_TEXT = 2_000


class Host(Protocol):
    """Skills that are let work by this process."""

    def begin(self) -> None: ...

    def obey(self) -> None:
        """Carries out calls that came."""

    def advance(self, start: float, end: float) -> None: ...

    def close(self) -> None: ...


class ConnectedWorld:
    """The world of one agent.

    ``lost`` says which percept it is that a skill is lost, by their names; ``partners`` are other processes to wait for.
    """

    def __init__(
        self,
        name: str,
        agent: str,
        bridge: Bridge,
        hosts: Sequence[Host] = (),
        *,
        lost: Mapping[str, str] | None = None,
        partners: Partners | None = None,
    ) -> None:
        self.name = name
        self._agent = agent
        self._bridge = bridge
        self._hosts = hosts
        self._lost = lost or {}
        self._partners = partners
        self._lock = threading.Lock()
        self._arrived: deque[Sight | Report | Message] = deque()
        self._refused: list[tuple[str, str]] = []
        self._presence: list[tuple[str, bool]] = []
        self._known: set[str] = set()
        self._troubles: dict[str, str] = {}
        self._flood: Counter[str] = Counter()
        self._sent = 0

    def begin(self, journal: Journal) -> None:
        self._journal = journal
        for pattern in ("percept/*", "feedback/*", "message"):
            self._bridge.subscribe(pattern, self._receive)
        self._bridge.subscribe("trouble/*", self._hear_of_trouble)
        self._bridge.watch(self._see_presence)
        for host in self._hosts:
            host.begin()
        if self._partners is not None:
            self._partners.begin()

    def receive(self, state: State, cycle: int) -> Mapping[str, Inbox]:  # noqa: ARG002, the world does not know the agent's mind
        for host in self._hosts:
            host.obey()
        with self._lock:
            arrived, self._arrived = list(self._arrived), deque()
            refused, self._refused = self._refused, []
            presence, self._presence = self._presence, []
            flood, self._flood = self._flood, Counter()
        refused += [
            (topic, f"{count - MOST_OF_TOPIC} more messages came than one cycle takes")
            for topic, count in flood.items()
            if count > MOST_OF_TOPIC
        ]
        for topic, text in refused:
            self._journal.write("refused", cycle=cycle, what="message on the bridge", name=topic, text=text)
        arrived += [sight for name, present in presence for sight in self._presence_seen(name, present, cycle)]
        inbox = Inbox(
            tuple(each for each in arrived if isinstance(each, Sight)),
            tuple(each for each in arrived if isinstance(each, Report)),
            tuple(each for each in arrived if isinstance(each, Message)),
        )
        return {self._agent: inbox}

    def call(self, call: Call, cycle: int) -> None:
        data = {"id": call.id, "agent": call.agent, "action": call.action, "plan": call.plan, "objects": dict(call.objects)}
        self._publish(f"call/{call.action}", cycle, data)

    def stop(self, stop: Stop, cycle: int) -> None:
        self._publish(f"stop/{stop.action}", cycle, {"id": stop.call})

    def advance(self, start: float, end: float, cycle: int) -> str | None:
        self._publish("clock", cycle, {"t": start, "seconds": end - start, "step": "tick"})
        for host in self._hosts:
            host.advance(start, end)
        for name, present, why in self._partners.wait(cycle) if self._partners else ():
            self._troubles[name] = why
            self._see_presence(name, present)
        return None

    def close(self) -> None:
        self._bridge.publish("clock", {"step": "end"})
        for host in self._hosts:
            host.close()
        self._bridge.close()

    def _publish(self, topic: str, cycle: int, data: Mapping[str, Any]) -> None:
        self._sent += 1
        self._bridge.publish(topic, {"cycle": cycle, "seq": self._sent, **data})

    # --- what comes in -------------------------------------------------------------------------------------------------

    def _receive(self, topic: str, data: Mapping[str, Any]) -> None:
        with self._lock:
            self._flood[topic] += 1
            if self._flood[topic] > MOST_OF_TOPIC:
                return
            try:
                self._arrived.append(_understood(topic, data))
            except ValueError as error:
                self._refused.append((topic, str(error)))

    def _hear_of_trouble(self, topic: str, data: Mapping[str, Any]) -> None:
        self._troubles[topic.partition("/")[2]] = str(data.get("text", ""))[:LONGEST_TEXT]

    def _see_presence(self, name: str, present: bool) -> None:
        with self._lock:
            self._presence.append((name, present))

    def _presence_seen(self, name: str, present: bool, cycle: int) -> list[Sight]:
        """Who was lost or came back, told; the first time that somebody is there is no news."""
        if present and name not in self._known:
            self._known.add(name)
            return []
        text = f"'{name}' is back" if present else f"'{name}' is lost: {self._troubles.get(name, 'nobody knows why')}"
        self._journal.write("back" if present else "lost", cycle=cycle, name=name, text=text)
        return [Sight(self._lost[name], not present)] if name in self._lost else []


def _understood(topic: str, data: Mapping[str, Any]) -> Sight | Report | Message:
    """What a message says; raises :class:`ValueError` for one that says nothing."""
    kind, _, name = topic.partition("/")
    match kind:
        case "percept":
            why = data.get("why", {})
            if not isinstance(data.get("value"), bool):
                raise ValueError(f"'value' is not true or false, but {data.get('value')!r:.80}")
            if not isinstance(why, Mapping) or not all(_is_plain(each) for each in why.values()):
                raise ValueError(f"'why' is not an object with numbers and texts, but {why!r:.80}")
            return Sight(name_of(name), data["value"], dict(why))
        case "feedback":
            call, feedback = data.get("id"), data.get("feedback")
            if not isinstance(feedback, str) or len(feedback) > LONGEST_TEXT:
                raise ValueError(f"'feedback' is not a text, but {feedback!r:.80}")
            if not isinstance(call, int) or isinstance(call, bool):
                raise ValueError(f"'id' is not the number of a call, but {call!r:.80}")
            return Report(call, name, name_of(feedback))
        case _:
            sender, text = data.get("from", ""), data.get("text")
            if not isinstance(text, str) or not isinstance(sender, str):
                raise ValueError(f"'from' and 'text' are not texts, but {sender!r:.40} and {text!r:.40}")
            return Message(sender[:LONGEST_TEXT], text[:LONGEST_TEXT])


def _is_plain(value: object) -> bool:
    return value is None or (isinstance(value, str | int | float | bool) and value == value and value not in (float("inf"), -float("inf")))
