"""Whether the record of a LISA agent has the calls and stops that its plans asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from volition.languages.lisa.model import LisaModel
from volition.runtime.inbox import Report
from volition.runtime.journal import Journal
from volition.runtime.lisa.calls import CallBook
from volition.runtime.stepping import State

__all__ = ["OrderBook"]


class OrderBook:
    """Keeps the book of calls that the executive keeps, and compares what it would ask of the world with what the record says."""

    def __init__(self, model: LisaModel) -> None:
        self._calls = CallBook(model.agent.actions, model.agent.plans, {}, Journal())
        self._calls.initial()

    def receive(self, inbox: Mapping[str, Any], cycle: int) -> None:
        """The feedbacks of a cycle close their calls."""
        self._calls.believed([Report(None, each["action"], each["feedback"]) for each in inbox["feedbacks"]], cycle)

    def objection(self, believing: State, acting: State, line: Mapping[str, Any]) -> str | None:
        """How the recorded orders of a plans half-step differ from those that its plans give, in words; None where they do not."""
        orders = self._calls.orders(believing, acting)
        if "calls" not in line:
            return None  # a record that says nothing of calls says nothing wrong
        called = [(each.action, each.plan) for each in (*orders.calls, *orders.joined)]
        stopped = [(each.action, each.plan) for each in orders.stops]
        return _difference("call", line["calls"], called) or _difference("stop", line.get("stops", []), stopped)


def _difference(what: str, recorded: Sequence[Mapping[str, Any]], asked: Sequence[tuple[str, str | None]]) -> str | None:
    found = [(each["action"], each["plan"]) for each in recorded]
    if sorted(found, key=str) == sorted(asked, key=str):
        return None
    return f"the {what}s are recorded as {_listed(found)}, but the plans give {_listed(asked)}"


def _listed(orders: Sequence[tuple[str, str | None]]) -> str:
    return ", ".join(f"'{action}' by {plan}" for action, plan in orders) or "none"
