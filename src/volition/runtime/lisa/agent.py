"""A LISA agent in a run: it filters percepts and messages, and tracks the open calls of its
actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from volition.languages.lisa.resolved import ResolvedAgent
from volition.languages.lisa.semantics import AgentView
from volition.reporting.json_values import to_json_value
from volition.runtime.lisa.messages import Mailbox
from volition.runtime.lisa.pending_calls import ActionRequests, PendingCalls
from volition.runtime.lisa.perception import PerceptFilter
from volition.runtime.messages import (
    ActionFeedback,
    ActionRequest,
    Inbox,
    IncomingMessage,
    PerceptReading,
)
from volition.runtime.run_log import RunLog
from volition.runtime.successor import State

__all__ = ["CycleInput", "RunningAgent"]


@dataclass(frozen=True, slots=True)
class CycleInput:
    """The part of an agent's inbox that changes its beliefs in a cycle: the percepts that flip, and
    the feedbacks that are accepted. ``messages`` are all messages that arrived, whether or not they
    change a belief."""

    flips: Mapping[str, bool]
    reports: tuple[ActionFeedback, ...]
    messages: tuple[IncomingMessage, ...]


class RunningAgent:
    """A LISA agent in a run. ``failures`` maps actions to the feedbacks that stand for their
    failure."""

    def __init__(self, agent: ResolvedAgent, journal: RunLog, failures: Mapping[str, str]) -> None:
        self.agent = agent
        self.journal = journal
        self._senses = PerceptFilter(
            [percept for percept in agent.percepts if percept.rule is None]
        )
        self._mail = Mailbox(agent, journal)
        self._calls = PendingCalls(agent, failures, journal)
        self._initial_requests = ActionRequests()

    def begin(self) -> ActionRequests:
        """Return the calls of the actions that the program calls before the first cycle."""
        self._initial_requests = self._calls.initial()
        return self._initial_requests

    def perceive(self, state: State, inbox: Inbox, cycle: int) -> CycleInput:
        """Return the part of an inbox that the agent believes in a cycle. ``state`` is the state
        before the cycle."""
        own = AgentView(self.agent, state)
        flips = self._senses.believed(
            own, self._known(inbox.readings, cycle)
        ) | self._mail.believed(own, inbox.messages, cycle)
        return CycleInput(
            flips, tuple(self._calls.believed(inbox.feedbacks, cycle)), inbox.messages
        )

    def observation(self, believed: CycleInput) -> dict[str, bool]:
        """Return the percepts and feedbacks that the agent believes in a cycle, by slot name."""
        held = {**believed.flips, **{report.feedback: True for report in believed.reports}}
        return {self.agent.prefix + name: value for name, value in held.items()}

    def act(self, before: State, state: State) -> ActionRequests:
        """Return the calls and stops of actions by the plans that moved between two states."""
        return self._calls.requests(AgentView(self.agent, before), AgentView(self.agent, state))

    def line(
        self,
        believed: CycleInput,
        before: State,
        believing: State,
        state: State,
        orders: ActionRequests,
    ) -> dict[str, Any]:
        """Return the fields of the agent's line of kind ``cycle`` in the record: inbox, changed
        slots, calls and stops.

        ``before`` is the state before the cycle, ``believing`` the state after the beliefs have
        changed, and ``state`` the state after the plans have moved as well.
        """
        prefix = self.agent.prefix
        line: dict[str, Any] = {
            "inbox": {
                "percepts": {prefix + name: held for name, held in believed.flips.items()},
                "feedbacks": [
                    {"id": each.call, "action": each.action, "feedback": prefix + each.feedback}
                    for each in believed.reports
                ],
                "messages": [
                    {"from": each.sender, "text": each.text} for each in believed.messages
                ],
            },
            "beliefs": self._changed(before, believing),
            "plans": self._changed(believing, state),
            "calls": [
                *map(_call, orders.calls),
                *({**_call(each), "joins": True} for each in orders.shared),
            ],
        }
        if orders.stops:
            line["stops"] = [
                {"id": each.call, "action": each.action, "plan": each.plan} for each in orders.stops
            ]
        if self._initial_requests.calls:
            line["initial_calls"] = [*map(_call, self._initial_requests.calls)]
            self._initial_requests = ActionRequests()
        if why := {
            prefix + name: dict(self._senses.evidence(name))
            for name in believed.flips
            if self._senses.evidence(name)
        }:
            line["why"] = why
        return line

    def _known(self, sights: Iterable[PerceptReading], cycle: int) -> list[PerceptReading]:
        known = []
        for sight in sights:
            if self._senses.knows(sight.percept):
                known.append(sight)
            else:
                text = f"the program has no percept '{sight.percept}'"
                self.journal.write(
                    "refused",
                    cycle=cycle,
                    agent=self.agent.name,
                    what="percept",
                    name=sight.percept,
                    observed=sight.value,
                    text=text,
                )
        return known

    def _changed(self, before: State, after: State) -> dict[str, Any]:
        """Return the agent's slots that differ between two states, with the values in ``after``."""
        return {
            slot: to_json_value(value)
            for slot, value in after.items()
            if before[slot] != value and self._is_own(slot)
        }

    def _is_own(self, slot: str) -> bool:
        return not self.agent.prefix or slot.startswith(self.agent.prefix)


def _call(call: ActionRequest) -> dict[str, Any]:
    return {"id": call.id, "action": call.action, "plan": call.plan, "objects": dict(call.objects)}
