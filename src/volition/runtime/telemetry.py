"""Telemetry of a run: publishes the beliefs, plans and decisions of its agents and the state of the
world over a bridge (``docs/guides/bridge.md``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.resolved import ResolvedAgent
from volition.languages.protocols import Model
from volition.runtime.bridge import Bridge, ScopedBridge

__all__ = ["TelemetryPublisher"]

_WORLD = {
    "pose": "state/vessel",
    "coverage": "coverage",
    "route": "route",
    "sea": "sea",
    "waves": "waves",
}
"""The topic on which each kind of log line about a physical world is published."""


class TelemetryPublisher:
    """Listener of a run log that publishes the state of a LISA agent after each cycle, the state of
    other agents after each step, and every decision before it is executed.

    ``shows`` says whether the run computes values of queries after each cycle. If it does, the
    states of the agents are not published until the log line of kind ``values`` arrives, and then
    together with these values.
    """

    def __init__(self, model: Model, bridge: Bridge, *, shows: bool) -> None:
        self._bridge = bridge
        self._shows = shows
        self._agents = (
            {agent.name: agent for agent in model.understood}
            if isinstance(model, LisaModel)
            else {}
        )
        self._slots: dict[str, Any] = dict(model.system.slots) if self._agents else {}
        self._view = {
            section: dict(items) for section, items in model.describe(model.system.slots).items()
        }
        self._minds: list[tuple[Bridge, Mapping[str, Any]]] = []
        """States of agents that wait for the values of queries to be published with them, each with
        the bridge to publish it on."""
        self._published = 0

    def __call__(self, kind: str, fields: Mapping[str, Any]) -> None:
        match kind:
            case "values":
                self._publish_minds({"state": fields["state"], "values": fields["values"]})
            case "choice":
                self._publish(self._bridge, "choice", fields)
            case "cycle":
                self._slots |= {**fields["beliefs"], **fields["plans"]}
                agent = self._agents[fields["agent"]]
                bridge = (
                    self._bridge
                    if len(self._agents) == 1
                    else ScopedBridge(self._bridge, agent.name)
                )
                self._queue_mind(bridge, fields, self._mind(agent))
            case "step":
                for each in fields["changes"]:
                    items = self._view.setdefault(each["section"], {})
                    items.pop(each["item"], None) if each["after"] is None else items.update(
                        {each["item"]: each["after"]}
                    )
                self._queue_mind(self._bridge, fields, self._view)
            case _ if kind in _WORLD:
                self._publish(self._bridge, _WORLD[kind], fields)
            case _:
                pass

    def _mind(self, agent: ResolvedAgent) -> dict[str, Any]:
        """Return the state of a LISA agent: its beliefs, the positions of its active plans, and the
        actions whose feedback it awaits."""
        own = {
            slot.removeprefix(agent.prefix): value
            for slot, value in self._slots.items()
            if slot.startswith(agent.prefix)
        }
        return {
            "beliefs": [sentence for name, sentence in agent.beliefs.items() if own.get(name) == 1],
            "plans": {plan.name: own[plan.name] for plan in agent.plans if own[plan.name]},
            "awaited": [
                action.text
                for action in agent.actions
                if any(own[each.name] > 1 for each in action.feedbacks)
            ],
        }

    def _queue_mind(
        self, bridge: Bridge, fields: Mapping[str, Any], mind: Mapping[str, Any]
    ) -> None:
        self._minds.append((bridge, {"t": fields["t"], "cycle": fields["cycle"], **mind}))
        if not self._shows:
            self._publish_minds({})

    def _publish_minds(self, values: Mapping[str, Any]) -> None:
        minds, self._minds = self._minds, []
        for bridge, mind in minds:
            self._publish(bridge, "state/agent", {**mind, **values})

    def _publish(self, bridge: Bridge, topic: str, data: Mapping[str, Any]) -> None:
        self._published += 1
        bridge.publish(topic, {"seq": self._published, **data})
