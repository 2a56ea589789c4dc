"""Conversion of messages to an agent into percepts that last one cycle, if the program declares
them (Izzo, Sect. 3.3.1, Messages).

Equal messages in one cycle count as one. Repeated messages are separated by a cycle in which the
percept is inactive, so that each of them is an event. A message that the program does not declare
becomes the percept *Unknown message received*, if the program declares that percept. The text of
the message goes to the record but never to the agent.
"""

from __future__ import annotations

from collections.abc import Iterable

from volition.kernel.system import SlotView
from volition.languages.lisa.messages import UNKNOWN
from volition.languages.lisa.names import name_of
from volition.languages.lisa.resolved import ResolvedAgent
from volition.languages.lisa.semantics import believes
from volition.languages.lisa.syntax import holds
from volition.runtime.messages import IncomingMessage
from volition.runtime.run_log import RunLog

__all__ = ["Mailbox"]

MAX_WAITING = 100
"""The largest number of equal messages that wait to be believed. If more arrive, they are dropped.
"""


class Mailbox:
    """The messages that a LISA agent can receive, and how many of each wait to be believed."""

    def __init__(self, agent: ResolvedAgent, journal: RunLog) -> None:
        self._agent = agent
        self._known = {percept.name: percept for percept in agent.percepts if percept.is_message}
        self._waiting: dict[str, int] = {}
        self._current: set[str] = set()
        """The percepts that are active because of a message."""
        self._journal = journal

    def believed(
        self, state: SlotView, messages: Iterable[IncomingMessage], cycle: int
    ) -> dict[str, bool]:
        """Return which beliefs about received messages change in reasoning cycle ``cycle``: a
        mapping from the name of the message to whether the agent now believes it.

        ``messages`` have just arrived. They are added to the waiting messages. A waiting message
        becomes believed if its condition is true in ``state``; if the condition is false, the
        message is dropped and logged. A message believed in the last cycle is no longer believed.
        If an equal message waits, it has to wait for one more cycle.
        """
        for name in dict.fromkeys(
            filter(None, (self._percept_of(message, cycle) for message in messages))
        ):
            self._waiting[name] = min(self._waiting.get(name, 0) + 1, MAX_WAITING)
        flips = {name: False for name in sorted(self._current) if state[name] == 1}
        self._current.clear()
        for name in [
            name
            for name, count in self._waiting.items()
            if count and name not in flips and state[name] != 1
        ]:
            self._waiting[name] -= 1
            if holds(self._known[name].condition, believes(state)):
                flips[name] = True
                self._current.add(name)
            else:
                text = f"the message '{self._known[name].text}' came while its condition was false"
                self._journal.write(
                    "refused",
                    cycle=cycle,
                    agent=self._agent.name,
                    what="message",
                    name=name,
                    text=text,
                )
        return flips

    def _percept_of(self, message: IncomingMessage, cycle: int) -> str | None:
        """Return the percept that a message becomes, or None if it becomes none. Log a message that
        the program does not declare."""
        name = name_of(message.text)
        if name in self._known and name != UNKNOWN:
            return name
        self._journal.write(
            "message",
            cycle=cycle,
            agent=self._agent.name,
            **{"from": message.sender},
            text=message.text,
            known=False,
        )
        return UNKNOWN if UNKNOWN in self._known else None
