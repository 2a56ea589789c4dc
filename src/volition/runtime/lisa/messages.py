"""Messages become percepts of one cycle, if they are among those that the program knows (Izzo,
Sect. 3.3.1, Messages).

Equal messages of one cycle are one.  Repeated ones are spaced by a cycle in between, in which the
percept is not active, so that each of them is an event.  What the program does not know becomes the
percept *Unknown message received*, if it declares that; its text goes to the record and never to
the agent.
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
"""Of equal messages: who sends more without a pause says nothing new."""


class Mailbox:
    """The messages that an agent knows, and how many of each wait to be believed."""

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
        """The message percepts that flip in this cycle, with what they become."""
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
                text = f"the message '{self._known[name].text}' came when nobody waits for it"
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
        """The percept that a message becomes, if there is one."""
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
