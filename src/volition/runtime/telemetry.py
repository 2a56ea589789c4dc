"""What a run shows over a bridge to who looks on: the minds of its agents, what is decided, how the
world looks (``docs/guides/bridge.md``)."""

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
"""The lines of a physical world, and the topics on which they are told."""


class TelemetryPublisher:
    """A watcher of a run: of a LISA agent each cycle is told, of the others each step, and every
    choice before it is carried out.

    Where the run ``shows`` what queries are worth, that is told with the minds that it is about,
    whose lines it follows.
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
        """What is to be told, and where, as soon as it is known what queries are worth."""
        self._told = 0

    def __call__(self, kind: str, fields: Mapping[str, Any]) -> None:
        match kind:
            case "values":
                self._tell_minds({"state": fields["state"], "values": fields["values"]})
            case "choice":
                self._tell(self._bridge, "choice", fields)
            case "cycle":
                self._slots |= {**fields["beliefs"], **fields["plans"]}
                agent = self._agents[fields["agent"]]
                bridge = (
                    self._bridge
                    if len(self._agents) == 1
                    else ScopedBridge(self._bridge, agent.name)
                )
                self._see(bridge, fields, self._mind(agent))
            case "step":
                for each in fields["changes"]:
                    items = self._view.setdefault(each["section"], {})
                    items.pop(each["item"], None) if each["after"] is None else items.update(
                        {each["item"]: each["after"]}
                    )
                self._see(self._bridge, fields, self._view)
            case _ if kind in _WORLD:
                self._tell(self._bridge, _WORLD[kind], fields)

    def _mind(self, agent: ResolvedAgent) -> dict[str, Any]:
        """What an agent believes, where its plans are, and which feedbacks it waits for."""
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

    def _see(self, bridge: Bridge, fields: Mapping[str, Any], mind: Mapping[str, Any]) -> None:
        self._minds.append((bridge, {"t": fields["t"], "cycle": fields["cycle"], **mind}))
        if not self._shows:
            self._tell_minds({})

    def _tell_minds(self, values: Mapping[str, Any]) -> None:
        minds, self._minds = self._minds, []
        for bridge, mind in minds:
            self._tell(bridge, "state/agent", {**mind, **values})

    def _tell(self, bridge: Bridge, topic: str, data: Mapping[str, Any]) -> None:
        self._told += 1
        bridge.publish(topic, {"seq": self._told, **data})
