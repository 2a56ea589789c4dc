"""One LISA agent that runs: what it senses, what it is told, and which of its calls are open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from volition.languages.lisa.agent import Agent
from volition.languages.lisa.semantics import OwnView
from volition.runtime.inbox import Call, Inbox, Message, Report, Sight
from volition.runtime.journal import Journal
from volition.runtime.lisa.calls import CallBook, Orders
from volition.runtime.lisa.messages import Mailbox
from volition.runtime.lisa.percepts import Senses
from volition.runtime.stepping import State
from volition.telling.slot_values import as_data

__all__ = ["Believed", "Mind"]


@dataclass(frozen=True, slots=True)
class Believed:
    """What of an inbox is believed in this cycle: percepts that flip, and feedbacks that come."""

    flips: Mapping[str, bool]
    reports: tuple[Report, ...]
    messages: tuple[Message, ...]


class Mind:
    """``failures`` maps actions to the feedbacks by which they fail."""

    def __init__(self, agent: Agent, journal: Journal, failures: Mapping[str, str]) -> None:
        self.agent = agent
        self.journal = journal
        self._senses = Senses([percept for percept in agent.percepts if percept.determination is None])
        self._mail = Mailbox(agent, journal)
        self._calls = CallBook(agent, failures, journal)
        self._initially = Orders()

    def begin(self) -> Orders:
        """Calls the initial actions."""
        self._initially = self._calls.initial()
        return self._initially

    def perceive(self, state: State, inbox: Inbox, cycle: int) -> Believed:
        """What came, by the rules of when it is believed."""
        own = OwnView(self.agent, state)
        flips = self._senses.believed(own, self._known(inbox.sights, cycle)) | self._mail.believed(own, inbox.messages, cycle)
        return Believed(flips, tuple(self._calls.believed(inbox.reports, cycle)), inbox.messages)

    def observation(self, believed: Believed) -> dict[str, bool]:
        """The same by the names of slots."""
        held = {**believed.flips, **{report.feedback: True for report in believed.reports}}
        return {self.agent.prefix + name: value for name, value in held.items()}

    def act(self, before: State, state: State) -> Orders:
        """What the plans that have just moved ask of the world."""
        return self._calls.orders(OwnView(self.agent, before), OwnView(self.agent, state))

    def line(self, believed: Believed, before: State, believing: State, state: State, orders: Orders) -> dict[str, Any]:
        """The cycle, for the record; beliefs go by the names of their slots."""
        prefix = self.agent.prefix
        line: dict[str, Any] = {
            "inbox": {
                "percepts": {prefix + name: held for name, held in believed.flips.items()},
                "feedbacks": [{"id": each.call, "action": each.action, "feedback": prefix + each.feedback} for each in believed.reports],
                "messages": [{"from": each.sender, "text": each.text} for each in believed.messages],
            },
            "beliefs": self._changed(before, believing),
            "plans": self._changed(believing, state),
            "calls": [*map(_call, orders.calls), *({**_call(each), "joins": True} for each in orders.joined)],
        }
        if orders.stops:
            line["stops"] = [{"id": each.call, "action": each.action, "plan": each.plan} for each in orders.stops]
        if self._initially.calls:
            line["initial_calls"] = [*map(_call, self._initially.calls)]
            self._initially = Orders()
        if why := {prefix + name: dict(self._senses.why(name)) for name in believed.flips if self._senses.why(name)}:
            line["why"] = why
        return line

    def _known(self, sights: Iterable[Sight], cycle: int) -> list[Sight]:
        known = []
        for sight in sights:
            if self._senses.knows(sight.percept):
                known.append(sight)
            else:
                text = f"the program has no percept '{sight.percept}'"
                self.journal.write(
                    "refused", cycle=cycle, agent=self.agent.name, what="percept", name=sight.percept, observed=sight.value, text=text
                )
        return known

    def _changed(self, before: State, after: State) -> dict[str, Any]:
        """What changed among the agent's slots."""
        return {slot: as_data(value) for slot, value in after.items() if before[slot] != value and self._is_own(slot)}

    def _is_own(self, slot: str) -> bool:
        return not self.agent.prefix or slot.startswith(self.agent.prefix)


def _call(call: Call) -> dict[str, Any]:
    return {"id": call.id, "action": call.action, "plan": call.plan, "objects": dict(call.objects)}
