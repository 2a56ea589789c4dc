"""World of LISA agents that are connected by a bridge: skills in this process or in other processes
report to the agents and are called by them.

Input from the bridge is not trusted: invalid messages, and more messages than the rate limit
allows, are rejected and logged. The loss of a skill becomes a percept if the run file declares one
for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from volition.runtime.bridge.interface import Bridge
from volition.runtime.messages import ActionRequest, Inbox, PerceptReading, StopRequest
from volition.runtime.run_log import RunLog
from volition.runtime.successor import State
from volition.runtime.worlds.agent_inbox import AgentInbox
from volition.runtime.worlds.peer_monitor import PeerMonitor
from volition.runtime.worlds.peers import Peers
from volition.runtime.worlds.sender import Sender

__all__ = ["ConnectedWorld", "DisconnectPercepts", "Host"]

DisconnectPercepts = Mapping[str, Sequence[tuple[str, str]]]
"""The percepts that become true when a skill or another process is lost. The keys are the names of
skills and processes on the message bridge, the values are pairs of an agent and a percept."""


class Host(Protocol):
    """Interface of a host that runs skills in this process."""

    def start(self) -> None: ...

    def process_requests(self) -> None:
        """Execute the calls and stops of skills that have arrived."""

    def advance(self, start: float, end: float) -> None: ...

    def close(self) -> None: ...


class ConnectedWorld:
    """World of LISA agents that are connected by a message bridge.

    - ``doorways`` are the inboxes of the agents.
    - ``hosts`` run skills (code for actions and senses) in this process.
    - ``lost`` has the percepts that become true when a skill is lost.
    - ``partners`` are other processes that the run waits for at each tick of its clock.
    """

    def __init__(
        self,
        name: str,
        bridge: Bridge,
        doorways: Sequence[AgentInbox],
        hosts: Sequence[Host] = (),
        *,
        lost: DisconnectPercepts | None = None,
        partners: Peers | None = None,
    ) -> None:
        self.name = name
        self._doorways = {each.agent: each for each in doorways}
        self._hosts = hosts
        self._lost = lost or {}
        self._presence = PeerMonitor(bridge, partners)
        self._sender = Sender(bridge)

    def begin(self, journal: RunLog) -> None:
        self._journal = journal
        for each in self._doorways.values():
            each.begin()
        self._presence.begin()
        for host in self._hosts:
            host.start()
        self._presence.expect()

    def receive(self, state: State, cycle: int) -> Mapping[str, Inbox]:  # noqa: ARG002
        for host in self._hosts:
            host.process_requests()
        seen: dict[str, list[PerceptReading]] = {}
        for name, present in self._presence.report_changes(self._journal, cycle):
            for agent, percept in self._lost.get(name, ()):
                seen.setdefault(agent, []).append(PerceptReading(percept, not present))
        return {
            name: self._inbox(each, seen.get(name, ()), cycle)
            for name, each in self._doorways.items()
        }

    def _inbox(self, doorway: AgentInbox, more: Sequence[PerceptReading], cycle: int) -> Inbox:
        inbox, refused = doorway.drain()
        for topic, text in refused:
            self._journal.write(
                "refused",
                cycle=cycle,
                agent=doorway.agent,
                what="message on the bridge",
                name=topic,
                text=text,
            )
        return Inbox((*inbox.readings, *more), inbox.feedbacks, inbox.messages)

    def call(self, call: ActionRequest, cycle: int) -> None:
        data = {
            "id": call.id,
            "agent": call.agent,
            "action": call.action,
            "plan": call.plan,
            "objects": dict(call.objects),
        }
        self._sender.send(f"call/{call.action}", cycle, data, to=self._doorways[call.agent].bridge)

    def stop(self, stop: StopRequest, cycle: int) -> None:
        self._sender.send(
            f"stop/{stop.action}", cycle, {"id": stop.call}, to=self._doorways[stop.agent].bridge
        )

    def advance(self, start: float, end: float, cycle: int) -> str | None:
        self._sender.tick(start, end, cycle)
        for host in self._hosts:
            host.advance(start, end)
        self._presence.wait(cycle)
        return None

    def close(self) -> None:
        self._sender.end()
        for host in self._hosts:
            host.close()
